// Pods that have no place even if every node is empty, ready and without taints.

#include <algorithm>
#include <map>
#include <utility>

#include "api/core/node.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/problem_report.h"
#include "engine/explain/topology_room.h"
#include "lint/checks.h"
#include "lint/topology_requests.h"
#include "workload/convert/convert_topology.h"
#include "workload/topology/node_match_table.h"

namespace berth::lint {
namespace {

constexpr std::string_view kPodsResource = "pods";
// The default of the kubelet.
constexpr int64_t kPodsOfANode = 110;

// The node at its best: taints and conditions may change. The kubelet adds the hostname.
api::Node Unobstructed(api::Node node) {
  if (!node.metadata.labels.Contains(api::kHostnameLabel))
    node.metadata.labels.Set(api::kHostnameLabel, node.metadata.name);
  node.spec.unschedulable = false;
  node.spec.taints.clear();
  node.status.conditions = {{.type = "Ready",
                             .status = std::string(api::kConditionTrue),
                             .last_transition_time = {},
                             .reason = {},
                             .message = {},
                             .extra = {}}};
  if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
  const quantity::Quantity* pods = node.status.allocatable.Find(kPodsResource);
  if (pods == nullptr)
    node.status.allocatable.Set(std::string(kPodsResource),
                                quantity::Quantity::FromInt(kPodsOfANode));
  return node;
}

// Manifests of nodes may leave their size to the kubelet.
bool HaveSizes(const Catalog& catalog) {
  bool have_sizes = true;
  catalog.ForEach<api::Node>([&](const Entry&, const api::Node& node) {
    have_sizes = have_sizes && !(node.status.allocatable.empty() && node.status.capacity.empty());
  });
  return have_sizes;
}

class TopologyFitChecker {
 public:
  TopologyFitChecker(const Catalog& catalog, Report& report)
      : catalog_(catalog), report_(report), requests_(catalog) {
    engine_.SetNodeMatcher(
        [this](engine::NodeMatchId match, engine::FlavorId flavor, engine::ClusterNodeId node) {
          return matches_.Match(match, flavor, node);
        });
    catalog.ForEach<api::Topology>([&](const Entry&, const api::Topology& topology) {
      engine_.SetTopology(workload::ToEngine(topology));
    });
    catalog.ForEach<api::ResourceFlavor>([&](const Entry&, const api::ResourceFlavor& flavor) {
      if (!flavor.spec.topology_name) return;
      engine_.SetTopologyFlavor(workload::ToTopologyFlavor(flavor, engine_));
      matches_.SetTolerations(engine_.Flavor(flavor.metadata.name), flavor.spec.tolerations);
    });
    catalog.ForEach<api::Node>([&](const Entry&, const api::Node& node) {
      const api::Node best = Unobstructed(node);
      matches_.SetNode(engine_.SetNode(workload::ToEngine(best, engine_)),
                       workload::NodeProfile::From(best));
    });
  }

  void Check(const QueuedJob& job) {
    const std::optional<std::vector<QueueFlavor>> flavors = FlavorsOf(catalog_, requests_, job);
    if (!flavors) return;
    const std::vector<workload::TopologyFlavor> topologies = TopologiesOf(*flavors);
    const bool is_implied = workload::ImpliesTopology(topologies);
    std::vector<api::PodSet> pod_sets = requests_.AdjustedPodSets(job);
    for (size_t i = 0; i < pod_sets.size(); ++i) {
      if (const auto request = TopologyRequestOf(catalog_, job, job.pod_sets[i]))
        pod_sets[i].topology_request = request->request;
    }
    const std::optional<engine::WorkloadTopology> topology =
        workload::ToTopology(api::Workload(), pod_sets, is_implied, matches_, engine_);
    if (!topology) return;
    for (size_t i = 0; i < pod_sets.size(); ++i) {
      if (topology->pod_sets[i].kind == engine::TopologyKind::kNone || IsInGroup(pod_sets[i]))
        continue;
      std::vector<engine::FlavorId> matching;
      for (size_t f = 0; f < topologies.size(); ++f) {
        if (topologies[f].levels != nullptr &&
            workload::MatchesTopology(pod_sets[i], is_implied, topologies[f]))
          matching.push_back(engine_.Flavor((*flavors)[f].flavor->metadata.name));
      }
      CheckPodSet(job, i, pod_sets[i].count.value_or(1), topology->pod_sets[i], matching);
    }
  }

 private:
  static std::vector<workload::TopologyFlavor> TopologiesOf(
      const std::vector<QueueFlavor>& flavors) {
    std::vector<workload::TopologyFlavor> topologies;
    for (const QueueFlavor& flavor : flavors)
      topologies.push_back(
          {.levels = flavor.levels.empty() ? nullptr : &flavor.levels, .covered = flavor.covered});
    return topologies;
  }

  // A leader and its workers are placed together, by the request of the workers.
  static bool IsInGroup(const api::PodSet& pod_set) {
    return pod_set.topology_request && pod_set.topology_request->pod_set_group_name;
  }

  void CheckPodSet(const QueuedJob& job, size_t index, int32_t count,
                   const engine::PodSetTopology& request,
                   const std::vector<engine::FlavorId>& flavors) {
    std::optional<engine::TopologyRoom> best;
    engine::FlavorId best_flavor;
    for (const engine::FlavorId flavor : flavors) {
      std::optional<engine::TopologyRoom> room = engine_.RoomFor(flavor, request, count);
      // The nodes of the flavor may be elsewhere.
      if (!room || !room->is_valid || room->nodes.total == 0 || room->fits) return;
      if (best && best->fitting >= room->fitting) continue;
      best = std::move(room);
      best_flavor = flavor;
    }
    if (best) Warn(job, job.pod_sets[index], engine_.FlavorName(best_flavor), *best);
  }

  void Warn(const QueuedJob& job, const PodSetAt& pods, const std::string& flavor,
            const engine::TopologyRoom& room) {
    const auto request = TopologyRequestOf(catalog_, job, pods);
    std::string units = std::to_string(room.needed);
    units += room.slice_size == 1 ? room.needed == 1 ? " pod" : " pods"
                                  : " slices of " + std::to_string(room.slice_size) + " pods";
    const bool is_required = room.kind == engine::TopologyKind::kRequired;
    report_.Warn(
        *job.entry, "topology-never-fits",
        {.field = request ? request->field : pods.ContainersField(),
         .message =
             "the nodes of flavor " + flavor + " have room for " + std::to_string(room.fitting) +
             " of " + units +
             (is_required ? " in one domain of level " + api::Quoted(room.levels[room.level].level)
                          : std::string()) +
             ", with all nodes empty: the job is never admitted",
         .hint = is_required ? "request fewer or smaller pods or a wider level, or add nodes"
                             : "request fewer or smaller pods, or add nodes"});
  }

  static engine::EngineOptions Options() {
    engine::EngineOptions options;
    options.topology = true;
    return options;
  }

  const Catalog& catalog_;
  Report& report_;
  JobRequests requests_;
  engine::Engine engine_{Options()};
  workload::NodeMatchTable matches_;
};

}  // namespace

void CheckTopologyFit(const Catalog& catalog, Report& report) {
  const bool has_nodes = !catalog.All(api::Node::KindInfo()).empty() &&
                         !catalog.All(api::Topology::KindInfo()).empty();
  if (!has_nodes || !HaveSizes(catalog) ||
      !catalog.gates().IsOn(api::Gate::kTopologyAwareScheduling))
    return;
  TopologyFitChecker checker(catalog, report);
  for (const QueuedJob& job : QueuedJobs(catalog))
    if (!report.HasErrors(*job.entry) && !HoldsQuota(job)) checker.Check(job);
}

}  // namespace berth::lint

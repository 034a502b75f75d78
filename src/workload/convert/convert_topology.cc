#include "workload/convert/convert_topology.h"

#include <algorithm>
#include <map>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "quantity/resource_amount.h"
#include "workload/convert/pod_set_groups.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/requests.h"
#include "workload/status_changes.h"

namespace berth::workload {
namespace {

constexpr std::string_view kReadyCondition = "Ready";

std::vector<engine::Request> ToEngineRequests(const api::ResourceList& list,
                                              engine::Engine& names) {
  std::vector<engine::Request> requests;
  for (const auto& [resource, amount] : ToRequests(list))
    requests.push_back({names.Resource(resource), amount});
  return requests;
}

// Whole units: no pod gets a part of one.
int64_t CapacityAmount(std::string_view resource, const quantity::Quantity& quantity) {
  const int64_t rounded = quantity::RequestAmount(resource, quantity);
  const bool is_rounded_up =
      rounded > 0 && quantity < quantity::AmountFormatter().ToQuantity(resource, rounded);
  return is_rounded_up ? rounded - 1 : rounded;
}

std::vector<engine::Request> Capacity(const api::ResourceList& allocatable, engine::Engine& names) {
  std::vector<engine::Request> amounts;
  for (const auto& [resource, quantity] : allocatable)
    amounts.push_back({names.Resource(resource), CapacityAmount(resource, quantity)});
  return amounts;
}

bool HasLevel(const std::vector<std::string>& levels, std::string_view level) {
  return std::ranges::find(levels, level) != levels.end();
}

// Whether hosts are the lowest level.
bool HasHosts(const std::vector<std::string>& levels) {
  return !levels.empty() && levels.back() == api::kHostnameLabel;
}

// The kind and level of a request.
void SetLevel(const api::PodSetTopologyRequest& request, engine::PodSetTopology& out) {
  using engine::LevelChoice;
  using engine::TopologyKind;
  if (request.required || request.preferred) {
    out.kind = request.required ? TopologyKind::kRequired : TopologyKind::kPreferred;
    out.level = request.required ? *request.required : *request.preferred;
    return;
  }
  out.kind = TopologyKind::kUnconstrained;
  out.is_lowest_without_slices = request.unconstrained.value_or(false);
  if (!out.slices.empty())
    out.level_choice = LevelChoice::kHighest;
  else if (out.is_lowest_without_slices)
    out.level_choice = LevelChoice::kLowest;
}

bool IsPodOwned(const api::Workload& workload) {
  const auto& owners = workload.metadata.owner_references;
  return owners.size() == 1 && owners[0].kind == "Pod" && owners[0].api_version == "v1" &&
         !workload.metadata.annotations.Contains(api::kIsGroupWorkloadAnnotation);
}

// The requirements of the pods and of the admission checks that are ready.
engine::NodeMatchId MatchOf(const api::Workload& workload, const api::PodSet& pod_set,
                            NodeMatchTable& matches, bool& has_conflict) {
  NodeRequirements requirements = NodeRequirements::From(pod_set.template_.spec);
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state != api::kCheckReady) continue;
    for (const api::PodSetUpdate& update : check.pod_set_updates)
      if (update.name == pod_set.name && !requirements.Merge(update)) has_conflict = true;
  }
  return matches.Intern(std::move(requirements));
}

}  // namespace

// --- Topologies and nodes ------------------------------------------------------------------------

engine::TopologySpec ToEngine(const api::Topology& topology) {
  engine::TopologySpec spec{.name = topology.metadata.name, .levels = {}};
  for (const api::TopologyLevel& level : topology.spec.levels)
    spec.levels.push_back(level.node_label);
  return spec;
}

engine::TopologyFlavorSpec ToTopologyFlavor(const api::ResourceFlavor& flavor,
                                            engine::Engine& names) {
  engine::TopologyFlavorSpec spec{.flavor = names.Flavor(flavor.metadata.name),
                                  .topology = flavor.spec.topology_name.value_or(""),
                                  .node_labels = {}};
  for (const auto& [key, value] : flavor.spec.node_labels) spec.node_labels.push_back({key, value});
  return spec;
}

const api::CoreCondition* FindReady(const api::Node& node) {
  const auto ready =
      std::ranges::find(node.status.conditions, kReadyCondition, &api::CoreCondition::type);
  return ready == node.status.conditions.end() ? nullptr : &*ready;
}

const std::string& HostOf(const api::Node& node) {
  const std::string* host = node.metadata.labels.Find(api::kHostnameLabel);
  return host == nullptr ? node.metadata.name : *host;
}

engine::ClusterNodeSpec ToEngine(const api::Node& node, engine::Engine& names) {
  const api::CoreCondition* ready = FindReady(node);
  const bool is_ready = ready != nullptr && ready->status == api::kConditionTrue;
  engine::ClusterNodeSpec spec{.name = node.metadata.name,
                               .labels = {},
                               .allocatable = Capacity(node.status.allocatable, names),
                               .is_usable = !node.spec.unschedulable && is_ready};
  for (const auto& [key, value] : node.metadata.labels) spec.labels.push_back({key, value});
  std::ranges::sort(spec.labels);
  return spec;
}

bool OccupiesNode(const api::Pod& pod) {
  return !pod.spec.node_name.empty() && pod.status.phase != api::kPodSucceeded &&
         pod.status.phase != api::kPodFailed;
}

std::vector<engine::Request> NodeRequests(const api::PodSpec& pod, engine::Engine& names) {
  std::vector<engine::Request> requests = ToEngineRequests(PodRequests(pod), names);
  requests.push_back({names.Resource("pods"), 1});
  return requests;
}

// --- Requests ------------------------------------------------------------------------------------

bool HasTopologyRequest(const api::PodSet& pod_set) {
  const auto& request = pod_set.topology_request;
  return request && (request->unconstrained || request->required || request->preferred ||
                     request->pod_set_slice_required_topology || request->pod_set_slice_size ||
                     !request->podset_slice_required_topology_constraints.empty());
}

std::vector<engine::SliceLayer> SlicesOf(const api::PodSetTopologyRequest& request) {
  std::vector<engine::SliceLayer> slices;
  for (const auto& layer : request.podset_slice_required_topology_constraints)
    slices.push_back({layer.topology, layer.size});
  if (slices.empty() && request.pod_set_slice_required_topology)
    slices.push_back(
        {*request.pod_set_slice_required_topology, request.pod_set_slice_size.value_or(0)});
  return slices;
}

bool ImpliesTopology(std::span<const TopologyFlavor> flavors) {
  return !flavors.empty() && std::ranges::all_of(flavors, [](const TopologyFlavor& flavor) {
    return flavor.levels != nullptr;
  });
}

bool MatchesTopology(const api::PodSet& pod_set, bool is_implied, const TopologyFlavor& flavor) {
  if (!HasTopologyRequest(pod_set)) return is_implied || flavor.levels == nullptr;
  if (flavor.levels == nullptr) {
    // Quota alone, for resources that the pods themselves do not request.
    const api::ResourceList requests = PodRequests(pod_set.template_.spec);
    return std::ranges::none_of(*flavor.covered,
                                [&](const std::string& r) { return requests.Contains(r); });
  }
  engine::PodSetTopology request{.slices = SlicesOf(*pod_set.topology_request), .per_pod = {}};
  SetLevel(*pod_set.topology_request, request);
  const bool is_named = request.level_choice == engine::LevelChoice::kNamed;
  if (is_named && !HasLevel(*flavor.levels, request.level)) return false;
  return std::ranges::all_of(request.slices, [&](const engine::SliceLayer& layer) {
    return HasLevel(*flavor.levels, layer.level);
  });
}

std::optional<engine::WorkloadTopology> ToTopology(const api::Workload& workload,
                                                   std::span<const api::PodSet> pod_sets,
                                                   bool is_implied, NodeMatchTable& matches,
                                                   engine::Engine& names) {
  engine::WorkloadTopology topology{.pod_sets = {}, .is_single_pod = IsPodOwned(workload)};
  const std::string* elastic = workload.metadata.annotations.Find(api::kElasticJobAnnotation);
  topology.is_elastic = elastic != nullptr && *elastic == "true";
  bool is_placed = false;
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    const api::PodSet& pod_set = pod_sets[i];
    engine::PodSetTopology& request = topology.pod_sets.emplace_back();
    request.group = GroupOf(pod_sets, i);
    request.per_pod = ToEngineRequests(PodRequests(pod_set.template_.spec), names);
    if (HasTopologyRequest(pod_set)) {
      request.slices = SlicesOf(*pod_set.topology_request);
      SetLevel(*pod_set.topology_request, request);
    } else if (is_implied) {
      request.kind = engine::TopologyKind::kUnconstrained;
      request.level_choice = engine::LevelChoice::kLowest;
    }
    if (request.kind == engine::TopologyKind::kNone) continue;
    is_placed = true;
    request.match = MatchOf(workload, pod_set, matches, request.has_conflicting_updates);
  }
  if (!is_placed && !HasPlacement(workload)) return std::nullopt;
  return topology;
}

// --- Placements ----------------------------------------------------------------------------------

bool HasPlacement(const api::Workload& workload) {
  if (!workload.status.admission) return false;
  return std::ranges::any_of(
      workload.status.admission->pod_set_assignments,
      [](const api::PodSetAssignment& a) { return a.topology_assignment.has_value(); });
}

bool HasSameLeaves(const std::vector<std::string>& levels,
                   const std::vector<std::string>& topology_levels) {
  if (HasHosts(levels)) return HasHosts(topology_levels);
  return levels == topology_levels && !levels.empty();
}

bool UsesNode(const api::TopologyAssignment& assignment, std::string_view node) {
  return std::ranges::any_of(UnpackTopologyAssignment(assignment),
                             [&](const api::TopologyDomain& domain) {
                               return !domain.values.empty() && domain.values.back() == node;
                             });
}

engine::SecondPass SecondPassOf(const api::Workload& workload) {
  if (IsFinished(workload) || IsEvicted(workload) || !workload.status.admission)
    return engine::SecondPass::kNone;
  bool has_failed_node = false, is_delayed = false;
  for (const api::PodSetAssignment& a : workload.status.admission->pod_set_assignments) {
    if (a.topology_assignment)
      has_failed_node =
          has_failed_node ||
          std::ranges::any_of(workload.status.unhealthy_nodes, [&](const api::UnhealthyNode& node) {
            return UsesNode(*a.topology_assignment, node.name);
          });
    else if (a.delayed_topology_request == api::kDelayedTopologyPending)
      is_delayed = true;
  }
  if (has_failed_node && IsAdmitted(workload)) return engine::SecondPass::kFailedNode;
  const bool is_ready = is_delayed && !workload.status.admission_checks.empty() &&
                        AreChecksReady(workload) && !IsAdmitted(workload);
  return is_ready ? engine::SecondPass::kDelayedTopology : engine::SecondPass::kNone;
}

std::vector<engine::DomainPods> ToDomains(const api::TopologyAssignment& assignment, int32_t most,
                                          engine::Engine& names) {
  const bool is_host = HasHosts(assignment.levels);
  const std::vector<api::TopologyDomain> unpacked = assignment.slices.empty()
                                                        ? assignment.previous_domains
                                                        : UnpackTopologyAssignment(assignment);
  std::vector<engine::DomainPods> domains;
  std::map<engine::DomainPathId, size_t> places;  // in `domains`
  for (const api::TopologyDomain& domain : unpacked) {
    const std::span<const std::string> values = domain.values;
    const int32_t count = std::min(domain.count, most);
    if (count <= 0 || values.empty()) continue;
    most -= count;
    const engine::DomainPathId path = names.DomainPath(is_host ? values.last(1) : values);
    const auto [place, is_new] = places.try_emplace(path, domains.size());
    if (is_new) domains.push_back({path, 0});
    domains[place->second].count += count;
  }
  return domains;
}

api::TopologyAssignment ToTopologyAssignment(const engine::Engine& engine, engine::FlavorId flavor,
                                             std::span<const engine::DomainPods> domains,
                                             api::SliceCuts cuts) {
  std::vector<std::string> levels = engine.TopologyLevels(flavor);
  if (HasHosts(levels)) levels = {levels.back()};
  std::vector<api::TopologyDomain> unpacked;
  for (const engine::DomainPods& pods : domains)
    unpacked.push_back(
        {.values = engine.DomainValues(pods.path), .count = pods.count, .extra = {}});
  return api::PackTopologyAssignment(std::move(levels), unpacked, cuts);
}

}  // namespace berth::workload

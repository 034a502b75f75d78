#include "query/queue_page.h"

#include <algorithm>
#include <map>
#include <utility>

#include "query/number.h"
#include "schema/encode.h"
#include "workload/convert/convert_workload.h"

namespace berth::query {
namespace {

using engine::WorkloadId;

class QueuedMaker {
 public:
  QueuedMaker(const workload::ClusterState& cluster, const Viewer& viewer, const Page& page)
      : cluster_(cluster), viewer_(viewer), page_(page), rows_(cluster) {}

  // `is_of_queue`: whether a workload of the ClusterQueue counts.
  template <class IsOfQueue>
  QueuedWorkloads Make(engine::NodeId node, IsOfQueue is_of_queue) {
    QueuedWorkloads all;
    if (node.is_none()) return all;
    for (const WorkloadId id : cluster_.engine().WaitingIn(node))
      if (is_of_queue(id)) Add(id, all.pending_total, all.pending);
    for (const WorkloadId id : LatestFirst(node))
      if (is_of_queue(id)) Add(id, all.admitted_total, all.admitted);
    return all;
  }

 private:
  void Add(WorkloadId id, size_t& total, std::vector<WorkloadRow>& rows) {
    if (!page_.Contains(total++)) return;
    const api::Workload& workload = cluster_.WorkloadOf(id);
    if (viewer_.workloads.Contains(workload.metadata.namespace_))
      rows.push_back(rows_.RowOf(workload));
  }

  std::vector<WorkloadId> LatestFirst(engine::NodeId node) const {
    const engine::State& state = cluster_.engine().state();
    std::vector<WorkloadId> all = cluster_.engine().ReservedIn(node);
    std::ranges::sort(all, {}, [&](WorkloadId id) {
      const engine::Workload& known = state.workload(id);
      return std::pair(-known.reservation->reserved_at.micros, std::string_view(known.uid));
    });
    return all;
  }

  const workload::ClusterState& cluster_;
  const Viewer& viewer_;
  const Page& page_;
  RowMaker rows_;
};

std::vector<std::string> PathTo(const workload::ClusterState& cluster, std::string_view name) {
  std::vector<std::string> path;
  const engine::QuotaForest& forest = cluster.engine().state().forest;
  const engine::NodeId queue = cluster.engine().FindClusterQueue(name);
  if (queue.is_none() || !forest.HasTree(queue)) return path;  // a cycle has no end
  for (engine::NodeId at = forest.node(queue).parent; !at.is_none(); at = forest.node(at).parent)
    path.push_back(forest.node(at).name);
  std::ranges::reverse(path);
  return path;
}

// What the workloads of the LocalQueue hold.
template <class IsOfQueue>
std::vector<QuotaFigures> UsageOf(const workload::ClusterState& cluster, engine::NodeId node,
                                  IsOfQueue is_of_queue) {
  const engine::State& state = cluster.engine().state();
  std::map<std::pair<std::string, std::string>, QuotaFigures> sums;
  if (node.is_none()) return {};
  for (const WorkloadId id : cluster.engine().ReservedIn(node)) {
    if (!is_of_queue(id)) continue;
    for (const engine::FlavorResourceUsage& usage : state.workload(id).reservation->usage) {
      const auto& flavor = state.forest.FlavorName(state.forest.FlavorOf(usage.flavor_resource));
      const auto& resource =
          state.forest.ResourceName(state.forest.ResourceOf(usage.flavor_resource));
      QuotaFigures& sum = sums[{resource, flavor}];
      sum.flavor = flavor;
      sum.resource = resource;
      sum.used += usage.amount;
    }
  }
  std::vector<QuotaFigures> all;
  for (auto& [names, sum] : sums) all.push_back(std::move(sum));
  return all;
}

void WriteWorkloads(const QueuedWorkloads& workloads, schema::JsonWriter& w) {
  w.Member("pendingTotal", workloads.pending_total);
  WriteRows("pendingWorkloads", workloads.pending, w);
  w.Member("admittedTotal", workloads.admitted_total);
  WriteRows("admittedWorkloads", workloads.admitted, w);
}

void WritePolicies(const api::ClusterQueueSpec& spec, schema::JsonWriter& w) {
  w.Member("queueingStrategy", spec.queueing_strategy.value_or(std::string(api::kBestEffortFifo)));
  w.Key("preemption").Raw(spec.preemption ? schema::Encode(*spec.preemption) : "{}");
  w.Key("flavorFungibility")
      .Raw(spec.flavor_fungibility ? schema::Encode(*spec.flavor_fungibility) : "{}");
}

}  // namespace

std::optional<ClusterQueuePage> MakeClusterQueuePage(const workload::ClusterState& cluster,
                                                     std::string_view name, const Viewer& viewer,
                                                     const Page& page, base::Time now) {
  if (!viewer.sees_cluster_queues) return std::nullopt;
  std::optional<TreeNode> node = MakeClusterQueueNode(cluster, name, viewer, now);
  if (!node) return std::nullopt;
  const api::ClusterQueue& queue = *cluster.FindClusterQueue(name);
  return ClusterQueuePage{.node = *std::move(node),
                          .cohort = queue.spec.cohort_name.value_or(""),
                          .path = PathTo(cluster, name),
                          .spec = queue.spec,
                          .workloads = QueuedMaker(cluster, viewer, page)
                                           .Make(cluster.engine().FindClusterQueue(name),
                                                 [](WorkloadId) { return true; })};
}

std::optional<LocalQueuePage> MakeLocalQueuePage(const workload::ClusterState& cluster,
                                                 std::string_view namespaced_name,
                                                 const Viewer& viewer, const Page& page,
                                                 base::Time now) {
  const api::LocalQueue* queue = cluster.FindLocalQueue(namespaced_name);
  if (queue == nullptr || !viewer.local_queues.Contains(queue->metadata.namespace_))
    return std::nullopt;
  const engine::State& state = cluster.engine().state();
  const engine::NodeId node =
      cluster.engine().FindClusterQueue(queue->spec.cluster_queue.value_or(""));
  LocalQueuePage made{.node = MakeLocalQueueNode(cluster, *queue, WorkloadCounts(cluster), now)};
  const auto is_of_queue = [&](WorkloadId id) {
    const engine::LocalQueueId local = state.workload(id).local_queue;
    return !local.is_none() && cluster.engine().LocalQueueName(local) == namespaced_name;
  };
  made.quotas = UsageOf(cluster, node, is_of_queue);
  made.workloads = QueuedMaker(cluster, viewer, page).Make(node, is_of_queue);
  return made;
}

std::string ToJson(const ClusterQueuePage& page, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision);
  WriteMembers(page.node, w);
  WriteText(w, "cohort", page.cohort);
  WritePolicies(page.spec, w);
  w.Key("path").BeginArray();
  for (const std::string& cohort : page.path) w.Value(cohort);
  w.EndArray();
  WriteWorkloads(page.workloads, w);
  w.EndObject();
  return w.Take();
}

std::string ToJson(const LocalQueuePage& page, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision);
  WriteMembers(page.node, w);
  w.Key("quotas").BeginArray();
  for (const QuotaFigures& figures : page.quotas) {
    w.BeginObject().Member("flavor", figures.flavor).Member("resource", figures.resource);
    WriteAmount(w, "used", figures.resource, figures.used);
    w.EndObject();
  }
  w.EndArray();
  WriteWorkloads(page.workloads, w);
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query

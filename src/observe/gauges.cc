#include "observe/gauges.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "engine/quota/fair_share.h"
#include "observe/gauge_counts.h"
#include "observe/labeler.h"
#include "quantity/resource_amount.h"
#include "workload/constraint_message.h"
#include "workload/convert/convert_workload.h"

namespace berth::observe {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr engine::AdmissionConstraints kAllConstraints = {.cannot_preempt = true,
                                                          .cannot_borrow = true};

// In base units: cores, bytes.
double InUnits(std::string_view resource, int64_t amount) {
  return static_cast<double>(amount) / (quantity::CountsInMilli(resource) ? 1000 : 1);
}

template <class Key>
int64_t CountAt(const std::map<Key, int64_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

int64_t SumOf(const GaugeCounts::ByWorkloadLabels& counts) {
  int64_t sum = 0;
  for (const auto& [labels, count] : counts) sum += count;
  return sum;
}

const GaugeCounts& CountsOf(const std::map<std::string, GaugeCounts, std::less<>>& counts,
                            std::string_view name) {
  static const GaugeCounts kNone;
  const auto found = counts.find(name);
  return found == counts.end() ? kNone : found->second;
}

class GaugeWriter {
 public:
  GaugeWriter(const workload::ClusterState& cluster, const MetricOptions& options)
      : cluster_(cluster),
        options_(options),
        forest_(cluster.engine().state().forest),
        counts_(GaugeCountsTable::Of(cluster, options)),
        out_(options) {}

  std::vector<Sample> Run() {
    cluster_.ForEachClusterQueue(
        [this](const api::ClusterQueue& queue, engine::NodeId node) { WriteQueue(queue, node); });
    // Also for missing queues, whose workloads can never be admitted.
    for (const auto& [name, counts] : counts_.cluster_queues) WriteUnadmitted(name, counts);
    cluster_.ForEachLocalQueue([this](const api::LocalQueue& queue) {
      if (options_.IsExposed(queue.metadata.labels)) WriteLocal(queue);
    });
    for (size_t i = 0; i < forest_.node_count(); ++i)
      WriteCohort(engine::NodeId(static_cast<uint32_t>(i)));
    return out_.Take();
  }

 private:
  using Node = engine::QuotaForest::Node;

  // --- ClusterQueues ----------------------------------------------------------------------------

  void WriteQueue(const api::ClusterQueue& queue, engine::NodeId node) {
    const std::string& name = queue.metadata.name;
    const GaugeCounts& counts = CountsOf(counts_.cluster_queues, name);
    const LabelObjects objects{.cluster_queue = &queue.metadata};
    const bool is_active = cluster_.InactiveReason(name).empty();
    WritePending(name, counts, is_active, objects);
    out_.Add(Metric::kFinished, {name}, static_cast<double>(counts.finished), objects);
    out_.Add(Metric::kReserving, {name}, static_cast<double>(counts.reserving), objects);
    WriteByLabels(Metric::kAdmitted, {name}, counts.admitted, objects);
    const std::string_view status = queue.metadata.deletion_timestamp ? "terminating"
                                    : is_active                       ? "active"
                                                                      : "pending";
    for (const std::string_view each : {"pending", "active", "terminating"})
      out_.Add(Metric::kQueueStatus, {name, each}, each == status, objects);
    for (const std::string_view constraint : workload::ConstraintNames(kAllConstraints)) {
      const auto found = counts.constrained.find(constraint);
      out_.Add(Metric::kConstrained, {name, constraint},
               found == counts.constrained.end() ? 0 : static_cast<double>(found->second), objects);
    }
    if (node.is_none()) return;
    WriteQueueInfo(name, node, objects);
    WriteQuotas(queue, node, counts, objects);
    WriteQueueShare(name, node, objects);
  }

  void WritePending(const std::string& name, const GaugeCounts& counts, bool is_active,
                    const LabelObjects& objects) {
    GaugeCounts::ByWorkloadLabels active = counts.active, inadmissible = counts.inadmissible;
    std::set<engine::EquivalenceKey> shapes = counts.inadmissible_shapes;
    if (!is_active) {  // an inactive queue admits nothing
      for (const auto& [labels, count] : std::exchange(active, {})) inadmissible[labels] += count;
      shapes.insert(counts.active_shapes.begin(), counts.active_shapes.end());
    }
    WriteByLabels(Metric::kPending, {name, "active"}, active, objects);
    WriteByLabels(Metric::kPending, {name, "inadmissible"}, inadmissible, objects);
    out_.Add(Metric::kPendingHashes, {name, "active"},
             is_active ? static_cast<double>(counts.active_shapes.size()) : 0, objects);
    out_.Add(Metric::kPendingHashes, {name, "inadmissible"}, static_cast<double>(shapes.size()),
             objects);
  }

  // One sample, or one for each combination of workload labels.
  void WriteByLabels(Metric metric, std::initializer_list<std::string_view> labels,
                     const GaugeCounts::ByWorkloadLabels& counts, LabelObjects objects) {
    if (!options_.HasCustom(LabelSource::kWorkload))
      return out_.Add(metric, labels, static_cast<double>(SumOf(counts)), objects);
    for (const auto& [values, count] : counts) {
      objects.workload_values = &values;
      out_.Add(metric, labels, static_cast<double>(count), objects);
    }
  }

  std::string_view ParentOf(engine::NodeId node) const {
    const engine::NodeId parent = forest_.node(node).parent;
    return parent.is_none() ? std::string_view() : forest_.node(parent).name;
  }

  void WriteQueueInfo(const std::string& name, engine::NodeId node, const LabelObjects& objects) {
    const std::string_view parent = ParentOf(node);
    const bool has_root = !parent.empty() && forest_.HasTree(node);
    out_.Add(
        Metric::kQueueInfo,
        {name, parent, has_root ? std::string_view(forest_.node(forest_.RootOf(node)).name) : ""},
        1, objects);
  }

  static double LimitOf(const std::string& resource,
                        const std::optional<quantity::Quantity>& limit) {
    return limit ? InUnits(resource, quantity::RequestAmount(resource, *limit)) : kInfinite;
  }

  engine::FlavorResourceId FlavorResourceOf(engine::NodeId node, std::string_view flavor,
                                            std::string_view resource) const {
    if (!forest_.HasTree(node)) return engine::FlavorResourceId::None();
    for (const engine::FlavorResourceId pair : forest_.TreeOf(node).flavor_resources)
      if (forest_.FlavorName(forest_.FlavorOf(pair)) == flavor &&
          forest_.ResourceName(forest_.ResourceOf(pair)) == resource)
        return pair;
    return engine::FlavorResourceId::None();
  }

  void WriteQuotas(const api::ClusterQueue& queue, engine::NodeId node, const GaugeCounts& counts,
                   const LabelObjects& objects) {
    if (!options_.IsOn(Metric::kQueueNominal)) return;
    const std::string_view cohort = ParentOf(node);
    const std::string& name = queue.metadata.name;
    std::map<std::string, int64_t> pending;
    for (const auto& [resource, amount] : counts.pending_requests)
      pending.emplace(forest_.ResourceName(resource), amount);
    for (const api::ResourceGroup& group : queue.spec.resource_groups)
      for (const api::FlavorQuotas& flavor : group.flavors)
        for (const api::ResourceQuota& quota : flavor.resources) {
          const auto add = [&](Metric metric, double value) {
            out_.Add(metric, {cohort, name, flavor.name, quota.name}, value, objects);
          };
          const engine::FlavorResourceId pair = FlavorResourceOf(node, flavor.name, quota.name);
          add(Metric::kQueueNominal, LimitOf(quota.name, quota.nominal_quota));
          add(Metric::kQueueBorrowingLimit, LimitOf(quota.name, quota.borrowing_limit));
          add(Metric::kQueueLendingLimit, LimitOf(quota.name, quota.lending_limit));
          add(Metric::kQueueReservation, InUnits(quota.name, CountAt(counts.reserved, pair)));
          add(Metric::kQueueUsage, InUnits(quota.name, CountAt(counts.used, pair)));
          pending.try_emplace(quota.name, 0);
        }
    for (const auto& [resource, amount] : pending)
      out_.Add(Metric::kQueuePending, {name, resource}, InUnits(resource, amount), objects);
  }

  void WriteQueueShare(const std::string& name, engine::NodeId node, const LabelObjects& objects) {
    if (!options_.IsOn(Metric::kQueueShare) || !forest_.HasTree(node)) return;
    const double share = engine::ShareOf(forest_, node).Weighted();
    out_.Add(Metric::kQueueShare, {name, ParentOf(node)}, std::isinf(share) ? std::nan("") : share,
             objects);
  }

  void WriteUnadmitted(const std::string& name, const GaugeCounts& counts) {
    for (const auto& [reasons, count] : counts.unadmitted)
      out_.Add(Metric::kUnadmitted, {name, reasons.first, reasons.second},
               static_cast<double>(count), {.cluster_queue = QueueMeta(cluster_, name)});
  }

  // --- LocalQueues ------------------------------------------------------------------------------

  void WriteLocal(const api::LocalQueue& queue) {
    const std::string &name = queue.metadata.name, &space = queue.metadata.namespace_;
    const std::string target = queue.spec.cluster_queue.value_or("");
    const GaugeCounts& counts =
        CountsOf(counts_.local_queues, workload::NamespacedName(space, name));
    const LabelObjects objects{.local_queue = &queue.metadata};
    const bool is_active = cluster_.InactiveReason(target).empty();
    const int64_t active = SumOf(counts.active), inadmissible = SumOf(counts.inadmissible);
    out_.Add(Metric::kLocalPending, {name, space, "active"},
             static_cast<double>(is_active ? active : 0), objects);
    out_.Add(Metric::kLocalPending, {name, space, "inadmissible"},
             static_cast<double>(is_active ? inadmissible : inadmissible + active), objects);
    out_.Add(Metric::kLocalFinished, {name, space}, static_cast<double>(counts.finished), objects);
    out_.Add(Metric::kLocalReserving, {name, space}, static_cast<double>(counts.reserving),
             objects);
    WriteByLabels(Metric::kLocalAdmitted, {name, space}, counts.admitted, objects);
    for (const auto& [reasons, count] : counts.unadmitted)
      out_.Add(Metric::kLocalUnadmitted, {name, space, target, reasons.first, reasons.second},
               static_cast<double>(count), objects);
    WriteLocalStatus(queue, objects);
    WriteLocalUsage(queue, target, counts, objects);
    WriteFairUsage(queue, target, objects);
  }

  void WriteLocalStatus(const api::LocalQueue& queue, const LabelObjects& objects) {
    const api::Condition* active =
        api::FindCondition(queue.status.conditions, api::condition::kActive);
    if (active == nullptr) return;
    for (const std::string_view each : {"True", "False", "Unknown"})
      out_.Add(Metric::kLocalStatus, {queue.metadata.name, queue.metadata.namespace_, each},
               each == active->status, objects);
  }

  void WriteLocalUsage(const api::LocalQueue& queue, const std::string& target,
                       const GaugeCounts& counts, const LabelObjects& objects) {
    const api::ClusterQueue* cluster_queue = cluster_.FindClusterQueue(target);
    const engine::NodeId node = forest_.FindQueue(target);
    if (cluster_queue == nullptr || node.is_none()) return;
    for (const api::ResourceGroup& group : cluster_queue->spec.resource_groups)
      for (const api::FlavorQuotas& flavor : group.flavors)
        for (const api::ResourceQuota& quota : flavor.resources) {
          const engine::FlavorResourceId pair = FlavorResourceOf(node, flavor.name, quota.name);
          const auto add = [&](Metric metric, int64_t amount) {
            out_.Add(metric,
                     {queue.metadata.name, queue.metadata.namespace_, flavor.name, quota.name},
                     InUnits(quota.name, amount), objects);
          };
          add(Metric::kLocalReservation, CountAt(counts.reserved, pair));
          add(Metric::kLocalUsage, CountAt(counts.used, pair));
        }
  }

  void WriteFairUsage(const api::LocalQueue& queue, const std::string& target,
                      const LabelObjects& objects) {
    if (!options_.IsOn(Metric::kLocalFairUsage) || !queue.status.fair_sharing ||
        !queue.status.fair_sharing->admission_fair_sharing_status)
      return;
    const auto& status = *queue.status.fair_sharing->admission_fair_sharing_status;
    double usage = 0;
    for (const auto& [resource, consumed] : status.consumed_resources)
      usage += options_.WeightOf(resource) * consumed.ToDouble();
    const double weight = queue.spec.fair_sharing && queue.spec.fair_sharing->weight
                              ? queue.spec.fair_sharing->weight->ToDouble()
                              : 1;
    out_.Add(Metric::kLocalFairUsage, {queue.metadata.name, queue.metadata.namespace_, target},
             weight <= 0 ? kInfinite : usage / weight, objects);
  }

  // --- Cohorts ----------------------------------------------------------------------------------

  // Includes cohorts that are only referred to.
  void WriteCohort(engine::NodeId id) {
    const Node& node = forest_.node(id);
    const bool is_there = node.exists || !node.child_cohorts.empty() || !node.child_queues.empty();
    if (node.is_queue || !is_there || !forest_.HasTree(id)) return;
    const LabelObjects objects{.cohort = CohortMeta(cluster_, node.name)};
    out_.Add(Metric::kCohortInfo, {node.name, ParentOf(id), forest_.node(forest_.RootOf(id)).name},
             1, objects);
    if (node.exists && options_.IsOn(Metric::kCohortShare))
      out_.Add(Metric::kCohortShare, {node.name}, engine::ShareOf(forest_, id).Weighted(), objects);
    std::vector<engine::NodeId> queues;
    CollectQueues(id, queues);
    WriteCohortResources(id, queues, objects);
    WriteCohortAdmitted(node.name, queues);
  }

  void CollectQueues(engine::NodeId id, std::vector<engine::NodeId>& queues) const {
    const Node& node = forest_.node(id);
    queues.insert(queues.end(), node.child_queues.begin(), node.child_queues.end());
    for (const engine::NodeId child : node.child_cohorts) CollectQueues(child, queues);
  }

  void WriteCohortResources(engine::NodeId id, const std::vector<engine::NodeId>& queues,
                            const LabelObjects& objects) {
    const engine::QuotaForest::Tree& tree = forest_.TreeOf(id);
    for (engine::ColumnIndex column = 0; column < tree.flavor_resources.size(); ++column) {
      const std::string& flavor =
          forest_.FlavorName(forest_.FlavorOf(tree.flavor_resources[column]));
      const std::string& resource = forest_.ResourceName(tree.resources[column]);
      const engine::Amount quota = forest_.cell(id, column).subtree_quota;
      engine::Amount usage;
      for (const engine::NodeId queue : queues) usage += forest_.cell(queue, column).usage;
      const auto add = [&](Metric metric, engine::Amount amount) {
        if (amount > engine::Amount(0))
          out_.Add(metric, {forest_.node(id).name, flavor, resource},
                   amount.is_unlimited() ? kInfinite : InUnits(resource, amount.value()), objects);
      };
      add(Metric::kCohortQuota, quota);
      add(Metric::kCohortReservation, usage);
    }
  }

  // Custom labels are those of the queues: one sample for each combination.
  void WriteCohortAdmitted(const std::string& cohort, const std::vector<engine::NodeId>& queues) {
    int64_t admitted = 0;
    std::map<std::vector<std::string>, const api::ObjectMeta*> by_labels;
    for (const engine::NodeId queue : queues) {
      const std::string& name = forest_.node(queue).name;
      admitted += SumOf(CountsOf(counts_.cluster_queues, name).admitted);
      std::vector<std::string> labels;
      const api::ObjectMeta* metadata = QueueMeta(cluster_, name);
      options_.AppendCustom(LabelSource::kClusterQueue, metadata, labels);
      by_labels[labels] = metadata;
    }
    for (const auto& [labels, metadata] : by_labels)
      out_.Add(Metric::kCohortAdmitted, {cohort}, static_cast<double>(admitted),
               {.cluster_queue = metadata});
  }

  const workload::ClusterState& cluster_;
  const MetricOptions& options_;
  const engine::QuotaForest& forest_;
  const GaugeCountsTable counts_;
  Labeler out_;
};

}  // namespace

std::vector<Sample> GaugesOf(const workload::ClusterState& cluster, const MetricOptions& options) {
  return GaugeWriter(cluster, options).Run();
}

}  // namespace berth::observe

#include "observe/gauge_counts.h"

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/constraint_message.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

void AddAmount(int64_t& sum, int64_t amount) { sum = quantity::SaturatingAdd(sum, amount); }

namespace condition = api::condition;
namespace reason = api::reason;

const api::Condition* ConditionOf(const api::Workload& w, std::string_view type) {
  return api::FindCondition(w.status.conditions, type);
}

// Missing conditions have the reason that would be written.
GaugeCounts::Reasons WhyUnadmitted(const api::Workload& w) {
  const api::Condition* admitted = ConditionOf(w, condition::kAdmitted);
  const api::Condition* quota = ConditionOf(w, condition::kQuotaReserved);
  const bool has_quota = quota != nullptr && quota->status == api::kConditionTrue;
  return {admitted == nullptr ? std::string(reason::kNoReservation) : admitted->reason,
          has_quota          ? ""
          : quota == nullptr ? std::string(reason::kPendingEvaluation)
                             : quota->reason};
}

bool IsUnadmitted(const api::Workload& w) {
  return !workload::IsAdmitted(w) && !workload::IsFinished(w) && !w.metadata.deletion_timestamp;
}

class GaugeCounter {
 public:
  GaugeCounter(const workload::ClusterState& cluster, const MetricOptions& options)
      : cluster_(cluster), engine_(cluster.engine()), state_(engine_.state()), options_(options) {}

  GaugeCountsTable Run() {
    cluster_.ForEachWorkload([this](const api::Workload& w) { Visit(w); });
    return std::move(counts_);
  }

 private:
  void Visit(const api::Workload& w) {
    const std::string local_name =
        workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or(""));
    const api::LocalQueue* local = cluster_.FindLocalQueue(local_name);
    const bool is_exposed = local != nullptr && options_.IsExposed(local->metadata.labels);
    GaugeCounts* of_local = is_exposed ? &counts_.local_queues[local_name] : nullptr;
    const std::string target = local == nullptr ? "" : local->spec.cluster_queue.value_or("");
    if (workload::IsFinished(w)) return CountFinished(target, of_local);
    if (IsUnadmitted(w)) CountUnadmitted(w, target, of_local);
    const engine::WorkloadId id = engine_.FindWorkload(w.metadata.uid);
    if (id.is_none()) return;
    labels_.clear();
    options_.AppendCustom(LabelSource::kWorkload, &w.metadata, labels_);
    CountKnown(w, id, counts_.cluster_queues[engine_.ClusterQueueName(engine_.ClusterQueueOf(id))]);
    if (of_local != nullptr) CountKnown(w, id, *of_local);
  }

  void CountFinished(const std::string& target, GaugeCounts* of_local) {
    if (of_local != nullptr) ++of_local->finished;
    if (cluster_.FindClusterQueue(target) != nullptr) ++counts_.cluster_queues[target].finished;
  }

  void CountUnadmitted(const api::Workload& w, const std::string& target, GaugeCounts* of_local) {
    const std::string& queue = w.status.admission ? w.status.admission->cluster_queue : target;
    if (queue.empty() || !options_.IsOn(Metric::kUnadmitted)) return;
    const GaugeCounts::Reasons reasons = WhyUnadmitted(w);
    ++counts_.cluster_queues[queue].unadmitted[reasons];
    if (of_local != nullptr) ++of_local->unadmitted[reasons];
  }

  void CountKnown(const api::Workload& w, engine::WorkloadId id, GaugeCounts& counts) {
    const engine::Workload& known = state_.workload(id);
    if (known.reservation == nullptr) return CountWaiting(w, id, known, counts);
    const bool is_admitted = workload::IsAdmitted(w);
    ++counts.reserving;
    if (is_admitted) ++counts.admitted[labels_];
    for (const engine::FlavorResourceUsage& usage : known.reservation->usage) {
      AddAmount(counts.reserved[usage.flavor_resource], usage.amount);
      if (is_admitted) AddAmount(counts.used[usage.flavor_resource], usage.amount);
    }
  }

  void CountWaiting(const api::Workload& w, engine::WorkloadId id, const engine::Workload& known,
                    GaugeCounts& counts) {
    const bool is_active = engine_.IsActive(id);
    ++(is_active ? counts.active : counts.inadmissible)[labels_];
    const engine::ShapeView shape = state_.shape(known.shape);
    if (options_.IsOn(Metric::kPendingHashes) && shape.key != engine::EquivalenceKey{})
      (is_active ? counts.active_shapes : counts.inadmissible_shapes).insert(shape.key);
    if (options_.IsOn(Metric::kQueuePending))
      for (const auto& pod_set : shape.pod_sets)
        for (const engine::Request& request : pod_set.requests)
          AddAmount(counts.pending_requests[request.resource], request.amount);
    const api::Condition* quota = ConditionOf(w, condition::kQuotaReserved);
    if (quota != nullptr && quota->reason == reason::kAdmissionConstrained)
      for (const std::string_view name : workload::ConstraintsIn(quota->message))
        ++counts.constrained[std::string(name)];
  }

  const workload::ClusterState& cluster_;
  const engine::Engine& engine_;
  const engine::State& state_;
  const MetricOptions& options_;
  std::vector<std::string> labels_;  // of the current workload
  GaugeCountsTable counts_;
};

}  // namespace

GaugeCountsTable GaugeCountsTable::Of(const workload::ClusterState& cluster,
                                      const MetricOptions& options) {
  return GaugeCounter(cluster, options).Run();
}

}  // namespace berth::observe

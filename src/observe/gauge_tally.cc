#include "observe/gauge_tally.h"

#include "api/conditions.h"
#include "api/well_known.h"
#include "workload/constraint_message.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;

const api::Condition* ConditionOf(const api::Workload& w, std::string_view type) {
  return api::FindCondition(w.status.conditions, type);
}

// Of what nothing is said yet, what would be said.
GaugeTally::Reasons WhyUnadmitted(const api::Workload& w) {
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
  GaugeCounter(const workload::EngineFeed& feed, const MetricOptions& options)
      : feed_(feed), engine_(feed.engine()), state_(engine_.state()), options_(options) {}

  GaugeTallies Run() {
    feed_.ForEachWorkload([this](const api::Workload& w) { Visit(w); });
    return std::move(tallies_);
  }

 private:
  void Visit(const api::Workload& w) {
    const std::string local_name =
        workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or(""));
    const api::LocalQueue* local = feed_.FindLocalQueue(local_name);
    const bool is_exposed = local != nullptr && options_.IsExposed(local->metadata.labels);
    GaugeTally* of_local = is_exposed ? &tallies_.local_queues[local_name] : nullptr;
    const std::string target = local == nullptr ? "" : local->spec.cluster_queue.value_or("");
    if (workload::IsFinished(w)) return CountFinished(target, of_local);
    if (IsUnadmitted(w)) CountUnadmitted(w, target, of_local);
    const engine::WorkloadId id = engine_.FindWorkload(w.metadata.uid);
    if (id.is_none()) return;
    labels_.clear();
    options_.AppendCustom(LabelSource::kWorkload, &w.metadata, labels_);
    CountKnown(w, id,
               tallies_.cluster_queues[engine_.ClusterQueueName(engine_.ClusterQueueOf(id))]);
    if (of_local != nullptr) CountKnown(w, id, *of_local);
  }

  void CountFinished(const std::string& target, GaugeTally* of_local) {
    if (of_local != nullptr) ++of_local->finished;
    if (feed_.FindClusterQueue(target) != nullptr) ++tallies_.cluster_queues[target].finished;
  }

  void CountUnadmitted(const api::Workload& w, const std::string& target, GaugeTally* of_local) {
    const std::string& queue = w.status.admission ? w.status.admission->cluster_queue : target;
    if (queue.empty() || !options_.IsOn(Metric::kUnadmitted)) return;
    const GaugeTally::Reasons reasons = WhyUnadmitted(w);
    ++tallies_.cluster_queues[queue].unadmitted[reasons];
    if (of_local != nullptr) ++of_local->unadmitted[reasons];
  }

  void CountKnown(const api::Workload& w, engine::WorkloadId id, GaugeTally& tally) {
    const engine::Workload& known = state_.workload(id);
    if (known.reservation == nullptr) return CountWaiting(w, id, known, tally);
    const bool is_admitted = workload::IsAdmitted(w);
    ++tally.reserving;
    if (is_admitted) ++tally.admitted[labels_];
    for (const engine::PairUsage& usage : known.reservation->usage) {
      tally.reserved[usage.pair] += usage.amount;
      if (is_admitted) tally.used[usage.pair] += usage.amount;
    }
  }

  void CountWaiting(const api::Workload& w, engine::WorkloadId id, const engine::Workload& known,
                    GaugeTally& tally) {
    const bool is_active = engine_.IsActive(id);
    ++(is_active ? tally.active : tally.inadmissible)[labels_];
    const engine::ShapeView shape = state_.shape(known.shape);
    if (options_.IsOn(Metric::kPendingHashes) && shape.key != engine::EquivalenceKey{})
      (is_active ? tally.active_shapes : tally.inadmissible_shapes).insert(shape.key);
    if (options_.IsOn(Metric::kQueuePending))
      for (const auto& pod_set : shape.pod_sets)
        for (const engine::Request& request : pod_set.requests)
          tally.pending_requests[request.resource] += request.amount;
    const api::Condition* quota = ConditionOf(w, condition::kQuotaReserved);
    if (quota != nullptr && quota->reason == reason::kAdmissionConstrained)
      for (const std::string_view name : workload::ConstraintNames(known.constraints))
        ++tally.constrained[std::string(name)];
  }

  const workload::EngineFeed& feed_;
  const engine::Engine& engine_;
  const engine::State& state_;
  const MetricOptions& options_;
  std::vector<std::string> labels_;  // of the workload at hand
  GaugeTallies tallies_;
};

}  // namespace

GaugeTallies GaugeTallies::Of(const workload::EngineFeed& feed, const MetricOptions& options) {
  return GaugeCounter(feed, options).Run();
}

}  // namespace berth::observe

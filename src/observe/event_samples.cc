#include "observe/event_samples.h"

#include <algorithm>
#include <variant>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/scheduler.h"
#include "observe/labeler.h"
#include "workload/constraint_message.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;
using api::SchedulingStatsEviction;

// Clamped, since clocks of machines differ.
double SecondsBetween(base::Time from, base::Time to) {
  return std::max(0.0, (to - from).seconds());
}

base::Time TimeOf(const api::Condition& condition) {
  return condition.last_transition_time.value_or(base::Time());
}

const api::Condition* TrueCondition(const api::Workload& w, std::string_view type) {
  const api::Condition* found = api::FindCondition(w.status.conditions, type);
  return found != nullptr && found->status == api::kConditionTrue ? found : nullptr;
}

std::string_view PriorityOf(const api::Workload& w) {
  return w.spec.priority_class_ref ? std::string_view(w.spec.priority_class_ref->name) : "";
}

const SchedulingStatsEviction* FindEviction(const api::Workload& w,
                                            const SchedulingStatsEviction& like) {
  if (!w.status.scheduling_stats) return nullptr;
  for (const SchedulingStatsEviction& e : w.status.scheduling_stats->evictions)
    if (e.reason == like.reason && e.underlying_cause == like.underlying_cause) return &e;
  return nullptr;
}

// The constraints that the workload waits for.
std::vector<std::string_view> BlockingConstraintsOf(const api::Workload& w) {
  const api::Condition* quota = api::FindCondition(w.status.conditions, condition::kQuotaReserved);
  if (quota == nullptr || quota->reason != reason::kAdmissionConstrained) return {};
  return workload::ConstraintsIn(quota->message);
}

class FactReader {
 public:
  FactReader(const workload::ClusterState& cluster, const MetricOptions& options)
      : cluster_(cluster), options_(options), out_(options) {}

  std::vector<Sample> Take() { return out_.Take(); }

  void operator()(const control::CycleCompleted& cycle) {
    const std::string_view result = cycle.has_admitted ? "success" : "inadmissible";
    out_.Add(Metric::kAdmissionAttempts, {result}, 1, {});
    out_.Add(Metric::kAdmissionAttemptDuration, {result}, cycle.took.seconds(), {});
    out_.Add(Metric::kCycleDuration, {}, cycle.took.seconds(), {});
    for (const auto& [queue, count] : cycle.skipped_preemptions)
      out_.Add(Metric::kPreemptionSkips, {queue}, count, OfQueue(queue));
    for (const auto& recomputation : cycle.recomputations)
      out_.Add(Metric::kPreemptionRecomputations,
               {recomputation.cluster_queue, ResultOf(recomputation.outcome)}, 1,
               OfQueue(recomputation.cluster_queue));
  }

  void operator()(const control::WorkloadTransition& step) {
    before_ = step.before;
    after_ = step.after;
    now_ = step.now;
    const api::LocalQueue* local = cluster_.FindLocalQueue(workload::NamespacedName(
        after_->metadata.namespace_, after_->spec.queue_name.value_or("")));
    local_ = local != nullptr && options_.IsExposed(local->metadata.labels) ? local : nullptr;
    if (step.is_ours) {
      CountReservation();
      CountAdmission();
      CountEvictions();
      CountReadiness();
      CountConstraint();
      if (step.decision != nullptr) CountDecision(*step.decision);
    }
    CountEnd();
    CountRelease();
  }

  void operator()(const control::WorkloadCreated& created) {
    // A job that changed may have been without a queue for a while.
    if (created.job_generation > 1) return;
    const api::ObjectMeta& metadata = created.workload->metadata;
    const api::LocalQueue* local = cluster_.FindLocalQueue(workload::NamespacedName(
        metadata.namespace_, created.workload->spec.queue_name.value_or("")));
    out_.Add(Metric::kCreationLatency, {created.job_kind},
             SecondsBetween(created.job_created_at,
                            metadata.creation_timestamp.value_or(created.job_created_at)),
             {.local_queue = local == nullptr ? nullptr : &local->metadata});
  }

  void operator()(const control::PodReleased& released) {
    const api::Condition* admitted = TrueCondition(*released.workload, condition::kAdmitted);
    if (admitted == nullptr || !released.workload->status.admission) return;
    const std::string& queue = released.workload->status.admission->cluster_queue;
    out_.Add(Metric::kGateRemoval, {released.gate, queue, released.is_of_group ? "true" : "false"},
             SecondsBetween(TimeOf(*admitted), released.now), OfQueue(queue));
  }

  void operator()(const control::QueueGone&) {}

 private:
  static std::string_view ResultOf(engine::Outcome outcome) {
    switch (outcome) {
      case engine::Outcome::kDeferred:
        return "deferred_fit";
      case engine::Outcome::kPreempting:
      case engine::Outcome::kPreemptionGated:
        return "new_targets";
      default:
        return "skipped";
    }
  }

  LabelObjects OfQueue(std::string_view cluster_queue) const {
    return {.cluster_queue = QueueMeta(cluster_, cluster_queue)};
  }

  // "" without an admission.
  static std::string_view QueueOf(const api::Workload& w) {
    return w.status.admission ? std::string_view(w.status.admission->cluster_queue) : "";
  }

  void AddOfQueue(Metric metric, std::initializer_list<std::string_view> labels, double value) {
    out_.Add(metric, labels, value, OfQueue(*labels.begin()));
  }

  // A no-op if the LocalQueue is not exposed.
  void AddOfLocal(Metric metric, std::initializer_list<std::string_view> further, double value) {
    if (local_ == nullptr) return;
    const std::string_view name = local_->metadata.name, space = local_->metadata.namespace_;
    const LabelObjects objects{.local_queue = &local_->metadata, .workload = &after_->metadata};
    const std::string_view* rest = further.begin();
    if (further.size() == 1) return out_.Add(metric, {name, space, rest[0]}, value, objects);
    out_.Add(metric, {name, space, rest[0], rest[1], rest[2]}, value, objects);
  }

  void AddOfBoth(Metric of_queue, Metric of_local, std::string_view queue, double value) {
    const std::string_view priority = PriorityOf(*after_);
    AddOfQueue(of_queue, {queue, priority}, value);
    AddOfLocal(of_local, {priority}, value);
  }

  void CountReservation() {
    if (workload::HasReservation(*before_) || !workload::HasReservation(*after_)) return;
    const std::string_view queue = QueueOf(*after_);
    AddOfBoth(Metric::kReservedTotal, Metric::kLocalReservedTotal, queue, 1);
    AddOfBoth(Metric::kReservedWait, Metric::kLocalReservedWait, queue,
              SecondsBetween(workload::QueuedSince(*after_), now_));
  }

  void CountAdmission() {
    if (workload::IsAdmitted(*before_) || !workload::IsAdmitted(*after_)) return;
    const std::string_view queue = QueueOf(*after_);
    AddOfBoth(Metric::kAdmittedTotal, Metric::kLocalAdmittedTotal, queue, 1);
    AddOfBoth(Metric::kAdmissionWait, Metric::kLocalAdmissionWait, queue,
              SecondsBetween(workload::QueuedSince(*after_), now_));
    const bool is_at_once = !workload::HasReservation(*before_);
    const api::Condition* quota = TrueCondition(*after_, condition::kQuotaReserved);
    if (!is_at_once || !after_->status.admission_checks.empty())
      AddOfBoth(Metric::kChecksWait, Metric::kLocalChecksWait, queue,
                is_at_once || quota == nullptr ? 0 : SecondsBetween(TimeOf(*quota), now_));
    CountAdmissionInCohorts(queue);
  }

  void CountAdmissionInCohorts(std::string_view queue) {
    const engine::QuotaForest& forest = cluster_.engine().state().forest;
    const engine::NodeId node = forest.FindQueue(queue);
    if (node.is_none() || !forest.HasTree(node)) return;
    for (engine::NodeId up = forest.node(node).parent; !up.is_none(); up = forest.node(up).parent) {
      const std::string& cohort = forest.node(up).name;
      out_.Add(Metric::kCohortAdmittedTotal, {cohort, PriorityOf(*after_)}, 1,
               {.cohort = CohortMeta(cluster_, cohort)});
    }
  }

  void CountEvictions() {
    if (!after_->status.scheduling_stats || !before_->status.admission) return;
    for (const SchedulingStatsEviction& eviction : after_->status.scheduling_stats->evictions) {
      const SchedulingStatsEviction* previous = FindEviction(*before_, eviction);
      const int32_t count = previous == nullptr ? 0 : previous->count;
      if (eviction.count > count) CountEviction(eviction, count == 0);
    }
  }

  void CountEviction(const SchedulingStatsEviction& eviction, bool is_first) {
    const std::string_view queue = QueueOf(*before_), why = eviction.reason;
    const std::string_view cause = eviction.underlying_cause, priority = PriorityOf(*after_);
    AddOfQueue(Metric::kEvictedTotal, {queue, why, cause, priority}, 1);
    if (is_first) AddOfQueue(Metric::kEvictedOnceTotal, {queue, why, cause, priority}, 1);
    AddOfLocal(Metric::kLocalEvictedTotal, {why, cause, priority}, 1);
    const api::Condition* ready = TrueCondition(*before_, condition::kPodsReady);
    const api::Condition* evicted = TrueCondition(*after_, condition::kEvicted);
    if (ready != nullptr && evicted != nullptr)
      AddOfQueue(Metric::kReadyUntilEvicted, {queue, why, cause},
                 SecondsBetween(TimeOf(*ready), TimeOf(*evicted)));
  }

  // Only the first time; recovered pods do not count again.
  void CountReadiness() {
    const api::Condition* ready = TrueCondition(*after_, condition::kPodsReady);
    const api::Condition* admitted = TrueCondition(*after_, condition::kAdmitted);
    if (ready == nullptr || ready->reason != reason::kStarted || admitted == nullptr ||
        TrueCondition(*before_, condition::kPodsReady) != nullptr)
      return;
    const std::string_view queue = QueueOf(*after_);
    AddOfBoth(Metric::kReadyWait, Metric::kLocalReadyWait, queue,
              SecondsBetween(workload::QueuedSince(*after_), now_));
    AddOfBoth(Metric::kAdmittedUntilReady, Metric::kLocalAdmittedUntilReady, queue,
              SecondsBetween(TimeOf(*admitted), TimeOf(*ready)));
  }

  void CountConstraint() {
    const std::vector<std::string_view> constraints = BlockingConstraintsOf(*after_);
    if (constraints.empty()) return;
    const engine::Engine& engine = cluster_.engine();
    const engine::WorkloadId id = engine.FindWorkload(after_->metadata.uid);
    if (id.is_none()) return;
    const std::string& queue = engine.ClusterQueueName(engine.ClusterQueueOf(id));
    const std::vector<std::string_view> before = BlockingConstraintsOf(*before_);
    for (const std::string_view name : constraints)
      if (std::ranges::find(before, name) == before.end())
        AddOfQueue(Metric::kConstrainedTotal, {queue, name}, 1);
  }

  void CountDecision(const control::WorkloadChange& decision) {
    using Kind = control::WorkloadChange::Kind;
    if (decision.kind == Kind::kPreempt)
      AddOfQueue(Metric::kPreemptedTotal, {decision.preempting_queue, decision.reason}, 1);
    if (decision.kind == Kind::kReplace)
      AddOfQueue(Metric::kReplacedSlices, {QueueOf(*before_)}, 1);
  }

  void CountEnd() {
    if (workload::IsFinished(*before_) || !workload::IsFinished(*after_)) return;
    const std::string_view queue = QueueOf(*after_);
    AddOfBoth(Metric::kFinishedTotal, Metric::kLocalFinishedTotal, queue, 1);
    const api::Condition* admitted = TrueCondition(*after_, condition::kAdmitted);
    const api::Condition* finished = TrueCondition(*after_, condition::kFinished);
    if (admitted == nullptr || finished == nullptr) return;
    const double past = after_->status.accumulated_past_execution_time_seconds.value_or(0);
    AddOfBoth(Metric::kExecutionTime, Metric::kLocalExecutionTime, queue,
              past + SecondsBetween(TimeOf(*admitted), TimeOf(*finished)));
  }

  // Evicted, and the quota is released.
  void CountRelease() {
    const api::Condition* evicted = TrueCondition(*after_, condition::kEvicted);
    const bool is_released = workload::HasReservation(*before_) &&
                             !workload::HasReservation(*after_) && !workload::IsFinished(*after_);
    if (!is_released || evicted == nullptr || QueueOf(*before_).empty()) return;
    AddOfQueue(Metric::kEvictionLatency, {QueueOf(*before_), evicted->reason},
               SecondsBetween(TimeOf(*evicted), now_));
  }

  const workload::ClusterState& cluster_;
  const MetricOptions& options_;
  Labeler out_;
  // The transition being processed.
  const api::Workload* before_ = nullptr;
  const api::Workload* after_ = nullptr;
  const api::LocalQueue* local_ = nullptr;
  base::Time now_;
};

}  // namespace

std::vector<Sample> SamplesOf(const control::ControllerEvent& event,
                              const workload::ClusterState& cluster, const MetricOptions& options) {
  FactReader reader(cluster, options);
  std::visit(reader, event);
  return reader.Take();
}

}  // namespace berth::observe

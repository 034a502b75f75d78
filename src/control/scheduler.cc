#include "control/scheduler.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/pending_message.h"
#include "engine/quota/queue_path.h"
#include "lifecycle/eviction_event.h"
#include "lifecycle/messages.h"
#include "quantity/resource_amount.h"
#include "workload/convert/convert_admission.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace reason = api::reason;
using Kind = WorkloadChange::Kind;

class Cycle {
 public:
  Cycle(workload::ClusterState& cluster, base::Time now) : cluster_(cluster), now_(now) {}

  CycleResult Run() {
    for (const engine::Decision& decision : cluster_.engine().RunCycle(now_)) {
      const bool is_admitted = decision.outcome == engine::Outcome::kAdmitted;
      const bool is_placed = decision.outcome == engine::Outcome::kPlaced;
      Count(decision);
      result_.made_progress |=
          is_admitted || is_placed || decision.is_inadmissible || !decision.targets.empty();
      if (is_admitted) {
        Reserve(decision);
      } else if (decision.is_second_pass) {
        SecondPass(decision);
      } else {
        Preempt(decision);
        Wait(decision);
      }
    }
    return std::move(result_);
  }

 private:
  void Count(const engine::Decision& decision) {
    CycleCompleted& event = result_.event;
    ++event.heads;
    event.has_admitted |= decision.outcome == engine::Outcome::kAdmitted;
    const bool wanted_targets = decision.assignment != nullptr &&
                                decision.assignment->mode == engine::AssignmentMode::kPreempt;
    if (decision.outcome == engine::Outcome::kSkipped && wanted_targets)
      ++event.skipped_preemptions[QueueOf(decision)];
    if (decision.was_recomputed)
      event.recomputations.push_back({QueueOf(decision), decision.outcome});
  }

  const std::string& QueueOf(const engine::Decision& decision) const {
    return cluster_.engine().ClusterQueueName(decision.cluster_queue);
  }

  std::string NameOf(engine::WorkloadId id) const {
    return workload::NamespacedName(cluster_.WorkloadOf(id).metadata);
  }

  api::Admission AdmissionOf(const engine::Decision& decision,
                             const api::Workload& workload) const {
    return workload::ToAdmission(cluster_.engine(), decision.workload, workload,
                                 cluster_.rules().topology_cuts);
  }

  WorkloadChange NewChange(Kind kind, engine::WorkloadId id) const {
    WorkloadChange change;
    change.kind = kind;
    change.id = id;
    change.workload = NameOf(id);
    return change;
  }
  WorkloadChange& Change(Kind kind, engine::WorkloadId id) {
    return result_.changes.emplace_back(NewChange(kind, id));
  }

  void Reserve(const engine::Decision& decision) {
    const api::Workload& workload = cluster_.WorkloadOf(decision.workload);
    WorkloadChange& change = Change(Kind::kReserve, decision.workload);
    change.admission = AdmissionOf(decision, workload);
    workload::OmitIndivisibleCounts(workload, change.admission);
    if (!decision.replaced.is_none()) change.follow_ups.push_back(Replacement(decision));
  }

  // The Workload keeps its quota whatever the outcome is.
  void SecondPass(const engine::Decision& decision) {
    const api::Workload& workload = cluster_.WorkloadOf(decision.workload);
    const auto& failed = workload.status.unhealthy_nodes;
    const std::string node = failed.empty() ? "" : failed.front().name;
    if (decision.outcome == engine::Outcome::kPlaced) {
      WorkloadChange& change = Change(Kind::kPlace, decision.workload);
      change.admission = AdmissionOf(decision, workload);
      change.replaced_node = node;
    } else if (decision.outcome == engine::Outcome::kEvicted) {
      WorkloadChange& change = Change(Kind::kEvict, decision.workload);
      change.reason = reason::kNodeFailures;
      change.message = lifecycle::messages::NodeNotReplaced(node);
    } else {
      Preempt(decision);
      result_.failed_second_passes.push_back(
          {NameOf(decision.workload), PendingMessage(decision, cluster_)});
    }
  }

  WorkloadChange Replacement(const engine::Decision& decision) const {
    WorkloadChange change = NewChange(Kind::kReplace, decision.replaced);
    change.reason = reason::kWorkloadSliceReplaced;
    change.message = lifecycle::messages::SliceReplaced(NameOf(decision.workload));
    return change;
  }

  void Preempt(const engine::Decision& decision) {
    for (const engine::PreemptionTarget& target : decision.targets) {
      WorkloadChange& change = Change(Kind::kPreempt, target.workload);
      change.reason = workload::ReasonOf(target.reason);
      change.preemptor = NameOf(decision.workload);
      change.preempting_queue = QueueOf(decision);
      change.message = PreemptionMessage(decision, target, change.reason);
      change.priorities = PrioritiesOf(decision, target);
    }
  }

  std::string PreemptionMessage(const engine::Decision& decision,
                                const engine::PreemptionTarget& target,
                                std::string_view why) const {
    const api::ObjectMeta& preemptor = cluster_.WorkloadOf(decision.workload).metadata;
    const std::string* job_uid = preemptor.labels.Find(api::kJobUidLabel);
    return lifecycle::messages::Preempted(
        {.preemptor = NameOf(decision.workload),
         .preemptor_uid = preemptor.uid,
         .job_uid = job_uid == nullptr ? std::string_view() : *job_uid,
         .reason = why,
         .preemptor_path = QueuePath(decision.cluster_queue),
         .preemptee_path = QueuePath(cluster_.engine().ClusterQueueOf(target.workload))});
  }

  lifecycle::messages::Priority PriorityOf(engine::WorkloadId id) const {
    return {.effective = cluster_.engine().state().workload(id).priority,
            .base = cluster_.WorkloadOf(id).spec.priority.value_or(0)};
  }

  std::string PrioritiesOf(const engine::Decision& decision,
                           const engine::PreemptionTarget& target) const {
    return lifecycle::messages::Priorities(PriorityOf(decision.workload),
                                           PriorityOf(target.workload));
  }

  std::string TargetMessage(const engine::Decision& decision,
                            const engine::PreemptionTarget& target) const {
    const engine::Engine& engine = cluster_.engine();
    return lifecycle::messages::WorkloadPreempted(
        NameOf(target.workload), engine.Uid(target.workload),
        engine.ClusterQueueName(engine.ClusterQueueOf(target.workload)),
        PrioritiesOf(decision, target));
  }

  std::string QueuePath(engine::NodeId queue) const {
    return engine::QueuePathOf(cluster_.engine().state().forest, queue);
  }

  void Wait(const engine::Decision& decision) {
    WorkloadChange& change = Change(Kind::kWait, decision.workload);
    change.reason = workload::ReasonOf(decision.reason);
    change.message = PendingMessage(decision, cluster_);
    change.requests = RequestsOf(decision.workload);
    change.is_inadmissible = decision.is_inadmissible;
    for (const engine::PreemptionTarget& target : decision.targets)
      change.targets.push_back(TargetMessage(decision, target));
  }

  // The requests that count, by pod set.
  std::vector<api::PodSetRequest> RequestsOf(engine::WorkloadId id) const {
    const quantity::AmountFormatter formatter;
    const engine::Engine& engine = cluster_.engine();
    const engine::State& state = engine.state();
    const engine::ShapeView shape = state.shape(state.workload(id).shape);
    const auto& pod_sets = cluster_.WorkloadOf(id).spec.pod_sets;
    std::vector<api::PodSetRequest> requests;
    for (size_t i = 0; i < shape.pod_sets.size() && i < pod_sets.size(); ++i) {
      api::PodSetRequest& request = requests.emplace_back();
      request.name = pod_sets[i].name;
      for (const engine::Request& r : shape.pod_sets[i].requests) {
        const std::string& resource = engine.ResourceName(r.resource);
        request.resources.Set(resource, formatter.ToQuantity(resource, r.amount));
      }
    }
    return requests;
  }

  workload::ClusterState& cluster_;
  const base::Time now_;
  CycleResult result_;
};

bool IsReservationInFlight(const api::Workload& workload, const engine::Engine& engine) {
  const engine::WorkloadId id = engine.FindWorkload(workload.metadata.uid);
  return !id.is_none() && engine.IsReserved(id) && !workload::HoldsQuota(workload);
}

void Block(WorkloadChange& change) {
  change.kind = Kind::kWait;
  change.follow_ups.clear();
  change.reason = reason::kWaitingForPodsReady;
  change.message = lifecycle::messages::WaitingForPodsReady();
}

lifecycle::EventRecord WorkloadEvent(bool is_warning, std::string_view why, std::string message) {
  return {.about = lifecycle::EventRecord::About::kWorkload,
          .is_warning = is_warning,
          .reason = std::string(why),
          .message = std::move(message)};
}

std::vector<lifecycle::EventRecord> ApplyReservation(const WorkloadChange& change,
                                                     const api::ClusterQueue* queue,
                                                     api::Workload& w, base::Time now) {
  const std::string& cluster_queue = change.admission.cluster_queue;
  const base::Duration waited = now - workload::QueuedSince(w);
  workload::MarkReserved(w, change.admission, now);
  if (queue != nullptr) workload::SyncChecks(w, workload::ChecksFor(w, *queue), now);
  workload::SyncAdmitted(w, now);
  std::vector<lifecycle::EventRecord> events{
      WorkloadEvent(false, reason::kQuotaReserved,
                    lifecycle::messages::QuotaReservedAfter(cluster_queue, waited))};
  if (workload::IsAdmitted(w))
    events.push_back(WorkloadEvent(false, reason::kAdmitted,
                                   lifecycle::messages::AdmittedAfter(cluster_queue, {})));
  return events;
}

std::vector<lifecycle::EventRecord> ApplyPlace(const WorkloadChange& change, api::Workload& w,
                                               base::Time now) {
  const bool was_admitted = workload::IsAdmitted(w);
  workload::MarkPlaced(w, change.admission, change.replaced_node, now);
  if (was_admitted || !workload::IsAdmitted(w)) return {};
  return {
      WorkloadEvent(false, reason::kAdmitted,
                    lifecycle::messages::AdmittedAfterChecks(
                        w.status.admission->cluster_queue, now - workload::ReservedSince(w, now)))};
}

std::vector<lifecycle::EventRecord> ApplyEviction(const WorkloadChange& change, api::Workload& w,
                                                  base::Time now) {
  if (!workload::HasReservation(w) || workload::IsEvicted(w)) return {};
  const workload::Eviction eviction{
      .reason = change.reason, .cause = "", .message = change.message};
  workload::MarkEvicted(w, eviction, now);
  return {lifecycle::EvictionEvent(eviction)};
}

std::vector<lifecycle::EventRecord> ApplyWait(const WorkloadChange& change, api::Workload& w,
                                              base::Time now) {
  bool is_new = workload::MarkUnreserved(w, change.reason, change.message, now);
  is_new |= w.status.resource_requests != change.requests;
  w.status.resource_requests = change.requests;
  if (!is_new || change.is_silent) return {};
  std::vector<lifecycle::EventRecord> events;
  for (const std::string& target : change.targets)
    events.push_back(WorkloadEvent(false, "PreemptedWorkload", target));
  if (change.reason != reason::kWaitingForPodsReady)  // not about this Workload
    events.push_back(WorkloadEvent(true, change.reason, change.message));
  return events;
}

}  // namespace

CycleResult RunCycle(workload::ClusterState& cluster, base::Time now) {
  return Cycle(cluster, now).Run();
}

bool IsAdmissionBlocked(const workload::ClusterState& cluster) {
  bool is_blocked = false;
  cluster.ForEachWorkload([&](const api::Workload& w) {
    is_blocked |= IsReservationInFlight(w, cluster.engine()) ||
                  (workload::HoldsQuota(w) && workload::IsAdmitted(w) &&
                   !api::IsConditionTrue(w.status.conditions, api::condition::kPodsReady));
  });
  return is_blocked;
}

void Revert(const WorkloadChange& reservation, workload::ClusterState& cluster) {
  const api::Workload* known = cluster.FindWorkload(reservation.workload);
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id =
      known == nullptr ? engine::WorkloadId::None() : engine.FindWorkload(known->metadata.uid);
  if (!id.is_none() && engine.IsReserved(id)) cluster.Undo(id);
  for (const WorkloadChange& replaced : reservation.follow_ups) {
    const api::Workload* slice = cluster.FindWorkload(replaced.workload);
    if (slice != nullptr) cluster.Apply(api::Workload(*slice));  // the engine learns it again
  }
}

bool BlockReservations(CycleResult& result, bool is_blocked, workload::ClusterState& cluster) {
  for (WorkloadChange& change : result.changes) {
    if (change.kind != Kind::kReserve || !std::exchange(is_blocked, true)) continue;
    Revert(change, cluster);
    Block(change);
    result.made_progress = false;
  }
  result.event.has_admitted = std::ranges::find(result.changes, Kind::kReserve,
                                                &WorkloadChange::kind) != result.changes.end();
  return is_blocked;
}

std::vector<lifecycle::EventRecord> Apply(const WorkloadChange& change,
                                          const api::ClusterQueue* queue, api::Workload& workload,
                                          base::Time now) {
  switch (change.kind) {
    case Kind::kReserve:
      return ApplyReservation(change, queue, workload, now);
    case Kind::kPreempt:
      workload::MarkPreempted(workload, change.reason, change.message, now);
      return {lifecycle::EvictionEvent(
                  {.reason = reason::kPreempted, .cause = "", .message = change.message}),
              WorkloadEvent(false, reason::kPreempted, change.message + "; " + change.priorities)};
    case Kind::kWait:
      return ApplyWait(change, workload, now);
    case Kind::kReplace:
      workload::MarkFinished(workload, change.reason, change.message, now);
      return {WorkloadEvent(false, change.reason, change.message)};
    case Kind::kPlace:
      return ApplyPlace(change, workload, now);
    case Kind::kEvict:
      return ApplyEviction(change, workload, now);
  }
  return {};
}

}  // namespace berth::control

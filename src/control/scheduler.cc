#include "control/scheduler.h"

#include <string_view>
#include <utility>

#include "api/well_known.h"
#include "control/wait_message.h"
#include "quantity/resource_amount.h"
#include "workload/convert_admission.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace reason = api::reason;
using Kind = WorkloadChange::Kind;

class Cycle {
 public:
  Cycle(workload::EngineFeed& feed, base::Time now) : feed_(feed), now_(now) {}

  CycleResult Run() {
    for (const engine::Decision& decision : feed_.engine().RunCycle(now_)) {
      const bool is_admitted = decision.outcome == engine::Outcome::kAdmitted;
      Count(decision);
      result_.made_progress |= is_admitted || decision.is_parked || !decision.victims.empty();
      if (is_admitted) {
        Reserve(decision);
        Replace(decision);
      } else {
        Preempt(decision);
        Wait(decision);
      }
    }
    return std::move(result_);
  }

 private:
  void Count(const engine::Decision& decision) {
    CycleFact& fact = result_.fact;
    ++fact.heads;
    fact.has_admitted |= decision.outcome == engine::Outcome::kAdmitted;
    const bool wanted_victims = decision.assignment != nullptr &&
                                decision.assignment->mode == engine::AssignmentMode::kPreempt;
    if (decision.outcome == engine::Outcome::kSkipped && wanted_victims)
      ++fact.skipped_preemptions[QueueOf(decision)];
    if (decision.was_recomputed)
      fact.recomputations.push_back({QueueOf(decision), decision.outcome});
  }

  const std::string& QueueOf(const engine::Decision& decision) const {
    return feed_.engine().ClusterQueueName(decision.cluster_queue);
  }

  std::string NameOf(engine::WorkloadId id) const {
    return workload::NamespacedName(feed_.WorkloadOf(id).metadata);
  }

  WorkloadChange& Change(Kind kind, engine::WorkloadId id) {
    WorkloadChange& change = result_.changes.emplace_back();
    change.kind = kind;
    change.id = id;
    change.workload = NameOf(id);
    return change;
  }

  void Reserve(const engine::Decision& decision) {
    Change(Kind::kReserve, decision.workload).admission = workload::ToAdmission(
        feed_.engine(), decision.workload, feed_.WorkloadOf(decision.workload));
  }

  void Replace(const engine::Decision& decision) {
    if (decision.replaced.is_none()) return;
    WorkloadChange& change = Change(Kind::kReplace, decision.replaced);
    change.reason = reason::kWorkloadSliceReplaced;
    change.message = "Slice " + NameOf(decision.workload) + " replaces it";
  }

  void Preempt(const engine::Decision& decision) {
    for (const engine::Victim& victim : decision.victims) {
      WorkloadChange& change = Change(Kind::kPreempt, victim.workload);
      change.reason = workload::ReasonOf(victim.reason);
      change.preempting_queue = QueueOf(decision);
      change.message =
          "Preempted to make room for " + NameOf(decision.workload) + " (" + change.reason + ")";
    }
  }

  void Wait(const engine::Decision& decision) {
    WorkloadChange& change = Change(Kind::kWait, decision.workload);
    change.reason = workload::ReasonOf(decision.reason);
    change.message = WaitMessage(decision, feed_);
    change.requests = RequestsOf(decision.workload);
    change.is_parked = decision.is_parked;
    for (const engine::Victim& victim : decision.victims)
      change.victims.push_back(NameOf(victim.workload));
  }

  // What counts of its requests, for each pod set.
  std::vector<api::PodSetRequest> RequestsOf(engine::WorkloadId id) const {
    const quantity::AmountFormatter formatter;
    const engine::Engine& engine = feed_.engine();
    const engine::State& state = engine.state();
    const engine::ShapeView shape = state.shape(state.workload(id).shape);
    const auto& pod_sets = feed_.WorkloadOf(id).spec.pod_sets;
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

  workload::EngineFeed& feed_;
  const base::Time now_;
  CycleResult result_;
};

Note Tell(bool is_warning, std::string_view why, std::string message) {
  return {.about = Note::About::kWorkload,
          .is_warning = is_warning,
          .reason = std::string(why),
          .message = std::move(message)};
}

std::vector<Note> ApplyReservation(const WorkloadChange& change, const api::ClusterQueue* queue,
                                   api::Workload& w, base::Time now) {
  const std::string where = "ClusterQueue " + change.admission.cluster_queue;
  workload::MarkReserved(w, change.admission, now);
  if (queue != nullptr) workload::SyncChecks(w, workload::ChecksFor(w, *queue), now);
  workload::SyncAdmitted(w, now);
  std::vector<Note> notes{Tell(false, reason::kQuotaReserved, "Quota reserved in " + where)};
  if (workload::IsAdmitted(w))
    notes.push_back(Tell(false, reason::kAdmitted, "Admitted by " + where));
  return notes;
}

std::vector<Note> ApplyWait(const WorkloadChange& change, api::Workload& w, base::Time now) {
  bool is_news = workload::MarkUnreserved(w, change.reason, change.message, now);
  is_news |= w.status.resource_requests != change.requests;
  w.status.resource_requests = change.requests;
  if (!is_news || change.is_silent) return {};
  std::vector<Note> notes;
  for (const std::string& victim : change.victims)
    notes.push_back(Tell(false, "PreemptedWorkload", "Preempted workload " + victim));
  if (change.reason != reason::kWaitingForPodsReady)  // which says nothing about the workload
    notes.push_back(Tell(true, change.reason, change.message));
  return notes;
}

}  // namespace

CycleResult RunCycle(workload::EngineFeed& feed, base::Time now) { return Cycle(feed, now).Run(); }

std::vector<Note> Apply(const WorkloadChange& change, const api::ClusterQueue* queue,
                        api::Workload& workload, base::Time now) {
  switch (change.kind) {
    case Kind::kReserve:
      return ApplyReservation(change, queue, workload, now);
    case Kind::kPreempt:
      workload::MarkPreempted(workload, change.reason, change.message, now);
      return {Tell(false, "EvictedDueToPreempted", change.message),
              Tell(false, reason::kPreempted, change.message)};
    case Kind::kWait:
      return ApplyWait(change, workload, now);
    case Kind::kReplace:
      workload::MarkFinished(workload, change.reason, change.message, now);
      return {Tell(false, change.reason, change.message)};
  }
  return {};
}

}  // namespace berth::control

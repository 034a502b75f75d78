#include "control/scheduler.h"

#include <string>
#include <utility>

#include "api/well_known.h"
#include "control/wait_message.h"
#include "quantity/resource_amount.h"
#include "workload/convert_admission.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace reason = api::reason;

Note Tell(bool is_warning, std::string_view why, std::string message) {
  return {.about = Note::About::kWorkload,
          .is_warning = is_warning,
          .reason = std::string(why),
          .message = std::move(message)};
}

class Cycle {
 public:
  Cycle(workload::EngineFeed& feed, base::Time now) : feed_(feed), now_(now) {}

  std::vector<WorkloadChange> Run() {
    for (const engine::Decision& decision : feed_.engine().RunCycle(now_)) {
      if (decision.outcome == engine::Outcome::kAdmitted) {
        Reserve(decision);
        Replace(decision);
      } else {
        Preempt(decision);
        Wait(decision);
      }
    }
    return std::move(changes_);
  }

 private:
  WorkloadChange& Change(WorkloadChange::Kind kind, engine::WorkloadId id) {
    return changes_.emplace_back(
        WorkloadChange{.kind = kind, .id = id, .workload = feed_.WorkloadOf(id), .notes = {}});
  }

  void Reserve(const engine::Decision& decision) {
    WorkloadChange& change = Change(WorkloadChange::Kind::kReserve, decision.workload);
    api::Workload& w = change.workload;
    workload::MarkReserved(w, workload::ToAdmission(feed_.engine(), decision.workload, w), now_);
    const std::string queue = w.status.admission->cluster_queue;
    if (const api::ClusterQueue* object = feed_.FindClusterQueue(queue))
      workload::SyncChecks(w, workload::ChecksFor(w, *object), now_);
    workload::SyncAdmitted(w, now_);
    change.notes.push_back(
        Tell(false, reason::kQuotaReserved, "Quota reserved in ClusterQueue " + queue));
    if (workload::IsAdmitted(w))
      change.notes.push_back(Tell(false, reason::kAdmitted, "Admitted by ClusterQueue " + queue));
  }

  void Replace(const engine::Decision& decision) {
    if (decision.replaced.is_none()) return;
    WorkloadChange& change = Change(WorkloadChange::Kind::kReplace, decision.replaced);
    workload::MarkFinished(
        change.workload, reason::kWorkloadSliceReplaced,
        "Slice " + workload::NamespacedName(feed_.WorkloadOf(decision.workload).metadata) +
            " replaces it",
        now_);
  }

  void Preempt(const engine::Decision& decision) {
    const std::string by = workload::NamespacedName(feed_.WorkloadOf(decision.workload).metadata);
    for (const engine::Victim& victim : decision.victims) {
      WorkloadChange& change = Change(WorkloadChange::Kind::kPreempt, victim.workload);
      const std::string_view why = workload::ReasonOf(victim.reason);
      const std::string message =
          "Preempted to make room for workload " + by + " (" + std::string(why) + ")";
      workload::MarkPreempted(change.workload, why, message, now_);
      change.notes.push_back(Tell(false, "EvictedDueToPreempted", message));
      change.notes.push_back(Tell(false, reason::kPreempted, message));
    }
  }

  void Wait(const engine::Decision& decision) {
    WorkloadChange& change = Change(WorkloadChange::Kind::kWait, decision.workload);
    const std::string_view why = workload::ReasonOf(decision.reason);
    const std::string message = WaitMessage(decision, feed_);
    workload::MarkUnreserved(change.workload, why, message, now_);
    change.workload.status.resource_requests = RequestsOf(decision.workload);
    for (const engine::Victim& victim : decision.victims)
      change.notes.push_back(
          Tell(false, "PreemptedWorkload",
               "Preempted workload " +
                   workload::NamespacedName(feed_.WorkloadOf(victim.workload).metadata)));
    change.notes.push_back(Tell(true, why, message));
  }

  // What counts of its requests, for each pod set.
  std::vector<api::PodSetRequest> RequestsOf(engine::WorkloadId id) const {
    const quantity::AmountFormatter formatter;
    const engine::Engine& engine = feed_.engine();
    const engine::State& state = engine.state();
    const engine::Shape& shape = state.shape(state.workload(id).shape);
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
  std::vector<WorkloadChange> changes_;
};

}  // namespace

std::vector<WorkloadChange> RunCycle(workload::EngineFeed& feed, base::Time now) {
  return Cycle(feed, now).Run();
}

}  // namespace berth::control

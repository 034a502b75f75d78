#include "control/reconcile/serving_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/equivalent.h"
#include "jobs/managed.h"
#include "jobs/pods/pod_group.h"
#include "jobs/pods/serving_pods.h"
#include "json/path.h"
#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace messages = lifecycle::messages;
namespace reason = api::reason;
using Part = ChangeWorkload::Part;

constexpr std::string_view kSurgePath = "spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge";
constexpr std::string_view kRevisionLabel = "metadata.labels[controller-revision-hash]";

bool IsOnHold(const api::Workload& workload) {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  return quota != nullptr && quota->status == api::kConditionFalse &&
         quota->reason == reason::kOnHold;
}

class ServingPlanner {
 public:
  ServingPlanner(const jobs::Integration& integration, const json::value& set,
                 const JobContext& context, const JobPolicy& policy, base::Time now)
      : integration_(integration), set_(set), context_(context), policy_(policy), now_(now) {}

  JobPlan Run() {
    std::set<std::string> wanted;
    const size_t groups = static_cast<size_t>(Groups());
    for (size_t index = 0; index < groups; ++index) {
      auto made =
          jobs::GroupWorkloadFor(integration_, set_, index, *context_.priorities, policy_.workload);
      if (!made) return Complain(made.error());
      const api::Workload* known = Find(made->metadata.name);
      if (known == nullptr) known = FindLegacy();
      wanted.insert(known != nullptr ? known->metadata.name : made->metadata.name);
      if (known != nullptr)
        Keep(*known, *made);
      else if (Pods() > 0)
        Create(std::move(*made));
    }
    for (const api::Workload* workload : context_.workloads)
      if (!wanted.contains(workload->metadata.name)) Delete(*workload);
    return std::move(plan_);
  }

 private:
  bool HasGroupEach() const { return integration_.suspension == jobs::kSuspendedAsGroups; }
  int32_t Replicas() const { return std::max(json::IntAt(set_, "spec.replicas").value_or(1), 0); }
  // Of one group.
  int32_t Pods() const { return HasGroupEach() ? 1 : Replicas(); }

  // A rolling update with maxSurge creates more replicas than the set has; they need Workloads,
  // too.
  int32_t Groups() const {
    if (!HasGroupEach()) return 1;
    const bool surges = json::IntAt(set_, kSurgePath).value_or(0) > 0 &&
                        json::IntAt(set_, "status.updatedReplicas").value_or(0) < Replicas();
    const int32_t there = json::IntAt(set_, "status.replicas").value_or(0);
    return surges ? std::max(there, Replicas()) : Replicas();
  }

  const api::Workload* Find(const std::string& name) const {
    const auto found = std::ranges::find(context_.workloads, name,
                                         [](const api::Workload* w) { return w->metadata.name; });
    return found == context_.workloads.end() ? nullptr : *found;
  }

  const api::Workload* FindLegacy() const {
    const auto metadata = jobs::MetadataOf(set_);
    return metadata ? Find(jobs::LegacyGroupName(integration_, *metadata, policy_.workload))
                    : nullptr;
  }

  void RecordEvent(std::string_view why, std::string message, bool is_warning = false) {
    plan_.events.push_back({.about = lifecycle::EventRecord::About::kJob,
                            .is_warning = is_warning,
                            .reason = std::string(why),
                            .message = std::move(message)});
  }

  JobPlan Complain(const jobs::WorkloadFailure& why) {
    RecordEvent(why.missing_class ? why.missing_class->kind + "NotFound" : "UnreadableJob",
                why.error.message, true);
    return std::move(plan_);
  }

  void Create(api::Workload made) {
    RecordEvent("CreatedWorkload",
                messages::WorkloadCreated(workload::NamespacedName(made.metadata)));
    if (!made.spec.queue_name)
      RecordEvent(messages::kQueueNameMissing, messages::QueueNameMissing(), true);
    plan_.actions.push_back(CreateWorkload{.workload = std::move(made)});
  }

  void Delete(const api::Workload& workload) {
    if (!workload.metadata.deletion_timestamp)
      plan_.actions.push_back(DeleteWorkload{.name = workload.metadata.name});
  }

  // One write per Workload and plan; the result is planned again.
  void Keep(const api::Workload& known, const api::Workload& made) {
    if (known.metadata.deletion_timestamp || workload::IsFinished(known)) return;
    if (Adopt(known, made)) return;
    if (Pods() > 0 && FollowShape(known, made)) return;
    api::Workload after = known;
    // Quota belongs to the queue where it was reserved.
    if (Pods() > 0 && made.spec.queue_name && !workload::HasReservation(known))
      after.spec.queue_name = made.spec.queue_name;
    after.spec.priority_class_ref = made.spec.priority_class_ref;
    after.spec.priority = made.spec.priority;
    FollowConstraints(made.metadata.annotations, policy_.workload, after);
    if (after.spec != known.spec || after.metadata.annotations != known.metadata.annotations)
      return Change(known, Part::kSpec, [&](api::Workload& w) {
        w.spec = after.spec;
        w.metadata.annotations = after.metadata.annotations;
      });
    if (FollowGates(known, made)) return;
    Hold(known);
  }

  // A Workload that an older Kueue created may not name its owner.
  bool Adopt(const api::Workload& known, const api::Workload& made) {
    const api::OwnerReference& owner = made.metadata.owner_references.front();
    const auto& owners = known.metadata.owner_references;
    if (std::ranges::find(owners, owner.uid, &api::OwnerReference::uid) != owners.end())
      return false;
    Change(known, Part::kMetadata, [&](api::Workload& w) {
      w.metadata.owner_references.push_back(owner);
      for (const auto& [key, value] : made.metadata.annotations)
        w.metadata.annotations.Set(key, value);
    });
    return true;
  }

  static bool HaveSameShape(const api::Workload& known, const api::Workload& made) {
    std::vector<api::PodSet> sets = made.spec.pod_sets;
    for (size_t i = 0; i < sets.size() && i < known.spec.pod_sets.size(); ++i)
      sets[i].count = known.spec.pod_sets[i].count;
    return jobs::SamePodSets(known.spec.pod_sets, sets,
                             {.with_tolerations = true, .with_placement = true});
  }

  // A set with fewer pods than its quota reclaims the rest. More pods, or others, need another
  // admission.
  bool FollowShape(const api::Workload& known, const api::Workload& made) {
    const bool is_same = HaveSameShape(known, made);
    if (is_same && SurplusOf(known, made) == known.status.reclaimable_pods) return false;
    if (!workload::HasReservation(known)) {
      if (is_same && SurplusOf(known, made).empty())
        Change(known, Part::kStatus, [](api::Workload& w) { w.status.reclaimable_pods.clear(); });
      else
        Change(known, Part::kSpec, [&](api::Workload& w) { w.spec.pod_sets = made.spec.pod_sets; });
    } else if (is_same && IsSurplusMore(known, made)) {
      Change(known, Part::kStatus,
             [&](api::Workload& w) { w.status.reclaimable_pods = SurplusOf(known, made); });
    } else if (known.metadata.name != made.metadata.name) {
      // The pods of the set have the group of the Workload that an older Kueue created. It is on
      // hold until it has their shape.
      Change(known, Part::kStatus, [&](api::Workload& w) {
        workload::MarkUnreserved(w, reason::kOnHold, messages::OutOfSync("set"), now_);
      });
    } else {
      Delete(known);
      RecordEvent("DeletedWorkload",
                  messages::WorkloadDeleted(workload::NamespacedName(known.metadata),
                                            messages::PodSetsDiffer("set")));
    }
    return true;
  }

  static std::vector<api::ReclaimablePod> SurplusOf(const api::Workload& known,
                                                    const api::Workload& made) {
    std::vector<api::ReclaimablePod> surplus;
    for (size_t i = 0; i < made.spec.pod_sets.size(); ++i) {
      const api::PodSet& set = known.spec.pod_sets[i];
      const int32_t count = set.count.value_or(1) - made.spec.pod_sets[i].count.value_or(1);
      if (count != 0) surplus.push_back({.name = set.name, .count = count});
    }
    return surplus;
  }

  // Reclaimed quota cannot be taken back.
  static bool IsSurplusMore(const api::Workload& known, const api::Workload& made) {
    const auto sum = [](const std::vector<api::ReclaimablePod>& pods) {
      int32_t total = 0;
      for (const api::ReclaimablePod& one : pods) total += one.count;
      return total;
    };
    return sum(SurplusOf(known, made)) > sum(known.status.reclaimable_pods);
  }

  template <class Edit>
  void Change(const api::Workload& known, Part part, Edit edit) {
    ChangeWorkload change{.part = part, .workload = known};
    edit(change.workload);
    plan_.actions.push_back(std::move(change));
  }

  bool FollowGates(const api::Workload& known, const api::Workload& made) {
    const auto gates = [](const api::Workload& w) {
      const std::string* text = w.metadata.annotations.Find(api::kAdmissionGatedByAnnotation);
      return text == nullptr ? std::string() : *text;
    };
    if (!policy_.workload.copies_admission_gates || gates(known) == gates(made)) return false;
    Change(known, Part::kMetadata, [&](api::Workload& w) {
      if (gates(made).empty())
        w.metadata.annotations.Erase(api::kAdmissionGatedByAnnotation);
      else
        w.metadata.annotations.Set(api::kAdmissionGatedByAnnotation, gates(made));
    });
    return true;
  }

  void Hold(const api::Workload& known) {
    if (HasGroupEach()) return;
    if (Pods() == 0 && workload::HasReservation(known) && workload::IsActive(known))
      return Change(known, Part::kStatus, [&](api::Workload& w) {
        workload::MarkUnreserved(w, reason::kOnHold, messages::ScaledToZero(integration_.kind),
                                 now_);
      });
    if (Pods() > 0 && IsOnHold(known))
      Change(known, Part::kStatus, [&](api::Workload& w) {
        workload::MarkUnreserved(w, reason::kPendingEvaluation, messages::PendingEvaluation(),
                                 now_);
      });
  }

  const jobs::Integration& integration_;
  const json::value& set_;
  const JobContext& context_;
  const JobPolicy& policy_;
  const base::Time now_;
  JobPlan plan_;
};

}  // namespace

bool IsReplacedByRollout(const json::value& set, const json::value& pod) {
  const std::string current = json::TextAt(set, "status.currentRevision");
  return current != json::TextAt(set, "status.updateRevision") &&
         current == json::TextAt(pod, kRevisionLabel);
}

JobPlan PlanServingSet(const jobs::Integration& integration, const json::value& set,
                       const JobContext& context, const JobPolicy& policy, base::Time now) {
  return ServingPlanner(integration, set, context, policy, now).Run();
}

std::optional<json::value> PlanServingPod(const jobs::Integration& integration,
                                          const json::value& set, const json::value& pod,
                                          const JobPolicy& policy, const ServingGroup& group) {
  if (integration.suspension == jobs::kSuspendedAsGroup && !group.is_admitted &&
      IsReplacedByRollout(set, pod)) {
    if (json::FindAt(pod, "spec.schedulingGates") == nullptr) return std::nullopt;
    auto freed = jobs::StartPod(pod, {}, {});
    return freed && *freed != pod ? std::optional(std::move(*freed)) : std::nullopt;
  }
  return jobs::MarkServingPod(integration, set, pod, policy.workload, group.name)
      .value_or(std::nullopt);
}

}  // namespace berth::control

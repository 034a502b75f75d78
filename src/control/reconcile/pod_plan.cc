#include "control/reconcile/pod_plan.h"

#include <algorithm>
#include <utility>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/finalizers.h"
#include "control/reconcile/readiness.h"
#include "control/reconcile/reclaimable.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/pods/pod_group.h"
#include "json/path.h"
#include "lifecycle/messages.h"
#include "lifecycle/rule_chain.h"
#include "objects/owner_chain.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace messages = lifecycle::messages;

// Reasons of the condition TerminationTarget.
constexpr std::string_view kStopDeleted = "WorkloadDeleted";
constexpr std::string_view kStopEvicted = "WorkloadEvictedDueTo";
constexpr std::string_view kStopNoMatch = "NoMatchingWorkload";
constexpr std::string_view kStopNotAdmitted = "NotAdmitted";

const jobs::Integration& PodKind() { return *jobs::IntegrationSet::BuiltIn().FindFramework("pod"); }

// Gated or ended: there is nothing to stop.
bool IsIdlePod(const api::Pod& pod) { return jobs::IsGated(pod) || jobs::IsEnded(pod); }

// By us.
bool WasStopped(const api::Pod& pod) {
  return std::ranges::find(pod.status.conditions, "TerminationTarget", &api::CoreCondition::type) !=
         pod.status.conditions.end();
}

bool IsGroupWorkload(const api::Workload& workload) {
  const std::string* mark = workload.metadata.annotations.Find(api::kIsGroupWorkloadAnnotation);
  return mark != nullptr && *mark == "true";
}

bool HasOtherOwner(const api::Workload& workload) {
  return std::ranges::any_of(workload.metadata.owner_references, [](const auto& owner) {
    return owner.kind != PodKind().kind || owner.api_version != PodKind().api_version;
  });
}

RemovePodFinalizer FinalizerRemoval(const api::Pod& pod, const JobPolicy& policy) {
  return {.pod = pod.metadata.name, .is_strict = policy.removes_finalizers_strictly};
}

// Plans one unit. Each rule adds its part and returns whether planning ends with it.
class PodPlanner {
 public:
  PodPlanner(const PodUnit& unit, const PodContext& context, const JobPolicy& policy,
             base::Time now)
      : unit_(unit), context_(context), policy_(policy), now_(now) {
    group_.name = unit.group;
    for (const KnownPod& known : unit.pods) group_.pods.push_back(known.pod);
    if (!group_.pods.empty())
      prebuilt_ = jobs::PrebuiltWorkloadName(first(), policy_.workload.reads_name_annotations);
  }

  PodPlan Run() {
    static constexpr lifecycle::Rule<PodPlanner> kRules[] = {
        &PodPlanner::ReleaseGone,     &PodPlanner::ReleaseAbandoned,
        &PodPlanner::FindWorkload,    &PodPlanner::SetReplacementCondition,
        &PodPlanner::ReleaseFinished, &PodPlanner::ReleaseDeleted,
        &PodPlanner::Finish,          &PodPlanner::EnsureWorkload,
        &PodPlanner::Reclaim,         &PodPlanner::SyncReadiness,
        &PodPlanner::StopEvicted,     &PodPlanner::Start,
        &PodPlanner::SyncQueue,       &PodPlanner::StopUnadmitted,
    };
    lifecycle::RunRules<PodPlanner>(*this, kRules);
    return std::move(plan_);
  }

 private:
  bool is_group() const { return !unit_.group.empty(); }
  const api::Workload& w() const { return *workload_; }
  const api::ObjectMeta& first() const { return group_.pods.front().metadata; }
  std::string NameOf(const api::Workload& workload) const {
    return workload::NamespacedName(workload.metadata);
  }
  const json::value& TreeOf(const api::Pod& pod) const {
    const auto known = std::ranges::find(unit_.pods, pod.metadata.name,
                                         [](const KnownPod& k) { return k.pod.metadata.name; });
    return known->tree;
  }

  bool Do(PodAction action) {
    plan_.actions.push_back(std::move(action));
    return true;
  }
  bool WriteStatus(api::Workload workload) {
    return Do(
        ChangeWorkload{.part = ChangeWorkload::Part::kStatus, .workload = std::move(workload)});
  }
  void RecordEvent(const api::ObjectMeta& pod, std::string_view why, std::string message,
                   bool is_warning = false) {
    plan_.events.push_back({.pod = pod.name,
                            .event = {.about = lifecycle::EventRecord::About::kJob,
                                      .is_warning = is_warning,
                                      .reason = std::string(why),
                                      .message = std::move(message)}});
  }

  // --- State of the pods ------------------------------------------------------------------------

  bool IsSuspended() const {
    return is_group() ? jobs::IsGroupSuspended(group_) : IsIdlePod(group_.pods.front());
  }
  bool IsActive() const { return jobs::IsGroupActive(group_, now_, policy_.frees_deleted_pods); }
  std::optional<jobs::JobEnd> End() const {
    return is_group() ? jobs::GroupFinished(group_)
                      : jobs::Finished(PodKind(), unit_.pods.front().tree);
  }
  bool AreReady() const {
    return is_group() ? jobs::GroupPodsReady(group_)
                      : jobs::PodsReady(PodKind(), unit_.pods.front().tree, {});
  }

  void Release(const api::Pod& pod) {
    if (HasPodFinalizer(pod)) Do(FinalizerRemoval(pod, policy_));
  }
  void ReleaseAll() {
    for (const KnownPod& known : unit_.pods) Release(known.pod);
  }

  // --- Deleted pods -----------------------------------------------------------------------------

  // A single pod keeps its quota until it has ended.
  bool ReleaseGone() {
    if (group_.pods.empty()) return ReleaseGroup();
    if (is_group() || !first().deletion_timestamp) return false;
    RequeueAtEndOfGrace();
    if (IsActive()) return true;
    for (const api::Workload* workload : context_.workloads) {
      if (workload::IsEvicted(*workload) && workload::HasReservation(*workload))
        return ReturnQuota(*workload);
      auto change = WithoutOwner(*workload, messages::OwnerDeleted("pod"), policy_.life, now_);
      const bool is_finished = change && change->part == ChangeWorkload::Part::kStatus;
      if (change) Do(std::move(*change));
      if (is_finished) return true;
    }
    Release(group_.pods.front());
    return true;
  }

  // Without pods. The Workload of a set stays; there is nothing to stop before its quota is free.
  bool ReleaseGroup() {
    for (const api::Workload* workload : context_.workloads) {
      if (!IsGroupWorkload(*workload)) continue;
      if (!workload->metadata.deletion_timestamp && HasOtherOwner(*workload)) {
        if (workload::IsEvicted(*workload) && workload::HasReservation(*workload) &&
            !workload::IsFinished(*workload))
          ReturnQuota(*workload);
      } else if (HasOurFinalizer(*workload)) {
        Do(WithoutFinalizer(*workload));
      }
    }
    return true;
  }

  // A group without quota whose pods were all deleted: no replacements are to be expected, unless
  // the pods were stopped to be replaced.
  bool ReleaseAbandoned() {
    if (!is_group() || group_.IsServing()) return false;
    const bool has_quota = std::ranges::any_of(
        context_.workloads, [](const api::Workload* w) { return workload::HasReservation(*w); });
    const bool is_abandoned = std::ranges::all_of(group_.pods, [](const api::Pod& pod) {
      return pod.metadata.deletion_timestamp && !WasStopped(pod);
    });
    if (has_quota || !is_abandoned || IsActive()) return false;
    ReleaseAll();
    return true;
  }

  // --- The Workload ------------------------------------------------------------------------------

  bool FindWorkload() {
    if (!prebuilt_.empty()) return FindPrebuilt();
    return is_group() ? FindOfGroup() : FindOfPod();
  }

  bool IsInSync(const api::Workload& workload) const {
    if (is_group()) return jobs::HasRoomForGroup(group_, workload);
    return jobs::IsEquivalent({.integration = &PodKind(),
                               .job = &unit_.pods.front().tree,
                               .workload = &workload,
                               .find_flavor = context_.find_flavor,
                               .is_prebuilt = !prebuilt_.empty()},
                              policy_.workload, policy_.start)
        .value_or(false);
  }

  bool FindPrebuilt() {
    if (context_.workloads.empty()) return false;
    const api::Workload& found = *context_.workloads.front();
    if (AddOwners(found)) return true;
    if (!IsInSync(found) && !workload::IsFinished(found)) {
      // serving_plan.h syncs the Workload of a set.
      if (is_group() && group_.IsServing()) return true;
      api::Workload after = found;
      workload::MarkFinished(after, api::reason::kOutOfSync, messages::OutOfSync("pods"), now_);
      return WriteStatus(std::move(after));
    }
    workload_ = &found;
    return false;
  }

  bool FindOfPod() {
    std::vector<const api::Workload*> others;
    for (const api::Workload* candidate : context_.workloads) {
      if (workload_ == nullptr && IsInSync(*candidate))
        workload_ = candidate;
      else
        others.push_back(candidate);
    }
    if (others.empty()) return false;
    if (workload_ == nullptr) return Replace(*others.front());
    for (const api::Workload* other : others) Delete(*other);
    return true;
  }

  bool FindOfGroup() {
    if (context_.workloads.empty()) return false;
    const api::Workload& found = *context_.workloads.front();
    if (policy_.checks_group_owner && !IsGroupWorkload(found)) return RefuseName(found);
    auto match = jobs::MatchGroup(group_, found, now_, policy_.workload);
    if (!match) return Replace(found);
    workload_ = &found;
    absent_ = match->absent;
    group_.pods = match->kept;
    AddOwners(found);
    Remove(match->excess);
    for (const api::Pod& pod : match->replaced) Release(pod);
    return !plan_.actions.empty();
  }

  bool RefuseName(const api::Workload& foreign) {
    RecordEvent(first(), "WorkloadNameConflict", messages::WorkloadNameConflict(NameOf(foreign)),
                true);
    for (const api::Pod& pod : group_.pods)
      if (!jobs::IsRunnable(pod)) Release(pod);
    return true;
  }

  bool AddOwners(const api::Workload& workload) {
    ChangeWorkload change{.part = ChangeWorkload::Part::kMetadata, .workload = workload};
    auto& owners = change.workload.metadata.owner_references;
    if (is_group()) {
      const auto missing = jobs::MissingOwners(group_, workload);
      if (missing.empty()) return false;
      owners.insert(owners.end(), missing.begin(), missing.end());
      change.events.push_back({.reason = "OwnerReferencesAdded",
                               .message = messages::OwnerReferencesAdded(missing.size())});
    } else {
      if (objects::ControllerOf(workload.metadata) != nullptr) return false;
      owners.push_back(jobs::OwnerReferenceTo(PodKind(), first(), true));
      change.workload.metadata.labels.Set(api::kJobUidLabel, first().uid);
    }
    return Do(std::move(change));
  }

  // Deletes excess pods. A pod that is being deleted only loses our finalizer.
  void Remove(const std::vector<api::Pod>& excess) {
    for (const api::Pod& pod : excess) {
      Release(pod);
      if (pod.metadata.deletion_timestamp) continue;
      Do(DeletePod{.pod = pod.metadata.name});
      RecordEvent(pod.metadata, "ExcessPodDeleted", messages::ExcessPodDeleted());
    }
  }

  void Delete(const api::Workload& workload) {
    Do(DeleteWorkload{.name = workload.metadata.name});
    RecordEvent(first(), "DeletedWorkload",
                messages::WorkloadDeleted(NameOf(workload), messages::PodSetsDiffer("pods")));
  }

  // The pods no longer match the Workload.
  bool Replace(const api::Workload& old) {
    if (IsSuspended() && !workload::HasReservation(old) && !workload::IsFinished(old))
      return Update(old);
    if (!IsSuspended() && !End()) Stop(kStopNoMatch, messages::OutOfSync("pods"));
    Delete(old);
    return true;
  }

  bool Update(const api::Workload& old) {
    std::optional<api::Workload> made = Compose();
    if (!made) return true;
    ChangeWorkload change{.part = ChangeWorkload::Part::kSpec, .workload = old};
    change.workload.spec = std::move(made->spec);
    change.workload.spec.active = old.spec.active;
    RecordEvent(first(), "UpdatedWorkload",
                messages::WorkloadUpdated(NameOf(old), messages::PodSetsFollow("pods")));
    return Do(std::move(change));
  }

  // The Workload for the pods; records an Event if there is none.
  std::optional<api::Workload> Compose() {
    if (!is_group()) {
      auto made = jobs::WorkloadFor(PodKind(), unit_.pods.front().tree, *context_.priorities,
                                    policy_.workload);
      if (made) return std::move(*made);
      const bool lacks_class = made.error().missing_class.has_value();
      RecordEvent(first(),
                  lacks_class ? made.error().missing_class->kind + "NotFound" : "UnreadableJob",
                  made.error().error.message, true);
      return std::nullopt;
    }
    for (const api::Pod& pod : group_.pods)
      if (!jobs::IsRunnable(pod)) Release(pod);
    auto made = jobs::ComposeGroup(group_, *context_.priorities, policy_.workload);
    if (!made) {
      RecordEvent(first(), "ErrWorkloadCompose", made.error().error.message, true);
      return std::nullopt;
    }
    Remove(made->clean_up.excess);
    return std::move(made->workload);
  }

  bool EnsureWorkload() {
    if (workload_ != nullptr) return false;
    if (!prebuilt_.empty()) {
      Stop(kStopNoMatch, messages::WorkloadNotFound(prebuilt_));
      return true;
    }
    if (!IsSuspended()) {
      Stop(kStopNoMatch, messages::WorkloadMissing());
      return true;
    }
    if (IsActive()) return true;  // its pods must go first
    std::optional<api::Workload> made = Compose();
    if (!made) return true;
    RecordEvent(first(), "CreatedWorkload", messages::WorkloadCreated(NameOf(*made)));
    if (!made->spec.queue_name)
      RecordEvent(first(), messages::kQueueNameMissing, messages::QueueNameMissing(), true);
    return Do(CreateWorkload{.workload = std::move(*made)});
  }

  // --- Gated or running -----------------------------------------------------------------------

  bool SetReplacementCondition() {
    if (workload_ == nullptr || !is_group()) return false;
    const auto condition = jobs::ReplacementCondition(w(), absent_, now_);
    if (!condition) return false;
    api::Workload after = w();
    workload::SetCondition(after.status.conditions, *condition, now_);
    return WriteStatus(std::move(after));
  }

  bool ReleaseFinished() {
    if (workload_ == nullptr || !workload::IsFinished(w())) return false;
    ReleaseAll();
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool ReleaseDeleted() {
    if (workload_ == nullptr || !w().metadata.deletion_timestamp) return false;
    for (const api::Pod& pod : group_.pods)
      if (!pod.metadata.deletion_timestamp) StopOne(pod, kStopDeleted, messages::WorkloadGone());
    if (is_group()) ReleaseAll();
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool Finish() {
    const std::optional<jobs::JobEnd> end = End();
    if (!end) return false;
    if (workload_ != nullptr) {
      api::Workload after = w();
      workload::MarkFinished(after,
                             end->is_success ? api::reason::kSucceeded : api::reason::kFailed,
                             end->message, now_);
      WriteStatus(std::move(after));
      RecordEvent(first(), "FinishedWorkload", messages::WorkloadFinished(NameOf(w())));
    }
    ReleaseAll();
    return true;
  }

  bool Reclaim() {
    // serving_plan.h reclaims the pods that a set is scaled down by.
    if (!policy_.has_reclaimable_pods || !is_group() || group_.IsServing()) return false;
    api::Workload after = w();
    if (!NoteReclaimable(after, jobs::GroupReclaimablePods(group_))) return false;
    return WriteStatus(std::move(after));
  }

  bool SyncReadiness() {
    if (!policy_.life.pods_ready) return false;
    api::Workload after = w();
    if (!NotePodsReady(after, AreReady(), now_)) return false;
    return WriteStatus(std::move(after));
  }

  void StopOne(const api::Pod& pod, std::string_view reason, const std::string& message) {
    Do(StopPod{.pod = pod.metadata.name, .reason = std::string(reason), .message = message});
    RecordEvent(pod.metadata, "Stopped", message);
  }

  // Stops the running pods. False if there are none.
  bool Stop(std::string_view reason, const std::string& message) {
    bool any = false;
    for (const api::Pod& pod : group_.pods) {
      if (pod.metadata.deletion_timestamp || IsIdlePod(pod)) continue;
      if (reason == kStopNotAdmitted && context_.replaced_pods.contains(pod.metadata.name))
        continue;
      StopOne(pod, reason, message);
      any = true;
    }
    return any;
  }

  bool StopEvicted() {
    if (!workload::IsEvicted(w())) return false;
    const api::Condition& evicted =
        *api::FindCondition(w().status.conditions, api::condition::kEvicted);
    Stop(std::string(kStopEvicted) + evicted.reason, evicted.message);
    if (workload::HasReservation(w()) && !IsActive())
      ReturnQuota(w());
    else
      RetainDeactivated();
    RequeueAtEndOfGrace();
    // Without quota the pods may change, as before their first admission.
    return workload::HasReservation(w()) || !IsSuspended() || !plan_.actions.empty();
  }

  // Of an evicted Workload whose pods have ended.
  bool ReturnQuota(const api::Workload& workload) {
    const api::Condition& evicted =
        *api::FindCondition(workload.status.conditions, api::condition::kEvicted);
    api::Workload after = workload;
    workload::MarkStopped(after, now_);
    if (!is_group() && !policy_.requeues_single_pods)
      workload::SetRequeued(after, false, evicted.reason, evicted.message, now_);
    return WriteStatus(std::move(after));
  }

  // The status of a pod on a lost node stays Running; its grace period bounds the wait.
  void RequeueAtEndOfGrace() {
    for (const api::Pod& pod : group_.pods) {
      const auto& deleted = pod.metadata.deletion_timestamp;
      const auto& grace = pod.metadata.deletion_grace_period_seconds;
      if (!deleted || !grace || pod.status.phase != api::kPodRunning) continue;
      const base::Time end = *deleted + base::Duration::Seconds(*grace + 1);
      if (now_ < end && (!plan_.requeue_at || end < *plan_.requeue_at)) plan_.requeue_at = end;
    }
  }

  void RetainDeactivated() {
    const std::optional<base::Time> end = EndOfRetention(w(), policy_.life, now_);
    if (!end) return;
    if (now_ < *end) {
      plan_.requeue_at = end;
      return;
    }
    for (const api::Pod& pod : group_.pods) {
      if (pod.metadata.deletion_timestamp) continue;
      Do(DeletePod{.pod = pod.metadata.name});
      RecordEvent(pod.metadata, "Deleted",
                  messages::RetentionExpired("Pod", "afterDeactivatedByKueue",
                                             *policy_.life.retain_deactivated));
    }
  }

  bool Start() {
    if (!IsSuspended() || !workload::IsAdmitted(w())) return false;
    auto infos = jobs::InfosFromAdmission(w(), context_.find_flavor, policy_.start);
    if (!infos) return FailToStart(infos.error());
    for (const api::Pod& pod : group_.pods) {
      if (!jobs::IsGated(pod) || pod.metadata.deletion_timestamp) continue;
      const jobs::PodSetInfo* info = InfoFor(pod, *infos);
      if (info == nullptr) return FailToStart(NoPlaceFor(pod));
      auto started = jobs::StartPod(TreeOf(pod), *info, policy_.start);
      if (!started) return FailToStart(started.error());
      Do(WritePod{.pod = pod.metadata.name, .object = std::move(*started)});
      RecordEvent(pod.metadata, "Started", messages::Admitted(w().status.admission->cluster_queue));
    }
    return true;
  }

  const jobs::PodSetInfo* InfoFor(const api::Pod& pod,
                                  const std::vector<jobs::PodSetInfo>& infos) const {
    if (is_group()) return jobs::FindInfo(pod, infos);
    return infos.size() == 1 ? &infos.front() : nullptr;
  }

  static jobs::StartFailure NoPlaceFor(const api::Pod& pod) {
    return {.error = {.message = "Admission has no pod set for pod " + pod.metadata.name +
                                 " (role hash " + jobs::RoleHashOf(pod) + ")"},
            .is_permanent = true};
  }

  bool FailToStart(const jobs::StartFailure& failure) {
    plan_.actions.clear();
    plan_.events.clear();
    if (!failure.is_permanent) return true;
    api::Workload after = w();
    workload::MarkFinished(after, api::reason::kFailedToStart, failure.error.message, now_);
    return WriteStatus(std::move(after));
  }

  bool SyncQueue() {
    if (!IsSuspended()) return false;
    if (workload::HasReservation(w()))
      if (std::string text = MessagesOfChecks(w()); !text.empty())
        RecordEvent(first(), "UpdatedAdmissionCheck", std::move(text));
    if (is_group() && group_.IsServing()) return true;  // its owner's queue counts
    ChangeWorkload change{.part = ChangeWorkload::Part::kSpec, .workload = w()};
    if (const std::string_view queue = jobs::QueueNameOf(first()); !queue.empty())
      change.workload.spec.queue_name = queue;
    const auto is_other =
        FollowClass(first(), jobs::PodPriorityClassOf(PodKind(), json::object(), w().spec.pod_sets),
                    *context_.priorities, change.workload);
    if (!is_other)
      RecordEvent(first(), is_other.error().kind + "NotFound", is_other.error().ToString(), true);
    if (const api::Pod* pod = FindAgreeingPod())
      FollowConstraints(pod->metadata.annotations, policy_.workload, change.workload);
    if (change.workload.spec != w().spec ||
        change.workload.metadata.annotations != w().metadata.annotations)
      Do(std::move(change));
    return true;
  }

  // A gated pod that agrees with all others in its constraints; null if there is none.
  const api::Pod* FindAgreeingPod() const {
    const api::Pod* agreeing = nullptr;
    for (const api::Pod& pod : group_.pods) {
      if (!jobs::IsGated(pod) || pod.metadata.deletion_timestamp) continue;
      if (agreeing != nullptr && api::ConstraintsOf(pod.metadata.annotations) !=
                                     api::ConstraintsOf(agreeing->metadata.annotations))
        return nullptr;
      agreeing = &pod;
    }
    return agreeing;
  }

  bool StopUnadmitted() {
    if (IsSuspended() || workload::IsAdmitted(w())) return false;
    return Stop(kStopNotAdmitted, messages::NotAdmitted());
  }

  const PodUnit& unit_;
  const PodContext& context_;
  const JobPolicy& policy_;
  const base::Time now_;

  jobs::PodGroup group_;  // those that count; a single pod too
  std::string prebuilt_;
  const api::Workload* workload_ = nullptr;
  int32_t absent_ = 0;
  PodPlan plan_;
};

}  // namespace

bool HasPodFinalizer(const api::Pod& pod) { return api::HasFinalizer(pod.metadata, kPodFinalizer); }

PodPlan PlanPods(const PodUnit& unit, const PodContext& context, const JobPolicy& policy,
                 base::Time now) {
  return PodPlanner(unit, context, policy, now).Run();
}

PodPlan PlanPodRelease(const PodUnit& unit, const PodContext& context, const JobPolicy& policy) {
  PodPlan plan;
  for (const KnownPod& known : unit.pods) {
    if (jobs::IsGated(known.pod))
      if (auto freed = jobs::StartPod(known.tree, {}, {}))
        plan.actions.push_back(
            WritePod{.pod = known.pod.metadata.name, .object = std::move(*freed)});
    if (HasPodFinalizer(known.pod)) plan.actions.push_back(FinalizerRemoval(known.pod, policy));
  }
  for (const api::Workload* workload : context.workloads)
    plan.actions.push_back(DeleteWorkload{.name = workload->metadata.name});
  if (!plan.actions.empty() && !unit.pods.empty())
    plan.events.push_back({.pod = unit.pods.front().pod.metadata.name,
                           .event = {.about = lifecycle::EventRecord::About::kJob,
                                     .reason = "Released",
                                     .message = messages::Released()}});
  return plan;
}

}  // namespace berth::control

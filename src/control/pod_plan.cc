#include "control/pod_plan.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/well_known.h"
#include "control/readiness.h"
#include "control/reclaimable.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/path.h"
#include "jobs/pod_group.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

// Why a pod was stopped, as the condition TerminationTarget says it.
constexpr std::string_view kStopDeleted = "WorkloadDeleted";
constexpr std::string_view kStopEvicted = "WorkloadEvictedDueTo";
constexpr std::string_view kStopNoMatch = "NoMatchingWorkload";
constexpr std::string_view kStopNotAdmitted = "NotAdmitted";

const jobs::Integration& PodKind() { return *jobs::IntegrationSet::BuiltIn().FindFramework("pod"); }

// Waits or is over: there is nothing to stop.
bool IsIdlePod(const api::Pod& pod) { return jobs::IsGated(pod) || jobs::IsEnded(pod); }

bool IsGroupWorkload(const api::Workload& workload) {
  const std::string* mark = workload.metadata.annotations.Find(api::kIsGroupWorkloadAnnotation);
  return mark != nullptr && *mark == "true";
}

bool HasOtherOwner(const api::Workload& workload) {
  return std::ranges::any_of(workload.metadata.owner_references, [](const auto& owner) {
    return owner.kind != PodKind().kind || owner.api_version != PodKind().api_version;
  });
}

// Looks at pods that wait as one. Each rule does its part and says whether that is all for now.
class PodLook {
 public:
  PodLook(const PodUnit& unit, const PodSurroundings& around, const JobPolicy& policy,
          base::Time now)
      : unit_(unit), around_(around), policy_(policy), now_(now) {
    group_.name = unit.group;
    for (const KnownPod& known : unit.pods) group_.pods.push_back(known.pod);
    if (!group_.pods.empty())
      prebuilt_ = jobs::PrebuiltWorkloadName(first(), policy_.workload.reads_name_annotations);
  }

  PodPlan Run() {
    using Rule = bool (PodLook::*)();
    static constexpr Rule kRules[] = {
        &PodLook::LetGoneGo,      &PodLook::FindWorkload, &PodLook::NoteReplacements,
        &PodLook::LetFinishedGo,  &PodLook::LetDeletedGo, &PodLook::Finish,
        &PodLook::MakeWorkload,   &PodLook::Reclaim,      &PodLook::WatchReadiness,
        &PodLook::StopEvicted,    &PodLook::Start,        &PodLook::Follow,
        &PodLook::StopUnadmitted,
    };
    for (const Rule rule : kRules)
      if ((this->*rule)()) break;
    return std::move(plan_);
  }

 private:
  bool is_group() const { return !unit_.group.empty(); }
  const api::Workload& w() const { return *workload_; }
  const api::ObjectMeta& first() const { return group_.pods.front().metadata; }
  std::string NameOf(const api::Workload& workload) const {
    return workload::NamespacedName(workload.metadata);
  }
  const store::json::value& TreeOf(const api::Pod& pod) const {
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
  void Tell(const api::ObjectMeta& pod, std::string_view why, std::string message,
            bool is_warning = false) {
    plan_.notes.push_back({.pod = pod.name,
                           .note = {.about = Note::About::kJob,
                                    .is_warning = is_warning,
                                    .reason = std::string(why),
                                    .message = std::move(message)}});
  }

  // --- What pods say ----------------------------------------------------------------------------

  bool IsSuspended() const {
    return is_group() ? jobs::IsGroupSuspended(group_) : IsIdlePod(group_.pods.front());
  }
  // A single pod gives its quota back as soon as it is stopped.
  bool IsActive() const {
    return is_group() && jobs::IsGroupActive(group_, now_, policy_.frees_deleted_pods);
  }
  std::optional<jobs::JobEnd> End() const {
    return is_group() ? jobs::GroupFinished(group_)
                      : jobs::Finished(PodKind(), unit_.pods.front().tree);
  }
  bool AreReady() const {
    return is_group() ? jobs::GroupPodsReady(group_)
                      : jobs::PodsReady(PodKind(), unit_.pods.front().tree, {});
  }

  void LetGo(const api::Pod& pod) {
    if (HasPodFinalizer(pod)) Do(LetPodGo{.pod = pod.metadata.name});
  }
  void LetAllGo() {
    for (const KnownPod& known : unit_.pods) LetGo(known.pod);
  }

  // --- Pods that are gone -----------------------------------------------------------------------

  bool LetGoneGo() {
    if (group_.pods.empty()) return LetGroupGo();
    if (is_group() || !first().deletion_timestamp) return false;
    for (const api::Workload* workload : around_.workloads) {
      auto change = WithoutOwner(*workload, "Its pod is being deleted", policy_.life, now_);
      const bool is_finished = change && change->part == ChangeWorkload::Part::kStatus;
      if (change) Do(std::move(*change));
      if (is_finished) return true;
    }
    LetGo(group_.pods.front());
    return true;
  }

  bool LetGroupGo() {
    for (const api::Workload* workload : around_.workloads) {
      if (!IsGroupWorkload(*workload) || !HasOurFinalizer(*workload)) continue;
      if (workload->metadata.deletion_timestamp || !HasOtherOwner(*workload))
        Do(WithoutFinalizer(*workload));
    }
    return true;
  }

  // --- The Workload ------------------------------------------------------------------------------

  bool FindWorkload() {
    if (!prebuilt_.empty()) return FindPrebuilt();
    return is_group() ? FindOfGroup() : FindOfPod();
  }

  bool IsInStep(const api::Workload& workload) const {
    if (is_group()) return jobs::HasRoomForGroup(group_, workload);
    return jobs::IsEquivalent({.integration = &PodKind(),
                               .job = &unit_.pods.front().tree,
                               .workload = &workload,
                               .find_flavor = around_.find_flavor,
                               .is_prebuilt = !prebuilt_.empty()},
                              policy_.workload, policy_.start)
        .value_or(false);
  }

  bool FindPrebuilt() {
    if (around_.workloads.empty()) return false;
    const api::Workload& found = *around_.workloads.front();
    if (AddOwners(found)) return true;
    if (!IsInStep(found) && !workload::IsFinished(found)) {
      // That of a set follows the set, see serving_plan.h.
      if (is_group() && group_.IsServing()) return true;
      api::Workload after = found;
      workload::MarkFinished(after, api::reason::kOutOfSync, "It is not what its pods ask for",
                             now_);
      return WriteStatus(std::move(after));
    }
    workload_ = &found;
    return false;
  }

  bool FindOfPod() {
    std::vector<const api::Workload*> others;
    for (const api::Workload* candidate : around_.workloads) {
      if (workload_ == nullptr && IsInStep(*candidate))
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
    if (around_.workloads.empty()) return false;
    const api::Workload& found = *around_.workloads.front();
    if (policy_.checks_group_owner && !IsGroupWorkload(found)) return RefuseName(found);
    auto match = jobs::MatchGroup(group_, found, now_, policy_.workload);
    if (!match) return Replace(found);
    workload_ = &found;
    absent_ = match->absent;
    group_.pods = match->kept;
    AddOwners(found);
    Remove(match->excess);
    for (const api::Pod& pod : match->replaced) LetGo(pod);
    return !plan_.actions.empty();
  }

  bool RefuseName(const api::Workload& foreign) {
    Tell(first(), "WorkloadNameConflict",
         "Workload " + NameOf(foreign) +
             " was not made for a group of pods, so the group of this name cannot be admitted; "
             "give the group another name",
         true);
    for (const api::Pod& pod : group_.pods)
      if (!jobs::IsRunnable(pod)) LetGo(pod);
    return true;
  }

  bool AddOwners(const api::Workload& workload) {
    ChangeWorkload change{.part = ChangeWorkload::Part::kMetadata, .workload = workload};
    auto& owners = change.workload.metadata.owner_references;
    if (is_group()) {
      const auto missing = jobs::MissingOwners(group_, workload);
      if (missing.empty()) return false;
      owners.insert(owners.end(), missing.begin(), missing.end());
      change.notes.push_back(
          {.reason = "OwnerReferencesAdded",
           .message = "Added " + std::to_string(missing.size()) + " owner references"});
    } else {
      if (jobs::ControllerOf(workload.metadata) != nullptr) return false;
      owners.push_back(jobs::OwnerReferenceTo(PodKind(), first(), true));
      change.workload.metadata.labels.Set(api::kJobUidLabel, first().uid);
    }
    return Do(std::move(change));
  }

  // Excess pods; those that are being deleted only need to be let go.
  void Remove(const std::vector<api::Pod>& excess) {
    for (const api::Pod& pod : excess) {
      LetGo(pod);
      if (pod.metadata.deletion_timestamp) continue;
      Do(DeletePod{.pod = pod.metadata.name});
      Tell(pod.metadata, "ExcessPodDeleted", "Deleted: the group has more pods than it says");
    }
  }

  void Delete(const api::Workload& workload) {
    Do(DeleteWorkload{.name = workload.metadata.name});
    Tell(first(), "DeletedWorkload",
         "Deleted Workload " + NameOf(workload) + ", which is of another shape");
  }

  // The pods are not those of the Workload any more.
  bool Replace(const api::Workload& old) {
    if (IsSuspended() && !workload::HasReservation(old) && !workload::IsFinished(old))
      return Update(old);
    if (!IsSuspended() && !End()) Stop(kStopNoMatch, "Its Workload is of another shape");
    Delete(old);
    return true;
  }

  bool Update(const api::Workload& old) {
    std::optional<api::Workload> made = Compose();
    if (!made) return true;
    ChangeWorkload change{.part = ChangeWorkload::Part::kSpec, .workload = old};
    change.workload.spec = std::move(made->spec);
    change.workload.spec.active = old.spec.active;
    Tell(first(), "UpdatedWorkload",
         "Updated Workload " + NameOf(old) + " to what the pods ask for now");
    return Do(std::move(change));
  }

  // The Workload that the pods ask for; says why there is none.
  std::optional<api::Workload> Compose() {
    if (!is_group()) {
      auto made = jobs::WorkloadFor(PodKind(), unit_.pods.front().tree, *around_.priorities,
                                    policy_.workload);
      if (made) return std::move(*made);
      const bool lacks_class = made.error().missing_class.has_value();
      Tell(first(), lacks_class ? made.error().missing_class->kind + "NotFound" : "UnreadableJob",
           made.error().error.message, true);
      return std::nullopt;
    }
    for (const api::Pod& pod : group_.pods)
      if (!jobs::IsRunnable(pod)) LetGo(pod);
    auto made = jobs::ComposeGroup(group_, *around_.priorities, policy_.workload);
    if (!made) {
      Tell(first(), "ErrWorkloadCompose", made.error().error.message, true);
      return std::nullopt;
    }
    Remove(made->clean_up.excess);
    return std::move(made->workload);
  }

  bool MakeWorkload() {
    if (workload_ != nullptr) return false;
    if (!prebuilt_.empty()) {
      Stop(kStopNoMatch, "Workload " + prebuilt_ + " does not exist");
      return true;
    }
    if (!IsSuspended()) return Stop(kStopNoMatch, "It has no Workload");
    if (IsActive()) return true;  // its pods must go first
    std::optional<api::Workload> made = Compose();
    if (!made) return true;
    Tell(first(), "CreatedWorkload", "Created Workload " + NameOf(*made));
    return Do(CreateWorkload{.workload = std::move(*made)});
  }

  // --- While they wait or run -----------------------------------------------------------------

  bool NoteReplacements() {
    if (workload_ == nullptr || !is_group()) return false;
    const auto condition = jobs::ReplacementCondition(w(), absent_, now_);
    if (!condition) return false;
    api::Workload after = w();
    workload::SetCondition(after.status.conditions, *condition, now_);
    return WriteStatus(std::move(after));
  }

  bool LetFinishedGo() {
    if (workload_ == nullptr || !workload::IsFinished(w())) return false;
    LetAllGo();
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool LetDeletedGo() {
    if (workload_ == nullptr || !w().metadata.deletion_timestamp) return false;
    for (const api::Pod& pod : group_.pods)
      if (!pod.metadata.deletion_timestamp) StopOne(pod, kStopDeleted, "Its Workload was deleted");
    if (is_group()) LetAllGo();
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
      Tell(first(), "FinishedWorkload", "Workload " + NameOf(w()) + " is finished");
    }
    LetAllGo();
    return true;
  }

  bool Reclaim() {
    // Of a set, what it is scaled down by can be reclaimed, see serving_plan.h.
    if (!policy_.has_reclaimable_pods || !is_group() || group_.IsServing()) return false;
    api::Workload after = w();
    if (!NoteReclaimable(after, jobs::GroupReclaimablePods(group_))) return false;
    return WriteStatus(std::move(after));
  }

  bool WatchReadiness() {
    if (!policy_.life.pods_ready) return false;
    api::Workload after = w();
    if (!NotePodsReady(after, AreReady(), now_)) return false;
    return WriteStatus(std::move(after));
  }

  void StopOne(const api::Pod& pod, std::string_view reason, const std::string& message) {
    Do(StopPod{.pod = pod.metadata.name, .reason = std::string(reason), .message = message});
    Tell(pod.metadata, "Stopped", message);
  }

  // Deletes those that run. False if there is none.
  bool Stop(std::string_view reason, const std::string& message) {
    bool any = false;
    for (const api::Pod& pod : group_.pods) {
      if (pod.metadata.deletion_timestamp || IsIdlePod(pod)) continue;
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
    if (workload::HasReservation(w()) && !IsActive()) {
      api::Workload after = w();
      workload::MarkStopped(after, now_);
      if (!is_group() && !policy_.requeues_single_pods)
        workload::SetRequeued(after, false, evicted.reason, evicted.message, now_);
      WriteStatus(std::move(after));
    } else {
      RetainDeactivated();
    }
    LookWhenGraceEnds();
    return true;
  }

  // A pod whose node is lost runs for ever, as far as one can see.
  void LookWhenGraceEnds() {
    for (const api::Pod& pod : group_.pods) {
      const auto& deleted = pod.metadata.deletion_timestamp;
      const auto& grace = pod.metadata.deletion_grace_period_seconds;
      if (!deleted || !grace || pod.status.phase != api::kPodRunning) continue;
      const base::Time end = *deleted + base::Duration::Seconds(*grace + 1);
      if (now_ < end && (!plan_.look_again || end < *plan_.look_again)) plan_.look_again = end;
    }
  }

  void RetainDeactivated() {
    const std::optional<base::Time> end = EndOfRetention(w(), policy_.life, now_);
    if (!end) return;
    if (now_ < *end) {
      plan_.look_again = end;
      return;
    }
    for (const api::Pod& pod : group_.pods) {
      if (pod.metadata.deletion_timestamp) continue;
      Do(DeletePod{.pod = pod.metadata.name});
      Tell(pod.metadata, "Deleted",
           "Deleted because it was deactivated and its time of retention is over");
    }
  }

  bool Start() {
    if (!IsSuspended() || !workload::IsAdmitted(w())) return false;
    auto infos = jobs::InfosFromAdmission(w(), around_.find_flavor, policy_.start);
    if (!infos) return FailToStart(infos.error());
    for (const api::Pod& pod : group_.pods) {
      if (!jobs::IsGated(pod) || pod.metadata.deletion_timestamp) continue;
      const jobs::PodSetInfo* info = InfoFor(pod, *infos);
      if (info == nullptr) return FailToStart(NoPlaceFor(pod));
      auto started = jobs::StartPod(TreeOf(pod), *info, policy_.start);
      if (!started) return FailToStart(started.error());
      Do(WritePod{.pod = pod.metadata.name, .object = std::move(*started)});
      Tell(pod.metadata, "Started",
           "Admitted by ClusterQueue " + w().status.admission->cluster_queue);
    }
    return true;
  }

  const jobs::PodSetInfo* InfoFor(const api::Pod& pod,
                                  const std::vector<jobs::PodSetInfo>& infos) const {
    if (is_group()) return jobs::FindInfo(pod, infos);
    return infos.size() == 1 ? &infos.front() : nullptr;
  }

  static jobs::StartFailure NoPlaceFor(const api::Pod& pod) {
    return {.error = {.message = "the admission has no pod set for pod " + pod.metadata.name +
                                 ", whose role is " + jobs::RoleHashOf(pod)},
            .is_permanent = true};
  }

  bool FailToStart(const jobs::StartFailure& failure) {
    plan_.actions.clear();
    plan_.notes.clear();
    if (!failure.is_permanent) return true;
    api::Workload after = w();
    workload::MarkFinished(after, api::reason::kFailedToStart, failure.error.message, now_);
    return WriteStatus(std::move(after));
  }

  bool Follow() {
    if (!IsSuspended()) return false;
    if (workload::HasReservation(w()))
      if (std::string text = MessagesOfChecks(w()); !text.empty())
        Tell(first(), "UpdatedAdmissionCheck", std::move(text));
    if (is_group() && group_.IsServing()) return true;  // its owner's queue counts
    ChangeWorkload change{.part = ChangeWorkload::Part::kSpec, .workload = w()};
    if (const std::string_view queue = jobs::QueueNameOf(first()); !queue.empty())
      change.workload.spec.queue_name = queue;
    const auto is_other = FollowClass(
        first(), jobs::PodPriorityClassOf(PodKind(), store::json::object(), w().spec.pod_sets),
        *around_.priorities, change.workload);
    if (!is_other)
      Tell(first(), is_other.error().kind + "NotFound", is_other.error().ToString(), true);
    if (change.workload.spec != w().spec) Do(std::move(change));
    return true;
  }

  bool StopUnadmitted() {
    if (IsSuspended() || workload::IsAdmitted(w())) return false;
    return Stop(kStopNotAdmitted, "It is not admitted");
  }

  const PodUnit& unit_;
  const PodSurroundings& around_;
  const JobPolicy& policy_;
  const base::Time now_;

  jobs::PodGroup group_;  // those that count; a single pod too
  std::string prebuilt_;
  const api::Workload* workload_ = nullptr;
  int32_t absent_ = 0;
  PodPlan plan_;
};

}  // namespace

bool HasPodFinalizer(const api::Pod& pod) {
  return std::ranges::find(pod.metadata.finalizers, kPodFinalizer) != pod.metadata.finalizers.end();
}

PodPlan PlanPods(const PodUnit& unit, const PodSurroundings& around, const JobPolicy& policy,
                 base::Time now) {
  return PodLook(unit, around, policy, now).Run();
}

PodPlan PlanPodRelease(const PodUnit& unit, const PodSurroundings& around) {
  PodPlan plan;
  for (const KnownPod& known : unit.pods) {
    if (jobs::IsGated(known.pod))
      if (auto freed = jobs::StartPod(known.tree, {}, {}))
        plan.actions.push_back(
            WritePod{.pod = known.pod.metadata.name, .object = std::move(*freed)});
    if (HasPodFinalizer(known.pod)) plan.actions.push_back(LetPodGo{known.pod.metadata.name});
  }
  for (const api::Workload* workload : around.workloads)
    plan.actions.push_back(DeleteWorkload{.name = workload->metadata.name});
  if (!plan.actions.empty() && !unit.pods.empty())
    plan.notes.push_back(
        {.pod = unit.pods.front().pod.metadata.name,
         .note = {.about = Note::About::kJob,
                  .reason = "Released",
                  .message = "It is not managed any more and runs without quota"}});
  return plan;
}

}  // namespace berth::control

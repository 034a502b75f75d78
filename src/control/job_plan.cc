#include "control/job_plan.h"

#include <algorithm>
#include <utility>

#include "api/admission_constraint_rules.h"
#include "api/conditions.h"
#include "api/well_known.h"
#include "control/readiness.h"
#include "control/reclaimable.h"
#include "control/slices.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/path.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace condition = api::condition;
namespace json = store::json;
namespace reason = api::reason;
using Part = ChangeWorkload::Part;

// Which of its pods are ready, and which it does not need any more.
bool NotePods(const jobs::Integration& integration, const json::value& job,
              const std::vector<jobs::JobPodSet>& pod_sets, const JobPolicy& policy, base::Time now,
              api::Workload& workload) {
  bool is_news = false;
  if (policy.has_reclaimable_pods && integration.reclaimable)
    is_news |= NoteReclaimable(workload, jobs::ReclaimablePods(integration, job, pod_sets));
  if (policy.life.pods_ready)
    is_news |= NotePodsReady(workload, jobs::PodsReady(integration, job, pod_sets), now);
  return is_news;
}

// Looks at one job. Each rule does its part and says whether that is all for now; what was written
// is looked at again.
class Look {
 public:
  Look(const jobs::Integration& integration, const json::value& job, const JobSurroundings& around,
       const JobPolicy& policy, base::Time now)
      : integration_(integration), job_(job), around_(around), policy_(policy), now_(now) {}

  JobPlan Run() {
    if (!Read()) return std::move(plan_);
    using Rule = bool (Look::*)();
    static constexpr Rule kRules[] = {
        &Look::FindWorkload, &Look::LetFinishedGo, &Look::LetDeletedGo, &Look::Hold,
        &Look::Finish,       &Look::MakeWorkload,  &Look::WatchPods,    &Look::FollowPriority,
        &Look::StopEvicted,  &Look::Start,         &Look::Follow,       &Look::StopUnadmitted,
    };
    for (const Rule rule : kRules)
      if ((this->*rule)()) break;
    return std::move(plan_);
  }

 private:
  const api::Workload& w() const { return *workload_; }
  std::string NameOf(const api::Workload& w) const { return workload::NamespacedName(w.metadata); }

  void Tell(std::string_view why, std::string message, bool is_warning = false) {
    plan_.notes.push_back({.about = Note::About::kJob,
                           .is_warning = is_warning,
                           .reason = std::string(why),
                           .message = std::move(message)});
  }
  bool Do(JobAction action) {
    plan_.actions.push_back(std::move(action));
    return true;
  }
  bool WriteStatus(api::Workload workload) {
    return Do(ChangeWorkload{.part = Part::kStatus, .workload = std::move(workload)});
  }

  bool Read() {
    auto metadata = jobs::MetadataOf(job_);
    if (!metadata) return Tell("UnreadableJob", metadata.error().message, true), false;
    metadata_ = std::move(*metadata);
    auto pod_sets = jobs::PodSetsOf(integration_, job_, policy_.workload.pod_sets);
    if (!pod_sets) return Tell("UnreadableJob", pod_sets.error().message, true), false;
    pod_sets_ = std::move(*pod_sets);
    is_suspended_ = jobs::IsSuspended(integration_, job_);
    is_elastic_ = integration_.allows_elastic && jobs::IsElastic(metadata_, policy_.workload);
    end_ = jobs::Finished(integration_, job_);
    prebuilt_ = jobs::PrebuiltWorkloadName(metadata_, policy_.workload.reads_name_annotations);
    return true;
  }

  // --- The Workload of the job ----------------------------------------------------------------

  // The runtime of a TrainJob may change while it runs; what runs was made from the former one.
  bool RunsByFormerRuntime(const api::Workload& workload) const {
    return integration_.derives == jobs::kDerivesTrainJob && !is_suspended_ &&
           workload::HasReservation(workload);
  }

  bool IsInStep(const api::Workload& workload) const {
    if (RunsByFormerRuntime(workload)) return true;
    return jobs::IsEquivalent({.integration = &integration_,
                               .job = &job_,
                               .workload = &workload,
                               .find_flavor = around_.find_flavor,
                               .is_prebuilt = !prebuilt_.empty(),
                               .metadata = &metadata_,
                               .pod_sets = &pod_sets_},
                              policy_.workload, policy_.start)
        .value_or(false);
  }

  bool FindWorkload() {
    if (!prebuilt_.empty()) return FindPrebuilt();
    if (is_elastic_)
      if (const std::optional<bool> is_all = FindSlice()) return *is_all;
    std::vector<const api::Workload*> others;
    for (const api::Workload* candidate : around_.workloads) {
      if (workload_ == nullptr && IsInStep(*candidate))
        workload_ = candidate;
      else
        others.push_back(candidate);
    }
    if (workload_ == nullptr && !others.empty() && is_suspended_ &&
        !workload::HasReservation(*others.front()) && !workload::IsFinished(*others.front()))
      return Update(*others.front());
    if (workload_ == nullptr && !is_suspended_ && !end_)
      if (Stop(others.size() == 1 ? others.front() : nullptr,
               others.empty() ? "It has no Workload" : "Its Workload is of another shape"))
        return true;
    for (const api::Workload* other : others) {
      Do(DeleteWorkload{.name = other->metadata.name});
      Tell("DeletedWorkload", "Deleted Workload " + NameOf(*other) + ", which is of another shape");
    }
    return !others.empty();
  }

  // Nullopt if the job has become another one: then its slices are Workloads of another shape.
  std::optional<bool> FindSlice() {
    const SliceChoice choice = ChooseSlices(around_.workloads);
    holder_ = choice.holder;
    if (EndSlices(choice)) return true;
    if (choice.current == nullptr) return FindEndedSlice();
    switch (FitOf(*choice.current, pod_sets_)) {
      case SliceFit::kForeign:
        return std::nullopt;
      case SliceFit::kSame:
        break;
      case SliceFit::kResize: {
        ChangeWorkload change{.part = Part::kSpec, .workload = *choice.current};
        Resize(pod_sets_, change.workload);
        Tell("UpdatedWorkload",
             "Updated Workload " + NameOf(*choice.current) + " to the size of the job");
        return Do(std::move(change));
      }
      case SliceFit::kReplace:
        if (end_ || workload::IsEvicted(*choice.current)) break;
        outgrown_ = choice.current;
        return false;
    }
    workload_ = choice.current;
    const bool is_outdated =
        is_suspended_ && !workload::HasReservation(w()) && !end_ && !IsInStep(w());
    return is_outdated && Update(w());
  }

  // Those that must not go on, and with a job that has ended all but the one that speaks for it.
  bool EndSlices(const SliceChoice& choice) {
    const auto end = [&](const api::Workload& slice, std::string_view why, std::string message) {
      api::Workload after = slice;
      workload::MarkFinished(after, why, std::move(message), now_);
      WriteStatus(std::move(after));
    };
    for (const SliceChoice::Ended& ended : choice.ended)
      end(*ended.slice, ended.reason, "Slice " + NameOf(*choice.current) + " stands for the job");
    if (end_ && choice.holder != nullptr && choice.holder != choice.current)
      end(*choice.holder, end_->is_success ? reason::kSucceeded : reason::kFailed, end_->message);
    for (const api::Workload* slice : around_.workloads)
      if (workload::IsFinished(*slice) && HasOurFinalizer(*slice)) Do(WithoutFinalizer(*slice));
    return !plan_.actions.empty();
  }

  // All slices are over. Unless that is because another was in their place, so is the job for us.
  bool FindEndedSlice() {
    for (const api::Workload* slice : around_.workloads) {
      const api::Condition* finished =
          api::FindCondition(slice->status.conditions, condition::kFinished);
      if (finished->reason != reason::kWorkloadSliceReplaced &&
          finished->reason != reason::kOutOfSync)
        workload_ = slice;
    }
    return false;
  }

  bool FindPrebuilt() {
    if (around_.workloads.empty()) return false;
    const api::Workload& found = *around_.workloads.front();
    if (jobs::ControllerOf(found.metadata) == nullptr) {
      ChangeWorkload change{.part = Part::kMetadata, .workload = found};
      change.workload.metadata.owner_references.push_back(
          jobs::OwnerReferenceTo(integration_, metadata_, true));
      change.workload.metadata.labels.Set(api::kJobUidLabel, metadata_.uid);
      return Do(std::move(change));
    }
    if (!IsInStep(found) && !workload::IsFinished(found)) {
      api::Workload after = found;
      workload::MarkFinished(after, reason::kOutOfSync, "It is not what its job asks for", now_);
      return WriteStatus(std::move(after));
    }
    workload_ = &found;
    return false;
  }

  // A waiting job was changed: its Workload follows.
  bool Update(const api::Workload& old) {
    auto made = jobs::WorkloadFor(integration_, job_, *around_.priorities, policy_.workload);
    if (!made) return Complain(made.error());
    ChangeWorkload change{.part = Part::kSpec, .workload = old};
    change.workload.spec = std::move(made->spec);
    change.workload.spec.active = old.spec.active;
    FollowConstraints(change.workload);
    Tell("UpdatedWorkload", "Updated Workload " + NameOf(old) + " to what the job asks for now");
    return Do(std::move(change));
  }

  bool Complain(const jobs::NoWorkload& why) {
    if (why.missing_class)
      TellOfMissing(*why.missing_class);
    else
      Tell("UnreadableJob", why.error.message, true);
    return true;
  }

  void TellOfMissing(const jobs::MissingPriorityClass& missing) {
    Tell(missing.kind + "NotFound", missing.ToString(), true);
  }

  bool LetFinishedGo() {
    if (workload_ == nullptr || !workload::IsFinished(w())) return false;
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool LetDeletedGo() {
    if (workload_ == nullptr || !w().metadata.deletion_timestamp) return false;
    if (Stop(workload_, "Its Workload was deleted") && !is_stopped_) return true;
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool Hold() {
    if (!jobs::IsOnHold(integration_, job_)) return false;
    if (workload_ != nullptr && workload::HasReservation(w())) {
      api::Workload after = w();
      workload::MarkUnreserved(after, reason::kOnHold, "The job is on hold", now_);
      WriteStatus(std::move(after));
    }
    return true;
  }

  bool FinishAs(std::string_view why, std::string message) {
    api::Workload after = w();
    workload::MarkFinished(after, why, std::move(message), now_);
    Tell("FinishedWorkload", "Workload " + NameOf(w()) + " is finished");
    return WriteStatus(std::move(after));
  }

  bool Finish() {
    if (!end_) return false;
    if (workload_ == nullptr) return true;
    return FinishAs(end_->is_success ? reason::kSucceeded : reason::kFailed, end_->message);
  }

  bool MakeWorkload() {
    if (workload_ != nullptr) return false;
    if (!prebuilt_.empty()) {
      Stop(nullptr, "Workload " + prebuilt_ + " does not exist");
      return true;
    }
    // Its pods must go first, unless they go on as those of the slice before.
    if (outgrown_ == nullptr && jobs::IsActive(integration_, job_)) return true;
    auto made =
        jobs::WorkloadFor(integration_, job_, *around_.priorities, policy_.workload, outgrown_);
    if (!made) return Complain(made.error());
    if (outgrown_ != nullptr) {
      // Not the templates of the running job: they have been fitted to a flavor.
      made->spec.pod_sets = outgrown_->spec.pod_sets;
      Resize(pod_sets_, *made);
    }
    Tell("CreatedWorkload", "Created Workload " + metadata_.namespace_ + "/" + made->metadata.name);
    return Do(CreateWorkload{.workload = std::move(*made)});
  }

  // --- While it waits or runs ------------------------------------------------------------------

  bool WatchPods() {
    api::Workload after = w();
    if (!NotePods(integration_, job_, pod_sets_, policy_, now_, after)) return false;
    return WriteStatus(std::move(after));
  }

  // Holds the job back as it was. False if there is nothing to do; then it is.
  bool Stop(const api::Workload* as_in, const std::string& why) {
    const std::vector<jobs::PodSetInfo> infos =
        as_in == nullptr ? std::vector<jobs::PodSetInfo>() : jobs::InfosFromPodSets(*as_in);
    jobs::StopPlan stop = jobs::StopJob(integration_, job_, pod_sets_, infos);
    is_stopped_ = stop.is_complete;
    if (stop.stops_now && stop.is_complete) Tell("Stopped", why);
    if (stop.writes.empty()) return !stop.is_complete;
    return Do(WriteJob{.writes = std::move(stop.writes)});
  }

  bool StopEvicted() {
    if (!workload::IsEvicted(w())) return false;
    const api::Condition* evicted = api::FindCondition(w().status.conditions, condition::kEvicted);
    const bool is_writing = Stop(workload_, evicted->message);
    if (!is_writing && workload::HasReservation(w()) && !jobs::IsActive(integration_, job_)) {
      api::Workload after = w();
      workload::MarkStopped(after, now_);
      return WriteStatus(std::move(after));
    }
    RetainDeactivated();
    return true;
  }

  void RetainDeactivated() {
    const std::optional<base::Time> end = EndOfRetention(w(), policy_.life, now_);
    if (!end) return;
    if (now_ < *end) {
      plan_.look_again = end;
      return;
    }
    Tell("Deleted", "Deleted because it was deactivated and its time of retention is over");
    Do(DeleteJob{});
  }

  bool Start() {
    if (!is_suspended_ || !workload::IsAdmitted(w())) return false;
    auto infos = jobs::InfosFromAdmission(w(), around_.find_flavor, policy_.start);
    if (!infos) return FailToStart(infos.error());
    auto writes = jobs::StartJob(integration_, job_, pod_sets_, *infos, policy_.start);
    if (!writes) return FailToStart(writes.error());
    Tell("Started", "Admitted by ClusterQueue " + w().status.admission->cluster_queue);
    return Do(WriteJob{.writes = std::move(*writes)});
  }

  bool FailToStart(const jobs::StartFailure& failure) {
    return !failure.is_permanent || FinishAs(reason::kFailedToStart, failure.error.message);
  }

  bool FollowPriority() {
    return FollowPriority(w()) ||
           (holder_ != nullptr && holder_ != workload_ && FollowPriority(*holder_));
  }

  bool FollowPriority(const api::Workload& workload) {
    ChangeWorkload change{.part = Part::kSpec, .workload = workload};
    const auto is_other =
        FollowClass(metadata_, jobs::PodPriorityClassOf(integration_, job_, workload.spec.pod_sets),
                    *around_.priorities, change.workload);
    if (!is_other) TellOfMissing(is_other.error());
    if (!is_other || !*is_other) return false;
    const auto& ref = change.workload.spec.priority_class_ref;
    Tell("UpdatedWorkload", "Workload " + NameOf(workload) + " is of " +
                                (ref ? "class " + ref->name : "no priority class"));
    return Do(std::move(change));
  }

  // A waiting job may go to another queue.
  bool Follow() {
    const bool waits_for_more = is_elastic_ && holder_ != nullptr && holder_ != workload_;
    if (!is_suspended_ && !waits_for_more) return false;
    if (workload::HasReservation(w()))
      if (std::string text = MessagesOfChecks(w()); !text.empty())
        Tell("UpdatedAdmissionCheck", std::move(text));
    ChangeWorkload change{.part = Part::kSpec, .workload = w()};
    if (const std::string_view queue = jobs::QueueNameOf(metadata_); !queue.empty())
      change.workload.spec.queue_name = queue;
    FollowConstraints(change.workload);
    if (change.workload.spec != w().spec ||
        change.workload.metadata.annotations != w().metadata.annotations)
      Do(std::move(change));
    return true;
  }

  // What its annotations forbid may change while it waits. A field of the Workload that somebody
  // has set there stays as long as they say the same.
  void FollowConstraints(api::Workload& workload) const {
    if (!policy_.workload.has_constraints || workload::HasReservation(workload)) return;
    if (api::ConstraintsOf(metadata_.annotations) !=
        api::ConstraintsOf(workload.metadata.annotations))
      api::CopyConstraints(metadata_.annotations, workload);
  }

  bool StopUnadmitted() {
    if (is_suspended_ || workload::IsAdmitted(w())) return false;
    if (is_elastic_ && holder_ != nullptr && workload::IsAdmitted(*holder_)) return true;
    return Stop(workload_, "It is not admitted");
  }

  const jobs::Integration& integration_;
  const json::value& job_;
  const JobSurroundings& around_;
  const JobPolicy& policy_;
  const base::Time now_;

  api::ObjectMeta metadata_;
  std::vector<jobs::JobPodSet> pod_sets_;
  bool is_suspended_ = false;
  bool is_elastic_ = false;
  std::optional<jobs::JobEnd> end_;
  std::string prebuilt_;
  const api::Workload* workload_ = nullptr;
  // Of an elastic job: the slice whose quota it runs on, and the one that is too small for it.
  const api::Workload* holder_ = nullptr;
  const api::Workload* outgrown_ = nullptr;
  bool is_stopped_ = false;
  JobPlan plan_;
};

}  // namespace

bool HasOurFinalizer(const api::Workload& workload) {
  return std::ranges::find(workload.metadata.finalizers, api::kResourceInUseFinalizer) !=
         workload.metadata.finalizers.end();
}

WorkloadPlan PlanFor(const ChangeWorkload& change) {
  using Write = WorkloadPlan::Write;
  const Write write = change.part == Part::kStatus ? Write::kStatus
                      : change.part == Part::kSpec ? Write::kSpec
                                                   : Write::kMetadata;
  return {.write = write, .workload = change.workload, .notes = change.notes};
}

ChangeWorkload WithoutFinalizer(const api::Workload& workload) {
  ChangeWorkload change{.part = Part::kMetadata, .workload = workload, .notes = {}};
  std::erase(change.workload.metadata.finalizers, api::kResourceInUseFinalizer);
  return change;
}

std::expected<bool, jobs::MissingPriorityClass> FollowClass(const api::ObjectMeta& job,
                                                            const std::string& pod_class,
                                                            const jobs::PriorityTable& priorities,
                                                            api::Workload& workload) {
  const auto& ref = workload.spec.priority_class_ref;
  const std::string_view name = jobs::WorkloadPriorityClassOf(job);
  const bool is_of_pods = ref && ref->kind != api::kWorkloadPriorityClassKind;
  const bool is_fixed = workload::HasReservation(workload) && (!ref || name.empty());
  if (is_of_pods || is_fixed || name == (ref ? std::string_view(ref->name) : "")) return false;
  auto priority = jobs::ResolvePriority(name, pod_class, priorities);
  if (!priority) return std::unexpected(std::move(priority.error()));
  workload.spec.priority_class_ref = std::move(priority->ref);
  workload.spec.priority = priority->value;
  return true;
}

std::string MessagesOfChecks(const api::Workload& workload) {
  std::string text;
  for (const api::AdmissionCheckState& check : workload.status.admission_checks)
    if (check.state == api::kCheckPending && !check.message.empty())
      text += (text.empty() ? "" : "; ") + check.name + ": " + check.message;
  return text;
}

std::optional<base::Time> EndOfRetention(const api::Workload& workload,
                                         const WorkloadPolicy& policy, base::Time now) {
  const api::Condition* evicted =
      api::FindCondition(workload.status.conditions, condition::kEvicted);
  const std::string by_berth = std::string(reason::kDeactivated) + "DueTo";
  if (!policy.retain_deactivated || workload::IsActive(workload) || evicted == nullptr ||
      !evicted->reason.starts_with(by_berth))
    return std::nullopt;
  return evicted->last_transition_time.value_or(now) + *policy.retain_deactivated;
}

JobPolicy JobPolicy::From(const api::Configuration& configuration, const api::FeatureGates& gates) {
  return {.workload = jobs::WorkloadOptions::From(configuration, gates),
          .start = jobs::StartOptions::From(gates),
          .life = WorkloadPolicy::From(configuration, gates),
          .has_reclaimable_pods = gates.IsOn(api::Gate::kReclaimablePods),
          .frees_deleted_pods = gates.IsOn(api::Gate::kFastQuotaReleaseInPodIntegration),
          .checks_group_owner = gates.IsOn(api::Gate::kPodIntegrationValidateGroupOwner),
          .requeues_single_pods = !gates.IsOn(api::Gate::kSkipReassignmentForPodOwnedWorkloads)};
}

JobPlan PlanJob(const jobs::Integration& integration, const json::value& job,
                const JobSurroundings& around, const JobPolicy& policy, base::Time now) {
  return Look(integration, job, around, policy, now).Run();
}

void NotePodsOfJob(const jobs::Integration& integration, const json::value& job,
                   const JobPolicy& policy, base::Time now, api::Workload& workload) {
  const auto pod_sets = jobs::PodSetsOf(integration, job, policy.workload.pod_sets);
  if (pod_sets && !jobs::Finished(integration, job) && !workload::IsFinished(workload))
    NotePods(integration, job, *pod_sets, policy, now, workload);
}

JobPlan PlanJobRelease(const jobs::Integration& integration, const json::value& job,
                       const JobSurroundings& around) {
  JobPlan plan;
  if (!integration.suspend.empty() && jobs::IsSuspended(integration, job)) {
    jobs::JobWrite write{.object = job, .is_status = false};
    if (json::value* flag = jobs::MakeAt(write.object, integration.suspend)) *flag = false;
    plan.actions.push_back(WriteJob{.writes = {std::move(write)}});
  }
  for (const api::Workload* workload : around.workloads)
    plan.actions.push_back(DeleteWorkload{.name = workload->metadata.name});
  plan.notes.push_back({.about = Note::About::kJob,
                        .is_warning = false,
                        .reason = "Released",
                        .message = "It is not managed any more and runs without quota"});
  return plan;
}

std::optional<ChangeWorkload> WithoutOwner(const api::Workload& workload, std::string message,
                                           const WorkloadPolicy& policy, base::Time now) {
  const bool is_orphan = policy.finishes_orphans && !workload.metadata.deletion_timestamp &&
                         jobs::ControllerOf(workload.metadata) != nullptr;
  if (is_orphan && !workload::IsFinished(workload)) {
    ChangeWorkload change{.part = Part::kStatus, .workload = workload};
    workload::MarkFinished(change.workload, reason::kOwnerNotFound, std::move(message), now);
    return change;
  }
  if (!HasOurFinalizer(workload)) return std::nullopt;
  return WithoutFinalizer(workload);
}

JobPlan PlanJobEnd(const JobSurroundings& around, const WorkloadPolicy& policy, base::Time now) {
  JobPlan plan;
  for (const api::Workload* workload : around.workloads)
    if (auto change = WithoutOwner(*workload, "Its job is being deleted", policy, now))
      plan.actions.push_back(std::move(*change));
  return plan;
}

}  // namespace berth::control

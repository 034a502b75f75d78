#include "control/reconcile/job_plan.h"

#include <algorithm>
#include <utility>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/finalizers.h"
#include "control/reconcile/readiness.h"
#include "control/reconcile/reclaimable.h"
#include "control/reconcile/slices.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "json/path.h"
#include "lifecycle/messages.h"
#include "lifecycle/rule_chain.h"
#include "objects/owner_chain.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace condition = api::condition;
namespace messages = lifecycle::messages;
namespace reason = api::reason;
using Part = ChangeWorkload::Part;

// Syncs the readiness and the reclaimable pods of the Workload with the job.
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

// Plans one job. Each rule adds its part and returns whether planning ends with it; the result of
// the writes is planned again.
class JobPlanner {
 public:
  JobPlanner(const jobs::Integration& integration, const json::value& job,
             const JobContext& context, const JobPolicy& policy, base::Time now)
      : integration_(integration), job_(job), context_(context), policy_(policy), now_(now) {}

  JobPlan Run() {
    if (!Read()) return std::move(plan_);
    static constexpr lifecycle::Rule<JobPlanner> kRules[] = {
        &JobPlanner::FindWorkload, &JobPlanner::ReleaseFinished, &JobPlanner::ReleaseDeleted,
        &JobPlanner::Hold,         &JobPlanner::Finish,          &JobPlanner::EnsureWorkload,
        &JobPlanner::SyncPods,     &JobPlanner::SyncPriority,    &JobPlanner::StopEvicted,
        &JobPlanner::Start,        &JobPlanner::SyncQueue,       &JobPlanner::StopUnadmitted,
    };
    lifecycle::RunRules<JobPlanner>(*this, kRules);
    return std::move(plan_);
  }

 private:
  const api::Workload& w() const { return *workload_; }
  std::string NameOf(const api::Workload& w) const { return workload::NamespacedName(w.metadata); }

  void RecordEvent(std::string_view why, std::string message, bool is_warning = false) {
    plan_.events.push_back({.about = lifecycle::EventRecord::About::kJob,
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
    if (!metadata) return RecordEvent("UnreadableJob", metadata.error().message, true), false;
    metadata_ = std::move(*metadata);
    auto pod_sets = jobs::PodSetsOf(integration_, job_, policy_.workload.pod_sets);
    if (!pod_sets) return RecordEvent("UnreadableJob", pod_sets.error().message, true), false;
    pod_sets_ = std::move(*pod_sets);
    is_suspended_ = jobs::IsSuspended(integration_, job_);
    is_elastic_ = integration_.allows_elastic && jobs::IsElastic(metadata_, policy_.workload);
    end_ = jobs::Finished(integration_, job_);
    prebuilt_ = jobs::PrebuiltWorkloadName(metadata_, policy_.workload.reads_name_annotations);
    return true;
  }

  // --- The Workload of the job ----------------------------------------------------------------

  // The runtime of a TrainJob may change while the job runs by the previous one.
  bool RunsByPreviousRuntime(const api::Workload& workload) const {
    return integration_.derives == jobs::kDerivesTrainJob && !is_suspended_ &&
           workload::HasReservation(workload);
  }

  bool IsInSync(const api::Workload& workload) const {
    if (RunsByPreviousRuntime(workload)) return true;
    return jobs::IsEquivalent({.integration = &integration_,
                               .job = &job_,
                               .workload = &workload,
                               .find_flavor = context_.find_flavor,
                               .is_prebuilt = !prebuilt_.empty(),
                               .metadata = &metadata_,
                               .pod_sets = &pod_sets_},
                              policy_.workload, policy_.start)
        .value_or(false);
  }

  bool FindWorkload() {
    if (!prebuilt_.empty()) return FindPrebuilt();
    if (is_elastic_ && NoteRayCluster()) return true;
    if (is_elastic_)
      if (const std::optional<bool> is_all = FindSlice()) return *is_all;
    std::vector<const api::Workload*> others;
    for (const api::Workload* candidate : context_.workloads) {
      if (workload_ == nullptr && IsInSync(*candidate))
        workload_ = candidate;
      else
        others.push_back(candidate);
    }
    if (workload_ == nullptr && !others.empty() && is_suspended_ &&
        !workload::HasReservation(*others.front()) && !workload::IsFinished(*others.front()))
      return Update(*others.front());
    if (workload_ == nullptr && !is_suspended_ && !end_)
      if (Stop(others.size() == 1 ? others.front() : nullptr,
               others.empty() ? messages::WorkloadMissing() : messages::OutOfSync("job")))
        return true;
    for (const api::Workload* other : others) {
      Do(DeleteWorkload{.name = other->metadata.name});
      RecordEvent("DeletedWorkload",
                  messages::WorkloadDeleted(NameOf(*other), messages::PodSetsDiffer("job")));
    }
    return !others.empty();
  }

  // The names of slices contain the generation of the cluster that the job created.
  bool NoteRayCluster() {
    const auto& find = policy_.workload.pod_sets.related.find_ray_cluster;
    const json::value* cluster = find ? find(job_) : nullptr;
    const auto generation =
        cluster == nullptr ? std::nullopt : json::IntAt(*cluster, "metadata.generation");
    constexpr std::string_view kKey = jobs::kRayClusterGenerationAnnotation;
    if (!generation || metadata_.annotations.ValueOrEmpty(kKey) == std::to_string(*generation))
      return false;
    jobs::JobWrite write{.object = job_};
    json::value* at = json::MakeAt(write.object, "metadata.annotations[" + std::string(kKey) + "]");
    if (at == nullptr) return false;
    *at = std::to_string(*generation);
    return Do(WriteJob{.writes = {std::move(write)}});
  }

  // Nullopt if the job has other pod sets now: then its slices no longer match.
  std::optional<bool> FindSlice() {
    const SliceChoice choice = ChooseSlices(context_.workloads);
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
        return Do(std::move(change));
      }
      case SliceFit::kReplace:
        if (end_ || workload::IsEvicted(*choice.current)) break;
        outgrown_ = choice.current;
        return false;
    }
    workload_ = choice.current;
    const bool is_outdated =
        is_suspended_ && !workload::HasReservation(w()) && !end_ && !IsInSync(w());
    return is_outdated && Update(w());
  }

  // Finishes slices that were replaced or, once the job has ended, all but the current one. Lets
  // finished ones go that a user deletes.
  bool EndSlices(const SliceChoice& choice) {
    for (const api::Workload* slice : context_.workloads)
      if (slice->metadata.deletion_timestamp && workload::IsFinished(*slice) &&
          HasOurFinalizer(*slice))
        Do(WithoutFinalizer(*slice));
    const auto end = [&](const api::Workload& slice, std::string_view why, std::string message) {
      api::Workload after = slice;
      workload::MarkFinished(after, why, std::move(message), now_);
      WriteStatus(std::move(after));
    };
    for (const SliceChoice::Ended& ended : choice.ended)
      end(*ended.slice, ended.reason, messages::SliceReplaced(NameOf(*choice.current)));
    if (end_ && choice.holder != nullptr && choice.holder != choice.current)
      end(*choice.holder, end_->is_success ? reason::kSucceeded : reason::kFailed, end_->message);
    return !plan_.actions.empty();
  }

  // All slices are finished. So is the job, unless they were only replaced.
  bool FindEndedSlice() {
    for (const api::Workload* slice : context_.workloads) {
      const api::Condition* finished =
          api::FindCondition(slice->status.conditions, condition::kFinished);
      if (finished->reason != reason::kWorkloadSliceReplaced &&
          finished->reason != reason::kOutOfSync)
        workload_ = slice;
    }
    return false;
  }

  bool FindPrebuilt() {
    if (context_.workloads.empty()) return false;
    const api::Workload& found = *context_.workloads.front();
    if (objects::ControllerOf(found.metadata) == nullptr) {
      ChangeWorkload change{.part = Part::kMetadata, .workload = found};
      change.workload.metadata.owner_references.push_back(
          jobs::OwnerReferenceTo(integration_, metadata_, true));
      change.workload.metadata.labels.Set(api::kJobUidLabel, metadata_.uid);
      return Do(std::move(change));
    }
    if (!IsInSync(found) && !workload::IsFinished(found)) {
      api::Workload after = found;
      workload::MarkFinished(after, reason::kOutOfSync, messages::OutOfSync("job"), now_);
      return WriteStatus(std::move(after));
    }
    workload_ = &found;
    return false;
  }

  // Syncs the Workload with a suspended job that was changed.
  bool Update(const api::Workload& old) {
    auto made = jobs::WorkloadFor(integration_, job_, *context_.priorities, policy_.workload);
    if (!made) return Complain(made.error());
    ChangeWorkload change{.part = Part::kSpec, .workload = old};
    change.workload.spec = std::move(made->spec);
    change.workload.spec.active = old.spec.active;
    FollowConstraints(metadata_.annotations, policy_.workload, change.workload);
    RecordEvent("UpdatedWorkload",
                messages::WorkloadUpdated(NameOf(old), messages::PodSetsFollow("job")));
    return Do(std::move(change));
  }

  bool Complain(const jobs::WorkloadFailure& why) {
    if (why.missing_class)
      TellOfMissing(*why.missing_class);
    else
      RecordEvent("UnreadableJob", why.error.message, true);
    return true;
  }

  void TellOfMissing(const jobs::MissingPriorityClass& missing) {
    RecordEvent(missing.kind + "NotFound", missing.ToString(), true);
  }

  bool ReleaseFinished() {
    if (workload_ == nullptr || !workload::IsFinished(w())) return false;
    // Slices stay as long as their job.
    if (HasOurFinalizer(w()) && !is_elastic_) Do(WithoutFinalizer(w()));
    return true;
  }

  bool ReleaseDeleted() {
    if (workload_ == nullptr || !w().metadata.deletion_timestamp) return false;
    if (Stop(workload_, messages::WorkloadGone()) && !is_stopped_) return true;
    if (HasOurFinalizer(w())) Do(WithoutFinalizer(w()));
    return true;
  }

  bool Hold() {
    const std::string why = jobs::HoldReason(integration_, job_);
    if (why.empty()) return false;
    if (workload_ != nullptr && workload::HasReservation(w())) {
      api::Workload after = w();
      workload::MarkUnreserved(after, reason::kOnHold, messages::JobOnHold(why), now_);
      WriteStatus(std::move(after));
    }
    return true;
  }

  bool FinishAs(std::string_view why, std::string message) {
    api::Workload after = w();
    workload::MarkFinished(after, why, std::move(message), now_);
    RecordEvent("FinishedWorkload", messages::WorkloadFinished(NameOf(w())));
    return WriteStatus(std::move(after));
  }

  bool Finish() {
    if (!end_) return false;
    if (workload_ == nullptr) return true;
    return FinishAs(end_->is_success ? reason::kSucceeded : reason::kFailed, end_->message);
  }

  bool EnsureWorkload() {
    if (workload_ != nullptr) return false;
    if (!prebuilt_.empty()) {
      Stop(nullptr, messages::WorkloadNotFound(prebuilt_));
      return true;
    }
    // The pods must be gone first, unless they belong to the slice that is replaced.
    if (outgrown_ == nullptr && jobs::IsActive(integration_, job_)) return true;
    auto made =
        jobs::WorkloadFor(integration_, job_, *context_.priorities, policy_.workload, outgrown_);
    if (!made) return Complain(made.error());
    RecordEvent("CreatedWorkload", messages::WorkloadCreated(NameOf(*made)));
    if (!made->spec.queue_name)
      RecordEvent(messages::kQueueNameMissing, messages::QueueNameMissing(), true);
    return Do(CreateWorkload{.workload = std::move(*made)});
  }

  // --- Suspended or running --------------------------------------------------------------------

  bool SyncPods() {
    api::Workload after = w();
    if (!NotePods(integration_, job_, pod_sets_, policy_, now_, after)) return false;
    return WriteStatus(std::move(after));
  }

  // Suspends the job and restores its templates. False if both is done already.
  bool Stop(const api::Workload* as_in, const std::string& why) {
    const std::vector<jobs::PodSetInfo> infos =
        as_in == nullptr ? std::vector<jobs::PodSetInfo>() : jobs::InfosFromPodSets(*as_in);
    jobs::StopPlan stop = jobs::StopJob(integration_, job_, pod_sets_, infos, is_elastic_);
    is_stopped_ = stop.is_complete;
    if (stop.stops_now && stop.is_complete) RecordEvent("Stopped", why);
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
    // Without quota the job may change, as before its first admission.
    return is_writing || workload::HasReservation(w()) || !plan_.actions.empty();
  }

  void RetainDeactivated() {
    const std::optional<base::Time> end = EndOfRetention(w(), policy_.life, now_);
    if (!end) return;
    if (now_ < *end) {
      plan_.requeue_at = end;
      return;
    }
    RecordEvent("Deleted", messages::RetentionExpired(integration_.kind, "afterDeactivatedByKueue",
                                                      *policy_.life.retain_deactivated));
    Do(DeleteJob{});
  }

  bool Start() {
    if (!is_suspended_ || !workload::IsAdmitted(w())) return false;
    auto infos = jobs::InfosFromAdmission(w(), context_.find_flavor, policy_.start);
    if (!infos) return FailToStart(infos.error());
    auto writes = jobs::StartJob(integration_, job_, pod_sets_, *infos, policy_.start);
    if (!writes) return FailToStart(writes.error());
    RecordEvent("Started", messages::Admitted(w().status.admission->cluster_queue));
    return Do(WriteJob{.writes = std::move(*writes)});
  }

  bool FailToStart(const jobs::StartFailure& failure) {
    return !failure.is_permanent || FinishAs(reason::kFailedToStart, failure.error.message);
  }

  bool SyncPriority() {
    return SyncPriority(w()) ||
           (holder_ != nullptr && holder_ != workload_ && SyncPriority(*holder_));
  }

  bool SyncPriority(const api::Workload& workload) {
    ChangeWorkload change{.part = Part::kSpec, .workload = workload};
    const auto is_other =
        FollowClass(metadata_, jobs::PodPriorityClassOf(integration_, job_, workload.spec.pod_sets),
                    *context_.priorities, change.workload);
    if (!is_other) TellOfMissing(is_other.error());
    if (!is_other || !*is_other) return false;
    const auto& ref = change.workload.spec.priority_class_ref;
    RecordEvent("UpdatedWorkload",
                messages::WorkloadUpdated(NameOf(workload),
                                          messages::PriorityClassIs(ref ? ref->name : "")));
    return Do(std::move(change));
  }

  // A suspended job may change its queue.
  bool SyncQueue() {
    const bool waits_for_more = is_elastic_ && holder_ != nullptr && holder_ != workload_;
    if (!is_suspended_ && !waits_for_more) return false;
    if (workload::HasReservation(w()))
      if (std::string text = MessagesOfChecks(w()); !text.empty())
        RecordEvent("UpdatedAdmissionCheck", std::move(text));
    ChangeWorkload change{.part = Part::kSpec, .workload = w()};
    if (const std::string_view queue = jobs::QueueNameOf(metadata_); !queue.empty())
      change.workload.spec.queue_name = queue;
    FollowConstraints(metadata_.annotations, policy_.workload, change.workload);
    if (change.workload.spec != w().spec ||
        change.workload.metadata.annotations != w().metadata.annotations)
      Do(std::move(change));
    return true;
  }

  bool StopUnadmitted() {
    if (is_suspended_ || workload::IsAdmitted(w())) return false;
    if (is_elastic_ && holder_ != nullptr && workload::IsAdmitted(*holder_)) return true;
    return Stop(workload_, messages::NotAdmitted());
  }

  const jobs::Integration& integration_;
  const json::value& job_;
  const JobContext& context_;
  const JobPolicy& policy_;
  const base::Time now_;

  api::ObjectMeta metadata_;
  std::vector<jobs::JobPodSet> pod_sets_;
  bool is_suspended_ = false;
  bool is_elastic_ = false;
  std::optional<jobs::JobEnd> end_;
  std::string prebuilt_;
  const api::Workload* workload_ = nullptr;
  // Elastic jobs only: the slice whose quota the job uses, and the slice that is too small for it.
  const api::Workload* holder_ = nullptr;
  const api::Workload* outgrown_ = nullptr;
  bool is_stopped_ = false;
  JobPlan plan_;
};

}  // namespace

bool HasOurFinalizer(const api::Workload& workload) {
  return api::HasFinalizer(workload.metadata, api::kResourceInUseFinalizer);
}

lifecycle::WorkloadPlan PlanFor(const ChangeWorkload& change) {
  using Write = lifecycle::WorkloadPlan::Write;
  const Write write = change.part == Part::kStatus ? Write::kStatus
                      : change.part == Part::kSpec ? Write::kSpec
                                                   : Write::kMetadata;
  return {.write = write, .workload = change.workload, .events = change.events};
}

ChangeWorkload WithoutFinalizer(const api::Workload& workload) {
  ChangeWorkload change{.part = Part::kMetadata, .workload = workload, .events = {}};
  api::RemoveFinalizer(change.workload.metadata, api::kResourceInUseFinalizer);
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

void FollowConstraints(const base::FlatMap<std::string>& annotations,
                       const jobs::WorkloadOptions& options, api::Workload& workload) {
  if (!options.has_constraints || workload::HasReservation(workload)) return;
  if (api::ConstraintsOf(annotations) != api::ConstraintsOf(workload.metadata.annotations))
    api::CopyConstraints(annotations, workload);
}

std::string MessagesOfChecks(const api::Workload& workload) {
  std::string text;
  for (const api::AdmissionCheckState& check : workload.status.admission_checks)
    if (check.state == api::kCheckPending && !check.message.empty())
      text += (text.empty() ? "" : "; ") + check.name + ": " + check.message;
  return text;
}

std::optional<base::Time> EndOfRetention(const api::Workload& workload,
                                         const lifecycle::LifecyclePolicy& policy, base::Time now) {
  const api::Condition* evicted =
      api::FindCondition(workload.status.conditions, condition::kEvicted);
  const std::string by_berth = std::string(reason::kDeactivated) + "DueTo";
  if (!policy.retain_deactivated || workload::IsActive(workload) || evicted == nullptr ||
      !evicted->reason.starts_with(by_berth))
    return std::nullopt;
  return evicted->last_transition_time.value_or(now) + *policy.retain_deactivated;
}

JobPolicy JobPolicy::From(const api::Configuration& configuration, const api::FeatureGates& gates) {
  const bool replaces_nodes = gates.IsOn(api::Gate::kTopologyAwareScheduling) &&
                              gates.IsOn(api::Gate::kTASFailedNodeReplacement);
  return {.workload = jobs::WorkloadOptions::From(configuration, gates),
          .start = jobs::StartOptions::From(gates),
          .life = lifecycle::LifecyclePolicy::From(configuration, gates),
          .has_reclaimable_pods = gates.IsOn(api::Gate::kReclaimablePods),
          .defers_cleanup = gates.IsOn(api::Gate::kDeferRayServiceFinalizationForRedisCleanup),
          .removes_finalizers_strictly = gates.IsOn(api::Gate::kRemoveFinalizersWithStrictPatch),
          .frees_deleted_pods = gates.IsOn(api::Gate::kFastQuotaReleaseInPodIntegration),
          .checks_group_owner = gates.IsOn(api::Gate::kPodIntegrationValidateGroupOwner),
          .requeues_single_pods = !gates.IsOn(api::Gate::kSkipReassignmentForPodOwnedWorkloads),
          .node_failures =
              replaces_nodes ? std::optional(NodeFailurePolicy::From(gates)) : std::nullopt,
          .deletes_stuck_pods = gates.IsOn(api::Gate::kFailureRecoveryPolicy)};
}

JobPlan PlanJob(const jobs::Integration& integration, const json::value& job,
                const JobContext& context, const JobPolicy& policy, base::Time now) {
  return JobPlanner(integration, job, context, policy, now).Run();
}

void NotePodsOfJob(const jobs::Integration& integration, const json::value& job,
                   const JobPolicy& policy, base::Time now, api::Workload& workload) {
  const auto pod_sets = jobs::PodSetsOf(integration, job, policy.workload.pod_sets);
  if (pod_sets && !jobs::Finished(integration, job) && !workload::IsFinished(workload))
    NotePods(integration, job, *pod_sets, policy, now, workload);
}

JobPlan PlanJobRelease(const jobs::Integration& integration, const json::value& job,
                       const JobContext& context) {
  JobPlan plan;
  if (!integration.suspend.empty() && jobs::IsSuspended(integration, job)) {
    jobs::JobWrite write{.object = job, .is_status = false};
    if (json::value* flag = json::MakeAt(write.object, integration.suspend)) *flag = false;
    plan.actions.push_back(WriteJob{.writes = {std::move(write)}});
  }
  for (const api::Workload* workload : context.workloads)
    plan.actions.push_back(DeleteWorkload{.name = workload->metadata.name});
  plan.events.push_back({.about = lifecycle::EventRecord::About::kJob,
                         .is_warning = false,
                         .reason = "Released",
                         .message = messages::Released()});
  return plan;
}

std::optional<ChangeWorkload> WithoutOwner(const api::Workload& workload, std::string message,
                                           const lifecycle::LifecyclePolicy& policy,
                                           base::Time now) {
  const bool is_orphan = policy.finishes_orphans && !workload.metadata.deletion_timestamp &&
                         objects::ControllerOf(workload.metadata) != nullptr;
  if (is_orphan && !workload::IsFinished(workload)) {
    ChangeWorkload change{.part = Part::kStatus, .workload = workload};
    workload::MarkFinished(change.workload, reason::kOwnerNotFound, std::move(message), now);
    return change;
  }
  if (!HasOurFinalizer(workload)) return std::nullopt;
  return WithoutFinalizer(workload);
}

bool DefersEnd(const jobs::Integration& integration, const json::value& job,
               const JobPolicy& policy) {
  return policy.defers_cleanup && jobs::CleansUp(integration, job);
}

JobPlan PlanJobEnd(const JobContext& context, const lifecycle::LifecyclePolicy& policy,
                   base::Time now) {
  JobPlan plan;
  for (const api::Workload* workload : context.workloads)
    if (auto change = WithoutOwner(*workload, messages::OwnerDeleted("job"), policy, now))
      plan.actions.push_back(std::move(*change));
  return plan;
}

}  // namespace berth::control

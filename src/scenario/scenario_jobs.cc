#include "scenario/scenario_jobs.h"

#include <algorithm>
#include <utility>

#include "api/core/namespace.h"
#include "api/core/priority_class.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/kueue/workload_priority_class.h"
#include "base/text.h"
#include "jobs/defaulting.h"
#include "jobs/job_state.h"
#include "jobs/managed_reason.h"
#include "jobs/pods/pod_group.h"
#include "jobs/start_stop.h"
#include "json/path.h"
#include "objects/owner_chain.h"
#include "schema/decode.h"
#include "schema/defaults.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::scenario {
namespace {

void RemoveGate(json::value& pod) {
  json::value* gates = json::FindAt(pod, "spec.schedulingGates");
  if (gates == nullptr || !gates->is_array()) return;
  json::array kept;
  for (const json::value& gate : gates->get_array())
    if (json::TextAt(gate, "name") != api::kAdmissionSchedulingGate) kept.push_back(gate);
  *gates = std::move(kept);
}

void AddGate(json::value& pod) {
  RemoveGate(pod);
  json::value* gates = json::MakeAt(pod, "spec.schedulingGates");
  if (gates == nullptr) return;
  if (!gates->is_array()) gates->emplace_array();
  gates->get_array().push_back(
      json::object{{"name", json::BoostView(api::kAdmissionSchedulingGate)}});
}

void SetSuspended(const jobs::Integration& integration, json::value& job, bool is_suspended) {
  if (integration.suspension == jobs::kSuspendedByGate)
    return is_suspended ? AddGate(job) : RemoveGate(job);
  if (integration.uses_scheduling_gates()) return;
  if (json::value* flag = json::MakeAt(job, integration.suspend)) *flag = is_suspended;
}

// Kinds that wait through their pods have no suspend flag.
bool HasSuspendFlag(const jobs::Integration& integration) {
  return !integration.uses_scheduling_gates() || integration.suspension == jobs::kSuspendedByGate;
}

}  // namespace

ScenarioJobs::ScenarioJobs(const api::Configuration& configuration, const api::FeatureGates& gates,
                           workload::ClusterState& cluster)
    : gates_(gates),
      policy_(configuration, gates),
      options_(jobs::WorkloadOptions::From(configuration, gates)),
      cluster_(cluster) {}

// --- Objects -------------------------------------------------------------------------------------

void ScenarioJobs::Change(const Step& step) {
  for (const api::Object& object : step.apply) OnUpsert(object);
  std::vector<Key> created;
  for (const AnyObject& object : step.jobs) UpsertJob(object, created);
  for (const ObjectName& name : step.remove) OnDelete(name);
  // Owners first: an owner that gets a queue by default becomes managed.
  std::ranges::sort(created);
  std::ranges::stable_sort(created, {}, [&](const Key& key) {
    const auto job = jobs_.find(key);
    return job == jobs_.end() ? 0 : OwnersOf(job->second.object).size();
  });
  for (const Key& key : created)
    if (const auto job = jobs_.find(key); job != jobs_.end()) ApplyWebhookDefaults(job->second);
  Sync();
}

void ScenarioJobs::OnUpsert(const api::Object& object) {
  const api::ObjectMeta& metadata = *object.metadata();
  if (object.As<api::Namespace>() != nullptr) namespaces_[metadata.name] = metadata.labels;
  if (const auto* priority = object.As<api::PriorityClass>())
    pod_priorities_.insert_or_assign(metadata.name, *priority);
  if (const auto* priority = object.As<api::WorkloadPriorityClass>())
    workload_priorities_.insert_or_assign(metadata.name, *priority);
  if (metadata.uid.empty() || object.As<api::Workload>() != nullptr) return;
  others_[NameOf(object.kind().kind, metadata.namespace_, metadata.name)] = {
      .api_version = object.kind().ApiVersion(),
      .kind = std::string(object.kind().kind),
      .metadata = metadata,
      .tree = {}};
}

void ScenarioJobs::OnDelete(const ObjectName& name) {
  const Key key = NameOf(name.kind_name, name.namespace_, name.name);
  if (const auto job = jobs_.find(key); job != jobs_.end()) {
    DropWorkloads(job->second);
    jobs_.erase(job);
  }
  others_.erase(key);
  if (name.kind == &api::Namespace::KindInfo()) namespaces_.erase(name.name);
  if (name.kind == &api::PriorityClass::KindInfo()) pod_priorities_.erase(name.name);
  if (name.kind == &api::WorkloadPriorityClass::KindInfo()) workload_priorities_.erase(name.name);
}

// A replaced object keeps its suspend flag, or the gate of a pod.
void ScenarioJobs::UpsertJob(const AnyObject& object, std::vector<Key>& created) {
  const Key key = NameOf(object);
  const auto [place, is_new] = jobs_.try_emplace(key);
  Job& job = place->second;
  const bool is_other = is_new || job.object.metadata.uid != object.metadata.uid;
  if (is_other) {
    DropWorkloads(job);
    job = {.object = object,
           .integration = integrations_.Find(object.api_version, object.kind),
           .answer = {},
           .workloads = {},
           .problem = {}};
    created.push_back(key);
    return;
  }
  const AnyObject before = std::exchange(job.object, object);
  if (job.integration == nullptr || !HasSuspendFlag(*job.integration)) return;
  SetSuspended(*job.integration, job.object.tree, jobs::IsSuspended(*job.integration, before.tree));
}

void ScenarioJobs::ApplyWebhookDefaults(Job& job) {
  if (job.integration == nullptr) return;
  const std::string& space = job.object.metadata.namespace_;
  const api::Labels labels = LabelsOf(space);
  const std::vector<jobs::ObjectView> owners = OwnersOf(job.object);
  auto defaulted = jobs::ApplyJobDefaults(
      *job.integration, job.object.tree,
      {.policy = &policy_,
       .namespace_labels = &labels,
       .owners = owners,
       .gates = gates_,
       .has_default_queue = cluster_.FindLocalQueue(workload::NamespacedName(
                                space, api::kDefaultLocalQueueName)) != nullptr,
       .has_default_priority_class =
           workload_priorities_.contains(std::string(api::kDefaultPriorityClassName)),
       .is_multi_kueue = {}});
  if (!defaulted) return;
  auto metadata = jobs::MetadataOf(defaulted->job);
  if (!metadata) return;
  job.object.tree = std::move(defaulted->job);
  job.object.metadata = *std::move(metadata);
}

jobs::ObjectView ScenarioJobs::ViewOf(const AnyObject& object) const {
  return {.api_version = object.api_version, .kind = object.kind, .metadata = &object.metadata};
}

std::vector<jobs::ObjectView> ScenarioJobs::OwnersOf(const AnyObject& object) const {
  const auto find = [&](std::string_view uid) -> const AnyObject* {
    for (const auto& [key, job] : jobs_)
      if (job.object.metadata.uid == uid) return &job.object;
    for (const auto& [key, other] : others_)
      if (other.metadata.uid == uid) return &other;
    return nullptr;
  };
  std::vector<jobs::ObjectView> owners;
  objects::WalkOwners(object.metadata, [&](const api::OwnerReference& reference) {
    const AnyObject* owner = find(reference.uid);
    return owner == nullptr ? nullptr : owners.emplace_back(ViewOf(*owner)).metadata;
  });
  return owners;
}

api::Labels ScenarioJobs::LabelsOf(const std::string& namespace_name) const {
  const auto known = namespaces_.find(namespace_name);
  api::Labels labels = known == namespaces_.end() ? api::Labels() : known->second;
  labels.Set(api::kNamespaceNameLabel, namespace_name);
  return labels;
}

jobs::PriorityTable ScenarioJobs::Priorities() const {
  jobs::PriorityTable table;
  for (const auto& [name, priority] : pod_priorities_) table.Add(priority);
  for (const auto& [name, priority] : workload_priorities_) table.Add(priority);
  return table;
}

// --- Workloads -----------------------------------------------------------------------------------

void ScenarioJobs::Sync() {
  const jobs::PriorityTable priorities = Priorities();
  for (auto& [key, job] : jobs_) SyncJob(job, priorities);
  SyncGroups(priorities);
}

void ScenarioJobs::SyncJob(Job& job, const jobs::PriorityTable& priorities) {
  job.answer = jobs::IsManaged(ViewOf(job.object), LabelsOf(job.object.metadata.namespace_),
                               OwnersOf(job.object), policy_);
  job.problem.clear();
  if (job.integration == nullptr || jobs::IsSkipped(*job.integration, job.object.tree)) return;
  const bool is_late_pod = job.integration->suspension == jobs::kSuspendedByGate &&
                           job.workloads.empty() &&
                           !jobs::IsSuspended(*job.integration, job.object.tree);
  if (job.answer.is_managed() && is_late_pod) {
    job.problem = "it runs already, and a pod can only be held back when it is created";
    return;
  }
  if (job.answer.is_managed()) return MakeWorkloads(job, priorities);
  if (jobs::IsReleasedBy(job.answer.reason) && !job.workloads.empty()) Release(job);
}

std::string ScenarioJobs::GroupOf(const Job& job) const {
  if (job.integration == nullptr || job.integration->suspension != jobs::kSuspendedByGate)
    return {};
  return jobs::PodGroupName(job.object.metadata, options_.reads_name_annotations);
}

bool ScenarioJobs::WaitsInOwnersWorkload(const Job& job) const {
  if (job.answer.reason != jobs::ManagedReason::kPodOfManaged) return false;
  const std::string* parent =
      job.object.metadata.annotations.Find(api::kPodSuspendingParentAnnotation);
  const jobs::Integration* owner =
      parent == nullptr ? nullptr : integrations_.FindFramework(*parent);
  return owner != nullptr && owner->suspension != jobs::kSuspendedByPodGates;
}

void ScenarioJobs::MakeWorkloads(Job& job, const jobs::PriorityTable& priorities) {
  const std::string_view suspension = job.integration->suspension;
  const api::ObjectMeta& metadata = job.object.metadata;
  if (suspension == jobs::kSuspendedByPodGates || WaitsInOwnersWorkload(job) ||
      !GroupOf(job).empty())
    return;
  const std::string prebuilt = workload::NamespacedName(
      metadata.namespace_, jobs::PrebuiltWorkloadName(metadata, options_.reads_name_annotations));
  if (!prebuilt.ends_with('/')) {
    job.workloads.clear();
    if (cluster_.FindWorkload(prebuilt) != nullptr) job.workloads = {prebuilt};
    return;
  }
  const std::string base_name = base::LowerCase(job.object.kind) + "-" + metadata.name;
  const auto keep = [&](std::expected<api::Workload, jobs::WorkloadFailure> made,
                        std::string name) {
    if (!made) {
      job.problem = made.error().error.message;
      const std::string before = workload::NamespacedName(metadata.namespace_, name);
      if (cluster_.FindWorkload(before) != nullptr) job.workloads.push_back(before);
      return;
    }
    made->metadata.name = std::move(name);
    job.workloads.push_back(UpsertWorkload(*std::move(made), job.object));
  };
  const bool is_first = job.workloads.empty();
  job.workloads.clear();
  if (suspension == jobs::kSuspendedAsGroups) {
    const int32_t replicas =
        std::clamp(json::IntAt(job.object.tree, "spec.replicas").value_or(1), 0, 100);
    for (int32_t i = 0; i < replicas; ++i)
      keep(jobs::GroupWorkloadFor(*job.integration, job.object.tree, static_cast<size_t>(i),
                                  priorities, options_),
           base_name + "-" + std::to_string(i));
  } else if (suspension == jobs::kSuspendedAsGroup) {
    keep(jobs::GroupWorkloadFor(*job.integration, job.object.tree, 0, priorities, options_),
         base_name);
  } else {
    keep(jobs::WorkloadFor(*job.integration, job.object.tree, priorities, options_), base_name);
  }
  // A running job that becomes managed is suspended.
  if (is_first && !job.workloads.empty()) SetSuspended(*job.integration, job.object.tree, true);
}

void ScenarioJobs::SyncGroups(const jobs::PriorityTable& priorities) {
  std::map<std::pair<std::string, std::string>, std::vector<Job*>> members;
  for (auto& [key, job] : jobs_) {
    const std::string group = GroupOf(job);
    if (group.empty() || !job.answer.is_managed() || !job.problem.empty() ||
        WaitsInOwnersWorkload(job))
      continue;
    members[{job.object.metadata.namespace_, group}].push_back(&job);
  }
  for (const auto& [name, pods] : members) {
    jobs::PodGroup group{.name = name.second, .pods = {}};
    for (const Job* job : pods) {
      auto pod = schema::Decode<api::Pod>(json::Print(job->object.tree));
      if (pod) group.pods.push_back(*std::move(pod));
    }
    if (group.pods.empty()) continue;
    auto composed = jobs::ComposeGroup(group, priorities, options_);
    const std::string workload =
        composed ? UpsertWorkload(std::move(composed->workload), pods.front()->object)
                 : std::string();
    for (Job* job : pods) {
      job->problem = composed ? "" : composed.error().error.message;
      if (composed) job->workloads = {workload};
    }
  }
}

// Creates the Workload, or updates its spec while it holds no quota. Returns its name.
std::string ScenarioJobs::UpsertWorkload(api::Workload made, const AnyObject& job) {
  made.metadata.namespace_ = job.metadata.namespace_;
  const std::string name = workload::NamespacedName(made.metadata);
  schema::ApplyDefaults(made);
  const api::Workload* known = cluster_.FindWorkload(name);
  if (known == nullptr) {
    made.metadata.uid = "made for " + job.kind + " " + name;
    made.metadata.creation_timestamp = job.metadata.creation_timestamp;
    cluster_.Apply(made);
  } else if (!workload::HoldsQuota(*known) && !workload::IsFinished(*known)) {
    made.spec.active = known->spec.active;
    api::Workload changed = *known;
    changed.spec = std::move(made.spec);
    changed.metadata.annotations = std::move(made.metadata.annotations);
    if (!(changed == *known)) cluster_.Apply(changed);
  }
  return name;
}

void ScenarioJobs::DropWorkloads(Job& job) {
  for (const std::string& name : std::exchange(job.workloads, {})) {
    const size_t slash = name.find('/');
    cluster_.Delete(api::Workload::KindInfo(), name.substr(0, slash), name.substr(slash + 1));
  }
}

void ScenarioJobs::Release(Job& job) {
  DropWorkloads(job);
  SetSuspended(*job.integration, job.object.tree, false);
}

void ScenarioJobs::SyncSuspension() {
  for (auto& [key, job] : jobs_) {
    if (job.integration == nullptr || job.workloads.empty()) continue;
    const api::Workload* made = cluster_.FindWorkload(job.workloads.front());
    if (made == nullptr || workload::IsFinished(*made)) continue;
    SetSuspended(*job.integration, job.object.tree, !workload::HoldsQuota(*made));
  }
}

JobOutcomes ScenarioJobs::Outcomes() const {
  JobOutcomes outcomes;
  for (const auto& [key, job] : jobs_) {
    JobOutcome outcome;
    outcome.is_managed = job.answer.is_managed();
    outcome.reason = jobs::ReasonName(job.answer.reason);
    outcome.queue = jobs::QueueNameOf(job.object.metadata);
    if (job.integration != nullptr && HasSuspendFlag(*job.integration))
      outcome.is_suspended = jobs::IsSuspended(*job.integration, job.object.tree);
    outcome.workloads = job.workloads;
    outcome.problem = job.problem;
    outcome.answer = jobs::ToString(job.answer, ViewOf(job.object), policy_);
    outcomes.Set(key, std::move(outcome));
  }
  return outcomes;
}

}  // namespace berth::scenario

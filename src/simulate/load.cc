#include "simulate/load.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/conditions.h"
#include "api/configuration.h"
#include "api/priority_class.h"
#include "api/problem_report.h"
#include "api/well_known.h"
#include "api/workload_priority_class.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/priority.h"
#include "jobs/workload_for.h"
#include "schema/defaults.h"
#include "store/json.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::simulate {
namespace {

using workload::NamespacedName;

api::Object AsStored(const api::Object& read) {
  api::Object object = read.Clone();
  schema::ApplyDefaults(object.kind().structure(), object.value());
  auto* metadata = const_cast<api::ObjectMeta*>(object.metadata());
  if (metadata == nullptr) return object;
  if (!object.kind().is_namespaced) {
    metadata->namespace_.clear();
  } else if (metadata->namespace_.empty()) {
    metadata->namespace_ = "default";
  }
  return object;
}

std::string ObjectKey(const api::Object& object) {
  return std::string(object.kind().kind) + ' ' + NamespacedName(*object.metadata());
}

// Kinds whose objects are jobs, or no objects of a cluster at all.
bool IsStored(const api::Object& object) {
  return object.metadata() != nullptr && object.As<api::Configuration>() == nullptr;
}

const jobs::Integration* IntegrationOf(const api::Manifest& manifest) {
  return jobs::IntegrationSet::BuiltIn().Find(manifest.api_version, manifest.kind);
}

std::optional<base::Duration> RunTimeIn(const base::FlatMap<std::string>& annotations) {
  const std::string* text = annotations.Find(kRunTimeAnnotation);
  if (text == nullptr) return std::nullopt;
  const std::optional<base::Duration> length = base::ParseDuration(*text);
  return length && length->nanos >= 0 ? length : std::nullopt;
}

class Loader {
 public:
  Loader(std::span<const api::Manifest> manifests, LoadOptions options)
      : manifests_(manifests), gates_(options.gates) {
    loaded_.input.configuration = std::move(options.configuration);
    loaded_.input.gates = options.gates;
    if (options.start) {
      loaded_.input.start = *options.start;
      loaded_.input.has_start = true;
    }
  }

  Loaded Run() {
    for (const api::Manifest& manifest : manifests_) Take(manifest);
    for (auto& [key, object] : objects_) loaded_.input.objects.push_back(std::move(object));
    for (const api::Manifest* job : job_manifests_) TakeJob(*job);
    if (!loaded_.input.has_start && latest_ > base::kZeroTime) {
      loaded_.input.start = latest_;
      loaded_.input.has_start = true;
    }
    for (auto& [name, workload] : workloads_) AddWorkload(name, std::move(workload));
    SeparateUids();
    SortJobs(loaded_.input);
    return std::move(loaded_);
  }

 private:
  void Take(const api::Manifest& manifest) {
    if (IntegrationOf(manifest) != nullptr) {
      job_manifests_.push_back(&manifest);
      NoteRunTime(manifest);
      return;
    }
    if (!manifest.object || !IsStored(*manifest.object)) return;
    api::Object object = AsStored(*manifest.object);
    if (const auto* workload = object.As<api::Workload>()) {
      NoteTimes(*workload);
      for (const api::OwnerReference& owner : workload->metadata.owner_references)
        owners_.insert(owner.kind + ' ' +
                       NamespacedName(workload->metadata.namespace_, owner.name));
      workloads_.insert_or_assign(NamespacedName(workload->metadata), *workload);
      return;
    }
    if (const auto* c = object.As<api::WorkloadPriorityClass>()) priorities_.Add(*c);
    if (const auto* c = object.As<api::PriorityClass>()) priorities_.Add(*c);
    std::string key = ObjectKey(object);
    objects_.insert_or_assign(std::move(key), std::move(object));
  }

  void NoteRunTime(const api::Manifest& manifest) {
    const api::ObjectMeta& metadata = manifest.metadata();
    if (const auto length = RunTimeIn(metadata.annotations)) run_times_[JobKey(manifest)] = *length;
  }

  static std::string JobKey(const api::Manifest& manifest) {
    const api::ObjectMeta& metadata = manifest.metadata();
    const std::string_view space =
        metadata.namespace_.empty() ? "default" : std::string_view(metadata.namespace_);
    return manifest.kind + ' ' + NamespacedName(space, metadata.name);
  }

  void NoteTimes(const api::Workload& workload) {
    const auto note = [&](const std::optional<base::Time>& time) {
      if (time) latest_ = std::max(latest_, *time);
    };
    note(workload.metadata.creation_timestamp);
    for (const api::Condition& condition : workload.status.conditions)
      note(condition.last_transition_time);
  }

  // --- Jobs without a Workload ------------------------------------------------------------------

  void TakeJob(const api::Manifest& manifest) {
    const std::string* queue = manifest.metadata().labels.Find(api::kQueueNameLabel);
    if (queue == nullptr || queue->empty() || owners_.contains(JobKey(manifest))) return;
    const base::Result<jobs::json::value> job = store::ParseJson(manifest.source.json);
    if (!job) return Refuse(manifest, job.error().message, job.error().hint);
    const jobs::Integration& integration = *IntegrationOf(manifest);
    if (jobs::Finished(integration, *job)) return;
    const auto workload =
        jobs::WorkloadFor(integration, *job, priorities_,
                          jobs::WorkloadOptions::From(loaded_.input.configuration, gates_));
    if (!workload)
      return Refuse(manifest, "gets no Workload: " + workload.error().error.message,
                    workload.error().error.hint);
    Store(manifest, *workload);
  }

  void Store(const api::Manifest& manifest, api::Workload workload) {
    if (workload.metadata.namespace_.empty()) workload.metadata.namespace_ = "default";
    workload.metadata.creation_timestamp = manifest.metadata().creation_timestamp;
    schema::ApplyDefaults(workload);
    NoteTimes(workload);
    if (const auto length = RunTimeIn(manifest.metadata().annotations))
      workload.metadata.annotations.Set(kRunTimeAnnotation, base::FormatDuration(*length));
    std::string name = NamespacedName(workload.metadata);
    workloads_.insert_or_assign(std::move(name), std::move(workload));
  }

  void Refuse(const api::Manifest& manifest, std::string message, std::string hint) {
    loaded_.problems.push_back({.type = schema::ProblemType::kInvalid,
                                .field = {},
                                .message = JobKey(manifest) + " " + std::move(message),
                                .hint = std::move(hint),
                                .place = manifest.source.PlaceOf(0)});
  }

  // --- Workloads --------------------------------------------------------------------------------

  void AddWorkload(const std::string& name, api::Workload workload) {
    if (workload::IsFinished(workload) || !workload::IsActive(workload)) return;
    ResolveClass(workload);
    const bool holds_quota = workload::HoldsQuota(workload) && workload.status.admission;
    if (!holds_quota) workload.status.admission.reset();
    Input& input = loaded_.input;
    Job job{.arrival = workload.metadata.creation_timestamp.value_or(input.start),
            .run_time = RunTimeOf(workload),
            .kind = static_cast<uint32_t>(input.kinds.size()),
            .name = name};
    if (holds_quota) job.held_since = ReservedAt(workload);
    if (job.run_time == Job::kUnknown) ++loaded_.unknown_run_times;
    input.kinds.push_back({.workload = std::move(workload), .label = {}});
    input.jobs.push_back(std::move(job));
  }

  void ResolveClass(api::Workload& workload) {
    if (workload.spec.priority || !workload.spec.priority_class_ref) return;
    const api::PriorityClassRef& ref = *workload.spec.priority_class_ref;
    const int32_t* value = ref.kind == api::kPriorityClassKind
                               ? priorities_.FindPodClass(ref.name)
                               : priorities_.FindWorkloadClass(ref.name);
    if (value != nullptr) workload.spec.priority = *value;
  }

  base::Time ReservedAt(const api::Workload& workload) const {
    const api::Condition* reserved =
        api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
    if (reserved == nullptr) return loaded_.input.start;
    return reserved->last_transition_time.value_or(loaded_.input.start);
  }

  base::Duration RunTimeOf(const api::Workload& workload) const {
    if (const auto length = RunTimeIn(workload.metadata.annotations)) return *length;
    for (const api::OwnerReference& owner : workload.metadata.owner_references) {
      const auto known = run_times_.find(owner.kind + ' ' +
                                         NamespacedName(workload.metadata.namespace_, owner.name));
      if (known != run_times_.end()) return known->second;
    }
    for (const api::PodSet& pods : workload.spec.pod_sets) {
      if (const auto length = RunTimeIn(pods.template_.metadata.annotations)) return *length;
    }
    return Job::kUnknown;
  }

  // A uid that stands twice is that of a copy.
  void SeparateUids() {
    std::set<std::string> seen;
    for (const Job& job : loaded_.input.jobs) {
      std::string& uid = loaded_.input.kinds[job.kind].workload.metadata.uid;
      if (!uid.empty() && !seen.insert(uid).second) uid = job.name;
    }
  }

  std::span<const api::Manifest> manifests_;
  api::FeatureGates gates_;
  Loaded loaded_;
  std::map<std::string, api::Object> objects_;
  std::map<std::string, api::Workload> workloads_;
  std::vector<const api::Manifest*> job_manifests_;
  std::map<std::string, base::Duration> run_times_;  // by kind and name of jobs
  std::set<std::string> owners_;                     // of Workloads, likewise
  jobs::PriorityTable priorities_;
  base::Time latest_ = base::kZeroTime;
};

}  // namespace

Loaded Load(std::span<const api::Manifest> manifests, LoadOptions options) {
  return Loader(manifests, std::move(options)).Run();
}

std::vector<api::Object> LoadChange(std::span<const api::Manifest> manifests) {
  std::vector<api::Object> objects;
  for (const api::Manifest& manifest : manifests) {
    if (IntegrationOf(manifest) != nullptr || !manifest.object || !IsStored(*manifest.object))
      continue;
    if (manifest.object->As<api::Workload>() == nullptr)
      objects.push_back(AsStored(*manifest.object));
  }
  return objects;
}

}  // namespace berth::simulate

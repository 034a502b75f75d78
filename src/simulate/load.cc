#include "simulate/load.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/config/configuration.h"
#include "api/core/pod.h"
#include "api/core/priority_class.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/conditions.h"
#include "api/meta/problem_report.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/priority.h"
#include "jobs/workload_for.h"
#include "json/json.h"
#include "objects/stored_object.h"
#include "schema/defaults.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"
#include "workload/topology/reduced_objects.h"

namespace berth::simulate {
namespace {

using workload::NamespacedName;

std::string ObjectKey(const api::Object& object) {
  return std::string(object.kind().kind) + ' ' + NamespacedName(*object.metadata());
}

// False for kinds that are not stored in a cluster.
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

// As WorkloadKey. Pods that older versions of Kueue have placed may have its label alone.
std::string PlacedKeyOf(const api::Pod& pod) {
  const std::string_view name = workload::OwnerNameOfPod(pod.metadata);
  const bool is_placed =
      workload::HasTopologyMark(pod.metadata) || pod.metadata.labels.Contains(api::kTopologyLabel);
  return is_placed && !name.empty() ? NamespacedName(pod.metadata.namespace_, name) : "";
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
    for (const api::Manifest& manifest : manifests_) Add(manifest);
    for (auto& [key, object] : objects_) loaded_.input.objects.push_back(std::move(object));
    for (const api::Manifest* job : job_manifests_) AddJob(*job);
    if (!loaded_.input.has_start && latest_ > base::kZeroTime) {
      loaded_.input.start = latest_;
      loaded_.input.has_start = true;
    }
    for (auto& [name, workload] : workloads_) AddWorkload(name, std::move(workload));
    AddBoundPods();
    SeparateUids();
    SortJobs(loaded_.input);
    return std::move(loaded_);
  }

 private:
  void Add(const api::Manifest& manifest) {
    if (IntegrationOf(manifest) != nullptr) {
      job_manifests_.push_back(&manifest);
      RecordRunTime(manifest);
      HoldBoundPod(manifest);
      return;
    }
    if (!manifest.object || !IsStored(*manifest.object)) return;
    api::Object object = objects::AsStored(*manifest.object);
    if (const auto* workload = object.As<api::Workload>()) {
      RecordTimes(*workload);
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

  void HoldBoundPod(const api::Manifest& manifest) {
    const auto* pod = manifest.object ? manifest.object->As<api::Pod>() : nullptr;
    if (pod == nullptr || !workload::OccupiesNode(*pod)) return;
    api::Object object = objects::AsStored(*manifest.object);
    std::string key = ObjectKey(object);
    bound_pods_.insert_or_assign(std::move(key), std::move(object));
  }

  // Pods on nodes take room there. Those of a Workload with places count with it.
  void AddBoundPods() {
    for (auto& [key, object] : bound_pods_)
      if (!placed_.contains(PlacedKeyOf(*object.As<api::Pod>())))
        loaded_.input.objects.push_back(std::move(object));
  }

  void RecordRunTime(const api::Manifest& manifest) {
    const api::ObjectMeta& metadata = manifest.metadata();
    if (const auto length = RunTimeIn(metadata.annotations)) run_times_[JobKey(manifest)] = *length;
  }

  static std::string JobKey(const api::Manifest& manifest) {
    const api::ObjectMeta& metadata = manifest.metadata();
    return manifest.kind + ' ' +
           NamespacedName(objects::NamespaceOrDefault(metadata.namespace_), metadata.name);
  }

  void RecordTimes(const api::Workload& workload) {
    const auto record = [&](const std::optional<base::Time>& time) {
      if (time) latest_ = std::max(latest_, *time);
    };
    record(workload.metadata.creation_timestamp);
    for (const api::Condition& condition : workload.status.conditions)
      record(condition.last_transition_time);
  }

  // --- Jobs without a Workload ------------------------------------------------------------------

  void AddJob(const api::Manifest& manifest) {
    const std::string* queue = manifest.metadata().labels.Find(api::kQueueNameLabel);
    if (queue == nullptr || queue->empty() || owners_.contains(JobKey(manifest))) return;
    const base::Result<json::value> job = json::Parse(manifest.source.json);
    if (!job) return ReportProblem(manifest, job.error().message, job.error().hint);
    const jobs::Integration& integration = *IntegrationOf(manifest);
    if (jobs::Finished(integration, *job)) return;
    const auto workload =
        jobs::WorkloadFor(integration, *job, priorities_,
                          jobs::WorkloadOptions::From(loaded_.input.configuration, gates_));
    if (!workload)
      return ReportProblem(manifest, "gets no Workload: " + workload.error().error.message,
                           workload.error().error.hint);
    Store(manifest, *workload);
  }

  void Store(const api::Manifest& manifest, api::Workload workload) {
    workload.metadata.namespace_ =
        std::string(objects::NamespaceOrDefault(workload.metadata.namespace_));
    workload.metadata.creation_timestamp = manifest.metadata().creation_timestamp;
    schema::ApplyDefaults(workload);
    RecordTimes(workload);
    if (const auto length = RunTimeIn(manifest.metadata().annotations))
      workload.metadata.annotations.Set(kRunTimeAnnotation, base::FormatDuration(*length));
    std::string name = NamespacedName(workload.metadata);
    workloads_.insert_or_assign(std::move(name), std::move(workload));
  }

  void ReportProblem(const api::Manifest& manifest, std::string message, std::string hint) {
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
    if (holds_quota && workload::HasPlacement(workload))
      placed_.insert(workload::WorkloadKey(workload));
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

  void SeparateUids() {
    std::vector<api::ObjectMeta*> workloads;
    for (JobKind& kind : loaded_.input.kinds) workloads.push_back(&kind.workload.metadata);
    objects::SeparateUids(workloads);
  }

  std::span<const api::Manifest> manifests_;
  api::FeatureGates gates_;
  Loaded loaded_;
  std::map<std::string, api::Object> objects_;
  std::map<std::string, api::Workload> workloads_;
  std::map<std::string, api::Object> bound_pods_;
  std::set<std::string> placed_;  // WorkloadKey of Workloads with places
  std::vector<const api::Manifest*> job_manifests_;
  std::map<std::string, base::Duration> run_times_;  // by kind and name of the job
  std::set<std::string> owners_;                     // of Workloads, by the same key
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
      objects.push_back(objects::AsStored(*manifest.object));
  }
  return objects;
}

}  // namespace berth::simulate

#include "jobs/workload_for.h"

#include <algorithm>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/managed.h"
#include "schema/thread_decoder.h"
#include "workload/convert/convert_workload.h"
#include "workload/workload_name.h"

namespace berth::jobs {
namespace {

std::unexpected<WorkloadFailure> Failed(base::Error error) {
  return std::unexpected(WorkloadFailure{.error = std::move(error), .missing_class = {}});
}

workload::Owner OwnerOf(const Integration& integration, const api::ObjectMeta& metadata) {
  return {.group = integration.group(),
          .kind = integration.kind,
          .name = metadata.name,
          .uid = metadata.uid};
}

// Elastic jobs get a Workload per generation and, for Ray, per generation of their cluster.
std::string SliceSuffix(const api::ObjectMeta& metadata) {
  std::string suffix = std::to_string(metadata.generation);
  const std::string ray = metadata.annotations.ValueOrEmpty(kRayClusterGenerationAnnotation);
  return ray.empty() ? suffix : suffix + "_" + ray;
}

void CopyAnnotations(const api::ObjectMeta& job, const WorkloadOptions& options,
                     base::FlatMap<std::string>& annotations) {
  const auto is_copied = [&](std::string_view key) {
    if (key.starts_with(api::kProvisioningAnnotationPrefix)) return true;
    if (key == api::kAdmissionGatedByAnnotation) return options.copies_admission_gates;
    if (key == api::kCannotPreemptAnnotation || key == api::kCannotBorrowAnnotation)
      return options.has_constraints;
    return std::ranges::find(options.annotation_keys_to_copy, key) !=
           options.annotation_keys_to_copy.end();
  };
  for (const auto& [key, value] : job.annotations) {
    if (!is_copied(key)) continue;
    if (key == api::kAdmissionGatedByAnnotation && value.empty()) continue;
    annotations.Set(key, value);
  }
}

void MarkSlice(api::Workload& slice, const api::Workload* replaced) {
  base::FlatMap<std::string>& annotations = slice.metadata.annotations;
  annotations.Set(api::kElasticJobAnnotation, "true");
  if (replaced == nullptr) {
    annotations.Set(api::kWorkloadSliceNameAnnotation, slice.metadata.name);
    return;
  }
  const api::ObjectMeta& old = replaced->metadata;
  annotations.Set(api::kWorkloadSliceReplacementForAnnotation, workload::NamespacedName(old));
  const std::string origin = old.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation);
  annotations.Set(api::kWorkloadSliceNameAnnotation, origin.empty() ? old.name : origin);
}

std::expected<void, WorkloadFailure> SetPriority(const Integration& integration,
                                                 const json::value& job,
                                                 const api::ObjectMeta& metadata,
                                                 const PriorityTable& table,
                                                 api::WorkloadSpec& spec) {
  const auto priority = ResolvePriority(WorkloadPriorityClassOf(metadata),
                                        PodPriorityClassOf(integration, job, spec.pod_sets), table);
  if (!priority) {
    return std::unexpected(
        WorkloadFailure{.error = {.message = priority.error().ToString(),
                                  .hint = "create it, or let the job name another",
                                  .place = {}},
                        .missing_class = priority.error()});
  }
  spec.priority_class_ref = priority->ref;
  spec.priority = priority->value;
  return {};
}

void SetJobUid(const api::ObjectMeta& job, api::ObjectMeta& workload) {
  if (api::IsLabelValue(job.uid)) workload.labels.Set(api::kJobUidLabel, job.uid);
}

std::string GroupName(const Integration& integration, const api::ObjectMeta& metadata, size_t index,
                      const WorkloadOptions& options) {
  if (integration.suspension != kSuspendedAsGroups)
    return workload::WorkloadName(OwnerOf(integration, metadata), options.max_name_length);
  const std::string numbered = metadata.name + "-" + std::to_string(index);
  workload::Owner owner = OwnerOf(integration, metadata);
  owner.name = numbered;
  return workload::WorkloadName(owner, options.max_name_length);
}

// A constraint of a set may be given by its pod template, too.
void AddTemplateConstraints(const Integration& integration, const json::value& set,
                            base::FlatMap<std::string>& annotations) {
  for (const PodSetRule& rule : integration.pod_sets) {
    const json::value* pods = json::FindAt(set, rule.template_);
    if (pods == nullptr) continue;
    for (const std::string_view key : {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation})
      if (json::TextAt(*pods, "metadata.annotations[" + std::string(key) + "]") == "true")
        annotations.Set(key, "true");
  }
}

}  // namespace

WorkloadOptions WorkloadOptions::From(const api::Configuration& configuration,
                                      const api::FeatureGates& gates) {
  WorkloadOptions options{
      .pod_sets = PodSetOptions::From(gates),
      .max_name_length = gates.IsOn(api::Gate::kShortWorkloadNames)
                             ? workload::kMaxShortWorkloadName
                             : workload::kMaxWorkloadName,
      .copies_admission_gates = gates.IsOn(api::Gate::kAdmissionGatedBy),
      .has_elastic_jobs = gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices),
      .has_constraints = gates.IsOn(api::Gate::kWorkloadAdmissionConstraints),
      .reads_name_annotations = gates.IsOn(api::Gate::kWorkloadIdentifierAnnotations)};
  if (configuration.integrations)
    options.label_keys_to_copy = configuration.integrations->label_keys_to_copy;
  if (!gates.IsOn(api::Gate::kCustomMetricLabels)) return options;
  for (const api::CustomLabelSettings& label : configuration.metrics.custom_labels) {
    if (label.source_kind != api::kLabelSourceWorkload) continue;
    if (!label.source_label_key.empty())
      options.label_keys_to_copy.push_back(label.source_label_key);
    if (!label.source_annotation_key.empty())
      options.annotation_keys_to_copy.push_back(label.source_annotation_key);
  }
  return options;
}

std::expected<api::Workload, WorkloadFailure> WorkloadFor(const Integration& integration,
                                                          const json::value& job,
                                                          const PriorityTable& priorities,
                                                          const WorkloadOptions& options,
                                                          const api::Workload* replaced) {
  const auto metadata = MetadataOf(job);
  if (!metadata) return Failed(metadata.error());
  auto pod_sets = PodSets(integration, job, options.pod_sets);
  if (!pod_sets) return Failed(pod_sets.error());
  api::Workload made = NewWorkload(WorkloadNameFor(integration, *metadata, options), *metadata,
                                   *std::move(pod_sets), options);
  SetJobUid(*metadata, made.metadata);
  made.metadata.owner_references.push_back(OwnerReferenceTo(integration, *metadata, true));
  const auto set = SetPriority(integration, job, *metadata, priorities, made.spec);
  if (!set) return std::unexpected(set.error());
  if (IsElastic(*metadata, options)) MarkSlice(made, replaced);
  return made;
}

std::expected<api::Workload, WorkloadFailure> GroupWorkloadFor(const Integration& integration,
                                                               const json::value& job, size_t index,
                                                               const PriorityTable& priorities,
                                                               const WorkloadOptions& options) {
  const auto metadata = MetadataOf(job);
  if (!metadata) return Failed(metadata.error());
  auto pod_sets = PodSets(integration, job, options.pod_sets);
  if (!pod_sets) return Failed(pod_sets.error());
  api::ObjectMeta constrained = *metadata;
  if (options.has_constraints) AddTemplateConstraints(integration, job, constrained.annotations);
  api::Workload made = NewWorkload(GroupName(integration, *metadata, index, options), constrained,
                                   *std::move(pod_sets), options);
  made.metadata.finalizers.clear();
  made.metadata.labels.Set(api::kJobUidLabel, metadata->uid);
  base::FlatMap<std::string>& annotations = made.metadata.annotations;
  annotations.Set(api::kIsGroupWorkloadAnnotation, "true");
  annotations.Set(api::kJobOwnerGvkAnnotation,
                  integration.api_version + ", Kind=" + integration.kind);
  annotations.Set(api::kJobOwnerNameAnnotation, metadata->name);
  if (integration.suspension == kSuspendedAsGroups)
    annotations.Set(api::kComponentWorkloadIndexAnnotation, std::to_string(index));
  made.metadata.owner_references.push_back(OwnerReferenceTo(integration, *metadata, false));
  const auto set = SetPriority(integration, job, *metadata, priorities, made.spec);
  if (!set) return std::unexpected(set.error());
  return made;
}

std::string LegacyGroupName(const Integration& integration, const api::ObjectMeta& metadata,
                            const WorkloadOptions& options) {
  if (integration.suspension != kSuspendedAsGroup) return "";
  workload::Owner owner = OwnerOf(integration, metadata);
  owner.uid = {};
  return workload::WorkloadName(owner, options.max_name_length);
}

std::string WorkloadNameFor(const Integration& integration, const api::ObjectMeta& metadata,
                            const WorkloadOptions& options) {
  const bool is_elastic = IsElastic(metadata, options);
  return workload::WorkloadName(OwnerOf(integration, metadata), options.max_name_length,
                                is_elastic ? SliceSuffix(metadata) : std::string());
}

base::Result<api::ObjectMeta> MetadataOf(const json::value& job) {
  const json::value* metadata = json::FindAt(job, "metadata");
  if (metadata == nullptr) return api::ObjectMeta();
  auto read = schema::DecodeHere<api::ObjectMeta>(json::Print(*metadata));
  if (read) return *std::move(read);
  const schema::Problem& problem = read.error().front();
  return base::Fail("metadata." + problem.field + ": " + problem.message, problem.hint);
}

std::string PrebuiltWorkloadName(const api::ObjectMeta& metadata, bool reads_annotations) {
  const std::string annotation = metadata.annotations.ValueOrEmpty(api::kPrebuiltWorkloadName);
  std::string label = metadata.labels.ValueOrEmpty(api::kPrebuiltWorkloadName);
  if (reads_annotations) return annotation.empty() ? label : annotation;
  if (!label.empty()) return label;
  // Names that exceed the length of a label are in the annotation only.
  return annotation.size() > api::kMaxLabelLength ? annotation : std::string();
}

std::optional<int32_t> MaximumExecutionTime(const api::ObjectMeta& metadata) {
  const auto seconds = json::IntOf(metadata.labels.ValueOrEmpty(api::kMaxExecTimeSecondsLabel));
  return seconds && *seconds > 0 ? seconds : std::nullopt;
}

bool IsElastic(const api::ObjectMeta& metadata, const WorkloadOptions& options) {
  return options.has_elastic_jobs &&
         metadata.annotations.ValueOrEmpty(api::kElasticJobAnnotation) == "true";
}

std::string_view WorkloadPriorityClassOf(const api::ObjectMeta& metadata) {
  const std::string* name = metadata.labels.Find(api::kPriorityClassLabel);
  return name == nullptr ? std::string_view() : std::string_view(*name);
}

std::string PodPriorityClassOf(const Integration& integration, const json::value& job,
                               const std::vector<api::PodSet>& pod_sets) {
  for (const std::string& path : integration.priority_class) {
    const std::string name = json::TextAt(job, path);
    if (!name.empty()) return name;
  }
  for (const api::PodSet& set : pod_sets) {
    const std::string& name = set.template_.spec.priority_class_name;
    if (!name.empty()) return name;
  }
  return {};
}

api::Workload NewWorkload(std::string name, const api::ObjectMeta& job,
                          std::vector<api::PodSet> pod_sets, const WorkloadOptions& options) {
  api::Workload made;
  made.metadata.name = std::move(name);
  made.metadata.namespace_ = job.namespace_;
  made.metadata.finalizers = {std::string(api::kResourceInUseFinalizer)};
  for (const std::string& key : options.label_keys_to_copy) {
    if (const std::string* value = job.labels.Find(key)) made.metadata.labels.Set(key, *value);
  }
  CopyAnnotations(job, options, made.metadata.annotations);
  if (options.has_constraints)
    made.spec.admission_constraints = api::ConstraintsOf(job.annotations);
  const std::string_view queue = QueueNameOf(job);
  if (!queue.empty()) made.spec.queue_name = std::string(queue);
  made.spec.pod_sets = std::move(pod_sets);
  made.spec.maximum_execution_time_seconds = MaximumExecutionTime(job);
  return made;
}

api::OwnerReference OwnerReferenceTo(const Integration& integration,
                                     const api::ObjectMeta& metadata, bool is_controller) {
  api::OwnerReference reference{.api_version = integration.api_version,
                                .kind = integration.kind,
                                .name = metadata.name,
                                .uid = metadata.uid};
  if (is_controller) {
    reference.controller = true;
    reference.block_owner_deletion = true;
  }
  return reference;
}

}  // namespace berth::jobs

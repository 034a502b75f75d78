#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/pods/pod_group.h"

namespace berth::jobs {
namespace {

std::string GroupNameField(const api::ObjectMeta& metadata, const JobRules& rules) {
  const bool is_annotation = rules.gates.IsOn(api::Gate::kWorkloadIdentifierAnnotations) &&
                             !AnnotationOf(metadata, api::kPodGroupName).empty();
  return (is_annotation ? "metadata.annotations[" : "metadata.labels[") +
         std::string(api::kPodGroupName) + "]";
}

std::string AnnotationAt(std::string_view key) {
  return "metadata.annotations[" + std::string(key) + "]";
}

}  // namespace

void ValidatePodGroupMember(const api::ObjectMeta& metadata, const JobRules& rules,
                            api::ProblemReport& report) {
  const std::string* managed = metadata.labels.Find(api::kManagedLabel);
  if (managed != nullptr && *managed != "true")
    report.Forbidden("metadata.labels[" + std::string(api::kManagedLabel) + "]",
                     "can only be \"true\"", "remove it, or write \"true\"");
  const bool reads = rules.gates.IsOn(api::Gate::kWorkloadIdentifierAnnotations);
  const std::string group = PodGroupName(metadata, reads);
  const std::string count_field = AnnotationAt(api::kPodGroupTotalCountAnnotation);
  const std::string* count = metadata.annotations.Find(api::kPodGroupTotalCountAnnotation);
  if (group.empty()) {
    if (count != nullptr)
      report.Required(GroupNameField(metadata, rules),
                      "must be set: annotation " + std::string(api::kPodGroupTotalCountAnnotation) +
                          " is " + api::Quoted(*count) + ", but label " +
                          std::string(api::kPodGroupName) + " is missing",
                      "write the name of the group, or remove the annotation");
    return;
  }
  if (!api::IsDns1123Subdomain(group))
    report.Invalid(GroupNameField(metadata, rules),
                   api::Quoted(group) + " cannot be the name of a Workload",
                   "write lower-case letters, digits, '-' and '.'");
  if (count == nullptr) {
    report.Required(count_field,
                    "must be set: the pod is in group " + api::Quoted(group) + ", but annotation " +
                        std::string(api::kPodGroupTotalCountAnnotation) + " is missing",
                    "write the number of pods of the group, such as \"2\"");
  } else if (!PodGroup{.name = group, .pods = {api::Pod{.metadata = metadata}}}.TotalCount()) {
    report.Invalid(count_field, api::Quoted(*count) + " is not a positive number",
                   "write how many pods the group has");
  }
  const std::string prebuilt = PrebuiltWorkloadName(metadata, reads);
  if (!prebuilt.empty() && prebuilt != group)
    report.Invalid(GroupNameField(metadata, rules),
                   "differs from the prebuilt Workload " + api::Quoted(prebuilt),
                   "a group and its Workload have one name");
}

void ValidatePodGroupChange(const api::ObjectMeta& old_metadata, const api::ObjectMeta& metadata,
                            const JobRules& rules, api::ProblemReport& report) {
  const bool reads = rules.gates.IsOn(api::Gate::kWorkloadIdentifierAnnotations);
  const std::string before = PodGroupName(old_metadata, reads);
  const std::string after = PodGroupName(metadata, reads);
  if (!before.empty() && before != after)
    report.Invalid(GroupNameField(metadata, rules), "the group of a pod is immutable",
                   "create another pod");
  const auto is_final = [](const api::ObjectMeta& m) {
    return AnnotationOf(m, api::kRetriableInGroupAnnotation) == "false";
  };
  if (!after.empty() && is_final(old_metadata) && !is_final(metadata))
    report.Forbidden(AnnotationAt(api::kRetriableInGroupAnnotation),
                     "a group that is not retried cannot become one that is",
                     "restore the old value");
}

}  // namespace berth::jobs

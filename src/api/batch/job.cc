#include "api/batch/job.h"

#include <limits>

#include "api/meta/carried_types.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

namespace {

const schema::Struct& OnExitCodesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("containerName", kCarriedString, "Name of the container. If absent, any."),
      Carried("operator", kCarriedString, "In or NotIn.").Required(),
      Carried("values", kCarriedInt32s, "Exit codes.").Required().SetOf(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodFailurePolicyOnExitCodesRequirement",
      "PodFailurePolicyOnExitCodesRequirement matches exit codes of containers.", kFields);
  return kStruct;
}

const schema::Struct& OnPodConditionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Type of the condition.").Required(),
      Carried("status", kCarriedString, "Status of the condition. Defaults to True."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodFailurePolicyOnPodConditionsPattern",
      "PodFailurePolicyOnPodConditionsPattern matches a pod condition.", kFields);
  return kStruct;
}

const schema::Struct& PodFailureRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("action", kCarriedString, "FailJob, FailIndex, Ignore or Count.").Required(),
      Carried("onExitCodes", kCarriedStruct<&OnExitCodesShape>, "Match by exit code."),
      Carried("onPodConditions", kCarriedStructs<&OnPodConditionShape>, "Match by pod condition."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodFailurePolicyRule", "PodFailurePolicyRule maps a pod failure to an action.", kFields);
  return kStruct;
}

const schema::Struct& PodFailurePolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("rules", kCarriedStructs<&PodFailureRuleShape>,
              "Rules in order; the first match applies.")
          .Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodFailurePolicy", "PodFailurePolicy decides how pod failures are counted.", kFields);
  return kStruct;
}

const schema::Struct& SuccessRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("succeededIndexes", kCarriedString, "Indexes such as 0,2-4 that must succeed."),
      Carried("succeededCount", kCarriedInt32, "Number of indexes that must succeed."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "SuccessPolicyRule", "SuccessPolicyRule is a criterion of success.", kFields);
  return kStruct;
}

const schema::Struct& SuccessPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("rules", kCarriedStructs<&SuccessRuleShape>, "Rules, one of which must hold.")
          .Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "SuccessPolicy", "SuccessPolicy decides when a Job has succeeded.", kFields);
  return kStruct;
}

const schema::Struct& UncountedPodsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("succeeded", kCarriedStrings, "UIDs of the pods that succeeded.").SetOf(),
      Carried("failed", kCarriedStrings, "UIDs of the pods that failed.").SetOf(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "UncountedTerminatedPods", "UncountedTerminatedPods lists terminated pods not yet counted.",
      kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& JobSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobSpec::parallelism>("parallelism", "Maximum number of pods running at once.")
          .Default("1"),
      Member<&JobSpec::completions>("completions",
                                    "Number of pods that must succeed. If absent, one is enough."),
      Member<&JobSpec::active_deadline_seconds>("activeDeadlineSeconds",
                                                "Seconds after which a running Job fails."),
      Carried("podFailurePolicy", kCarriedStruct<&PodFailurePolicyShape>,
              "Handling of pod failures."),
      Carried("successPolicy", kCarriedStruct<&SuccessPolicyShape>,
              "Criteria of success of an indexed Job."),
      Member<&JobSpec::backoff_limit>(
          "backoffLimit", "Number of failures after which the Job fails. Defaults to 6."),
      Member<&JobSpec::backoff_limit_per_index>("backoffLimitPerIndex",
                                                "Number of failures after which an index fails."),
      Carried("maxFailedIndexes", kCarriedInt32,
              "Number of failed indexes after which the Job fails."),
      Member<&JobSpec::selector>("selector", "Label selector of the pods, set by the API server."),
      Member<&JobSpec::manual_selector>("manualSelector",
                                        "Whether the selector was set by the user."),
      Member<&JobSpec::template_>("template", "Template of the pods.").Required(),
      Member<&JobSpec::ttl_seconds_after_finished>(
          "ttlSecondsAfterFinished", "Seconds after which a finished Job is deleted."),
      Member<&JobSpec::completion_mode>("completionMode", "NonIndexed or Indexed.")
          .Default("\"NonIndexed\""),
      Member<&JobSpec::suspend>("suspend", "Whether the Job is suspended: it has no running pods.")
          .Default("false"),
      Member<&JobSpec::pod_replacement_policy>("podReplacementPolicy",
                                               "TerminatingOrFailed or Failed."),
      Member<&JobSpec::managed_by>(
          "managedBy", "Controller responsible for the Job. Defaults to the built-in one."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobSpec>("JobSpec", "JobSpec is the desired state of a Job.", kFields);
  return kStruct;
}

const schema::Struct& JobStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobStatus::conditions>("conditions",
                                     "Conditions such as Complete, Failed and Suspended.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&JobStatus::start_time>("startTime", "Time at which the Job was started or resumed."),
      Member<&JobStatus::completion_time>("completionTime", "Time at which the Job succeeded."),
      Member<&JobStatus::active>("active", "Number of pending and running pods."),
      Member<&JobStatus::succeeded>("succeeded", "Number of pods that succeeded."),
      Member<&JobStatus::failed>("failed", "Number of pods that failed."),
      Member<&JobStatus::terminating>("terminating", "Number of pods being deleted."),
      Member<&JobStatus::completed_indexes>("completedIndexes",
                                            "Indexes that succeeded, such as 0,2-4."),
      Member<&JobStatus::failed_indexes>("failedIndexes", "Indexes that failed."),
      Carried("uncountedTerminatedPods", kCarriedStruct<&UncountedPodsShape>,
              "Terminated pods not yet counted."),
      Member<&JobStatus::ready>("ready", "Number of ready pods."),
  };
  static constexpr auto kStruct = schema::Describe<JobStatus>(
      "JobStatus", "JobStatus is the observed state of a Job.", kFields);
  return kStruct;
}

const schema::Struct& Job::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Job::metadata>("metadata", "Standard object metadata."),
      Member<&Job::spec>("spec", "Desired state."),
      Member<&Job::status>("status", "Observed state."),
  };
  static constexpr auto kStruct =
      schema::Describe<Job>("Job", "Job runs pods until the required number succeeds.", kFields);
  return kStruct;
}

void ApplyDependentDefaults(JobSpec& spec) {
  constexpr int32_t kDefaultBackoffLimit = 6;
  if (!spec.completions && !spec.parallelism) spec.completions = 1;
  if (spec.backoff_limit) return;
  spec.backoff_limit =
      spec.backoff_limit_per_index ? std::numeric_limits<int32_t>::max() : kDefaultBackoffLimit;
}

const schema::Kind& Job::KindInfo() {
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "batch",
      .version = "v1",
      .kind = "Job",
      .plural = "jobs",
      .is_namespaced = true,
      .structure = &Job::Description,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

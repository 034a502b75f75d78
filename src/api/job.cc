#include "api/job.h"

#include <limits>

#include "api/carried_types.h"
#include "api/list_keys.h"

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
      Carried("containerName", kCarriedString, "Which container; any if absent."),
      Carried("operator", kCarriedString, "In or NotIn.").Required(),
      Carried("values", kCarriedInt32s, "Exit codes.").Required().SetOf(),
  };
  static constexpr auto kStruct = schema::DescribeCarried("PodFailurePolicyOnExitCodesRequirement",
                                                          "Exit codes that match.", kFields);
  return kStruct;
}

const schema::Struct& OnPodConditionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "The condition.").Required(),
      Carried("status", kCarriedString, "Its status; True if absent."),
  };
  static constexpr auto kStruct = schema::DescribeCarried("PodFailurePolicyOnPodConditionsPattern",
                                                          "A pod condition that matches.", kFields);
  return kStruct;
}

const schema::Struct& PodFailureRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("action", kCarriedString, "FailJob, FailIndex, Ignore or Count.").Required(),
      Carried("onExitCodes", kCarriedStruct<&OnExitCodesShape>, "Matches by exit code."),
      Carried("onPodConditions", kCarriedStructs<&OnPodConditionShape>,
              "Matches by pod condition."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodFailurePolicyRule", "What to do when a pod failed.", kFields);
  return kStruct;
}

const schema::Struct& PodFailurePolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("rules", kCarriedStructs<&PodFailureRuleShape>, "The first that matches decides.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodFailurePolicy", "What failed pods mean.", kFields);
  return kStruct;
}

const schema::Struct& SuccessRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("succeededIndexes", kCarriedString, "Indexes such as 0,2-4 that must succeed."),
      Carried("succeededCount", kCarriedInt32, "How many must succeed."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("SuccessPolicyRule", "When a job has succeeded.", kFields);
  return kStruct;
}

const schema::Struct& SuccessPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("rules", kCarriedStructs<&SuccessRuleShape>, "One that holds is enough.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("SuccessPolicy", "When a job has succeeded.", kFields);
  return kStruct;
}

const schema::Struct& UncountedPodsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("succeeded", kCarriedStrings, "UIDs of those that succeeded.").SetOf(),
      Carried("failed", kCarriedStrings, "UIDs of those that failed.").SetOf(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "UncountedTerminatedPods", "Pods that ended and are not counted yet.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& JobSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobSpec::parallelism>("parallelism", "Pods that may run at once.").Default("1"),
      Member<&JobSpec::completions>("completions",
                                    "Pods that must succeed; absent, one that does is enough."),
      Member<&JobSpec::active_deadline_seconds>("activeDeadlineSeconds",
                                                "How long the job may run."),
      Carried("podFailurePolicy", kCarriedStruct<&PodFailurePolicyShape>, "What failed pods mean."),
      Carried("successPolicy", kCarriedStruct<&SuccessPolicyShape>,
              "When an indexed job has succeeded."),
      Member<&JobSpec::backoff_limit>("backoffLimit",
                                      "Failures until the job has failed; 6 if absent."),
      Member<&JobSpec::backoff_limit_per_index>("backoffLimitPerIndex",
                                                "Failures until an index has failed."),
      Carried("maxFailedIndexes", kCarriedInt32, "Failed indexes until the job has failed."),
      Member<&JobSpec::selector>("selector", "Pods of the job; made by the API server."),
      Member<&JobSpec::manual_selector>("manualSelector", "Whether selector was written by hand."),
      Member<&JobSpec::template_>("template", "The pods to run.").Required(),
      Member<&JobSpec::ttl_seconds_after_finished>("ttlSecondsAfterFinished",
                                                   "When a finished job is deleted."),
      Member<&JobSpec::completion_mode>("completionMode", "NonIndexed or Indexed.")
          .Default("\"NonIndexed\""),
      Member<&JobSpec::suspend>("suspend", "Whether it has no pods for now.").Default("false"),
      Member<&JobSpec::pod_replacement_policy>("podReplacementPolicy",
                                               "TerminatingOrFailed or Failed."),
      Member<&JobSpec::managed_by>("managedBy",
                                   "Controller that runs the job; the built-in one if absent."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobSpec>("JobSpec", "What a job is meant to do.", kFields);
  return kStruct;
}

const schema::Struct& JobStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobStatus::conditions>("conditions", "Complete, Failed, Suspended and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&JobStatus::start_time>("startTime", "When it was started or resumed."),
      Member<&JobStatus::completion_time>("completionTime", "When it succeeded."),
      Member<&JobStatus::active>("active", "Pods that wait or run."),
      Member<&JobStatus::succeeded>("succeeded", "Pods that succeeded."),
      Member<&JobStatus::failed>("failed", "Pods that failed."),
      Member<&JobStatus::terminating>("terminating", "Pods that are being deleted."),
      Member<&JobStatus::completed_indexes>("completedIndexes",
                                            "Indexes such as 0,2-4 that succeeded."),
      Member<&JobStatus::failed_indexes>("failedIndexes", "Indexes that failed."),
      Carried("uncountedTerminatedPods", kCarriedStruct<&UncountedPodsShape>,
              "Pods that ended and are not counted yet."),
      Member<&JobStatus::ready>("ready", "Pods that are ready."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobStatus>("JobStatus", "What a job is doing.", kFields);
  return kStruct;
}

const schema::Struct& Job::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Job::metadata>("metadata", "Name, labels and the like."),
      Member<&Job::spec>("spec", "What it is meant to do."),
      Member<&Job::status>("status", "What it is doing."),
  };
  static constexpr auto kStruct =
      schema::Describe<Job>("Job", "Pods that run until enough of them succeed.", kFields);
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

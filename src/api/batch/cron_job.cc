#include "api/batch/cron_job.h"

namespace berth::api {

using schema::Member;

const schema::Struct& JobTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobTemplateSpec::metadata>("metadata", "Labels and annotations of the Jobs."),
      Member<&JobTemplateSpec::spec>("spec", "Specification of the Jobs."),
  };
  static constexpr auto kStruct = schema::Describe<JobTemplateSpec>(
      "JobTemplateSpec", "JobTemplateSpec is the template of a Job.", kFields);
  return kStruct;
}

const schema::Struct& CronJobSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJobSpec::schedule>("schedule", "Schedule in cron format.").Required(),
      Member<&CronJobSpec::time_zone>("timeZone", "Time zone of the schedule."),
      Member<&CronJobSpec::starting_deadline_seconds>(
          "startingDeadlineSeconds",
          "Seconds after the scheduled time within which a missed Job may still start."),
      Member<&CronJobSpec::concurrency_policy>("concurrencyPolicy", "Allow, Forbid or Replace.")
          .Default("\"Allow\""),
      Member<&CronJobSpec::suspend>("suspend", "Whether the creation of Jobs is suspended.")
          .Default("false"),
      Member<&CronJobSpec::job_template>("jobTemplate", "Template of the Jobs.").Required(),
      Member<&CronJobSpec::successful_jobs_history_limit>("successfulJobsHistoryLimit",
                                                          "Number of successful Jobs to keep.")
          .Default("3"),
      Member<&CronJobSpec::failed_jobs_history_limit>("failedJobsHistoryLimit",
                                                      "Number of failed Jobs to keep.")
          .Default("1"),
  };
  static constexpr auto kStruct = schema::Describe<CronJobSpec>(
      "CronJobSpec", "CronJobSpec is the desired state of a CronJob.", kFields);
  return kStruct;
}

const schema::Struct& CronJobStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJobStatus::active>("active", "References to running Jobs."),
      Member<&CronJobStatus::last_schedule_time>("lastScheduleTime",
                                                 "Time at which a Job was last scheduled."),
      Member<&CronJobStatus::last_successful_time>("lastSuccessfulTime",
                                                   "Time at which a Job last succeeded."),
  };
  static constexpr auto kStruct = schema::Describe<CronJobStatus>(
      "CronJobStatus", "CronJobStatus is the observed state of a CronJob.", kFields);
  return kStruct;
}

const schema::Struct& CronJob::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJob::metadata>("metadata", "Standard object metadata."),
      Member<&CronJob::spec>("spec", "Desired state."),
      Member<&CronJob::status>("status", "Observed state."),
  };
  static constexpr auto kStruct =
      schema::Describe<CronJob>("CronJob", "CronJob creates Jobs on a schedule.", kFields);
  return kStruct;
}

const schema::Kind& CronJob::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"cj"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "batch",
      .version = "v1",
      .kind = "CronJob",
      .plural = "cronjobs",
      .is_namespaced = true,
      .structure = &CronJob::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

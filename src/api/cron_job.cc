#include "api/cron_job.h"

namespace berth::api {

using schema::Member;

const schema::Struct& JobTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobTemplateSpec::metadata>("metadata", "Labels and annotations of the jobs."),
      Member<&JobTemplateSpec::spec>("spec", "What the jobs are meant to do."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobTemplateSpec>("JobTemplateSpec", "A job to be made.", kFields);
  return kStruct;
}

const schema::Struct& CronJobSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJobSpec::schedule>("schedule", "When, in cron's form.").Required(),
      Member<&CronJobSpec::time_zone>("timeZone", "Time zone of the schedule."),
      Member<&CronJobSpec::starting_deadline_seconds>("startingDeadlineSeconds",
                                                      "How late a job may start."),
      Member<&CronJobSpec::concurrency_policy>("concurrencyPolicy", "Allow, Forbid or Replace.")
          .Default("\"Allow\""),
      Member<&CronJobSpec::suspend>("suspend", "Whether no jobs are made for now.")
          .Default("false"),
      Member<&CronJobSpec::job_template>("jobTemplate", "The jobs to make.").Required(),
      Member<&CronJobSpec::successful_jobs_history_limit>("successfulJobsHistoryLimit",
                                                          "Successful jobs to keep.")
          .Default("3"),
      Member<&CronJobSpec::failed_jobs_history_limit>("failedJobsHistoryLimit",
                                                      "Failed jobs to keep.")
          .Default("1"),
  };
  static constexpr auto kStruct =
      schema::Describe<CronJobSpec>("CronJobSpec", "When jobs are made, and which.", kFields);
  return kStruct;
}

const schema::Struct& CronJobStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJobStatus::active>("active", "Jobs that run."),
      Member<&CronJobStatus::last_schedule_time>("lastScheduleTime", "When a job was last made."),
      Member<&CronJobStatus::last_successful_time>("lastSuccessfulTime",
                                                   "When a job last succeeded."),
  };
  static constexpr auto kStruct =
      schema::Describe<CronJobStatus>("CronJobStatus", "What a cron job is doing.", kFields);
  return kStruct;
}

const schema::Struct& CronJob::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CronJob::metadata>("metadata", "Name, labels and the like."),
      Member<&CronJob::spec>("spec", "When jobs are made, and which."),
      Member<&CronJob::status>("status", "What it is doing."),
  };
  static constexpr auto kStruct =
      schema::Describe<CronJob>("CronJob", "Makes jobs by the clock.", kFields);
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

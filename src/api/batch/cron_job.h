#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/batch/job.h"
#include "api/meta/meta.h"
#include "api/meta/object_reference.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

struct JobTemplateSpec {
  ObjectMeta metadata;
  JobSpec spec;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const JobTemplateSpec&, const JobTemplateSpec&) = default;
};

struct CronJobSpec {
  std::string schedule;
  std::optional<std::string> time_zone;
  std::optional<int64_t> starting_deadline_seconds;
  std::string concurrency_policy;
  std::optional<bool> suspend;
  JobTemplateSpec job_template;
  std::optional<int32_t> successful_jobs_history_limit;
  std::optional<int32_t> failed_jobs_history_limit;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CronJobSpec&, const CronJobSpec&) = default;
};

struct CronJobStatus {
  std::vector<ObjectReference> active;
  std::optional<base::Time> last_schedule_time;
  std::optional<base::Time> last_successful_time;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CronJobStatus&, const CronJobStatus&) = default;
};

struct CronJob {
  ObjectMeta metadata;
  CronJobSpec spec;
  CronJobStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const CronJob&, const CronJob&) = default;
};

}  // namespace berth::api

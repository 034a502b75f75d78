#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/core_condition.h"
#include "api/core/pod_spec.h"
#include "api/meta/meta.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kNonIndexed = "NonIndexed";
inline constexpr std::string_view kIndexed = "Indexed";
inline constexpr std::string_view kCompletionModes[] = {kNonIndexed, kIndexed};

inline constexpr std::string_view kJobComplete = "Complete";
inline constexpr std::string_view kJobFailed = "Failed";
inline constexpr std::string_view kJobSuspended = "Suspended";

struct JobSpec {
  std::optional<int32_t> parallelism;
  std::optional<int32_t> completions;
  std::optional<int64_t> active_deadline_seconds;
  std::optional<int32_t> backoff_limit;
  std::optional<int32_t> backoff_limit_per_index;
  std::optional<LabelSelector> selector;
  std::optional<bool> manual_selector;
  PodTemplateSpec template_;
  std::optional<int32_t> ttl_seconds_after_finished;
  std::optional<std::string> completion_mode;
  std::optional<bool> suspend;
  std::optional<std::string> pod_replacement_policy;
  std::optional<std::string> managed_by;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

struct JobStatus {
  std::vector<CoreCondition> conditions;
  std::optional<base::Time> start_time;
  std::optional<base::Time> completion_time;
  int32_t active = 0;
  int32_t succeeded = 0;
  int32_t failed = 0;
  std::optional<int32_t> terminating;
  std::string completed_indexes;
  std::optional<std::string> failed_indexes;
  std::optional<int32_t> ready;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

struct Job {
  ObjectMeta metadata;
  JobSpec spec;
  JobStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Job&, const Job&) = default;
};

// Sets API server defaults that depend on other fields: completions (1 if parallelism is absent
// too) and backoffLimit (unlimited if backoffLimitPerIndex is set). Call it before
// schema::ApplyDefaults, which sets parallelism.
void ApplyDependentDefaults(JobSpec& spec);

}  // namespace berth::api

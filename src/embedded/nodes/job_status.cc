#include "embedded/nodes/job_status.h"

#include <algorithm>
#include <utility>

#include "api/batch/job.h"
#include "json/path.h"
#include "json/same.h"

namespace berth::embedded {
namespace {

bool IsOfType(const json::value& condition, std::string_view type) {
  return json::StringAt(condition, {"type"}) == type;
}

}  // namespace

JobStatus::JobStatus(const json::value& job, base::Time now) : now_(now) {
  const json::value* status = json::Find(job, {"status"});
  if (status != nullptr && status->is_object()) before_ = status->get_object();
  fields_ = before_;
}

bool JobStatus::has_changed() const { return !json::Same(fields_, before_); }

void JobStatus::SetCount(std::string_view key, int64_t count) {
  if (count == 0)
    fields_.erase(json::BoostView(key));
  else
    fields_[json::BoostView(key)] = count;
}

bool JobStatus::HasTrueCondition(std::string_view type) const {
  const json::value* conditions = fields_.if_contains("conditions");
  return conditions != nullptr && conditions->is_array() &&
         std::ranges::any_of(conditions->get_array(), [&](const json::value& condition) {
           return IsOfType(condition, type) && json::StringAt(condition, {"status"}) == "True";
         });
}

void JobStatus::SetCondition(std::string_view type, bool is_true, std::string_view reason,
                             std::string_view message) {
  const std::string now = base::FormatTime(now_);
  json::object condition{{"type", json::BoostView(type)},
                         {"status", is_true ? "True" : "False"},
                         {"reason", json::BoostView(reason)},
                         {"message", json::BoostView(message)},
                         {"lastProbeTime", now},
                         {"lastTransitionTime", now}};
  json::value& conditions = fields_["conditions"];
  json::array& all = conditions.is_array() ? conditions.get_array() : conditions.emplace_array();
  const auto known =
      std::ranges::find_if(all, [&](const json::value& other) { return IsOfType(other, type); });
  if (known == all.end())
    all.push_back(std::move(condition));
  else
    *known = std::move(condition);
}

// --- Jobs of batch/v1 ----------------------------------------------------------------------------

void JobStatus::Suspend() {
  SetCount("active", 0);
  if (fields_.contains("ready")) fields_["ready"] = 0;
  if (HasTrueCondition(api::kJobSuspended)) return;
  SetCondition(api::kJobSuspended, true, "JobSuspended", "Job suspended");
  fields_.erase("startTime");
}

// A Job that was never suspended has no condition to change.
void JobStatus::Resume(int64_t pods) {
  fields_["startTime"] = base::FormatTime(now_);
  if (HasTrueCondition(api::kJobSuspended))
    SetCondition(api::kJobSuspended, false, "JobResumed", "Job resumed");
  SetCount("active", pods);
  fields_["ready"] = 0;
}

void JobStatus::Complete(int64_t pods) {
  SetCount("active", 0);
  fields_["ready"] = 0;
  fields_["succeeded"] = pods;
  fields_["completionTime"] = base::FormatTime(now_);
  for (const std::string_view type : {std::string_view("SuccessCriteriaMet"), api::kJobComplete})
    SetCondition(type, true, "CompletionsReached", "Reached expected number of succeeded pods");
}

void JobStatus::Fail() {
  SetCount("active", 0);
  fields_["ready"] = 0;
  fields_["failed"] = 1;
  for (const std::string_view type : {std::string_view("FailureTarget"), api::kJobFailed})
    SetCondition(type, true, "BackoffLimitExceeded", "Simulated run failed");
}

}  // namespace berth::embedded

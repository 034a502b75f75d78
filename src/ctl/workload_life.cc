#include "ctl/workload_life.h"

#include <algorithm>

#include "schema/json/writer.h"

namespace berth::ctl {
namespace {

// What a condition and an Event say may differ by the time of their writes.
constexpr base::Duration kSameMoment = base::Duration::Seconds(2);

std::vector<LifeStep> StepsOfObject(const api::Workload& workload) {
  std::vector<LifeStep> steps;
  if (const auto& created = workload.metadata.creation_timestamp)
    steps.push_back({.time = *created,
                     .what = "Created",
                     .message = "in LocalQueue " + workload.spec.queue_name.value_or("(none)")});
  for (const api::Condition& condition : workload.status.conditions)
    if (condition.last_transition_time)
      steps.push_back({.time = *condition.last_transition_time,
                       .what = condition.type,
                       .status = condition.status,
                       .reason = condition.reason,
                       .message = condition.message});
  for (const api::AdmissionCheckState& check : workload.status.admission_checks)
    if (check.last_transition_time)
      steps.push_back({.time = *check.last_transition_time,
                       .what = "AdmissionCheck " + check.name,
                       .status = check.state,
                       .message = check.message});
  return steps;
}

base::Time TimeOf(const api::Event& event) {
  if (event.event_time) return *event.event_time;
  if (event.first_timestamp) return *event.first_timestamp;
  return event.metadata.creation_timestamp.value_or(base::kZeroTime);
}

// Whether the step is a condition that says the same: of the same type or reason, or with the same
// text.
bool Says(const LifeStep& step, const LifeStep& event) {
  const base::Duration apart =
      step.time < event.time ? event.time - step.time : step.time - event.time;
  return apart <= kSameMoment && (step.what == event.reason || step.reason == event.reason ||
                                  step.message == event.message);
}

}  // namespace

std::vector<LifeStep> LifeOf(const api::Workload& workload, std::span<const api::Event> events) {
  std::vector<LifeStep> life = StepsOfObject(workload);
  const std::vector<LifeStep> of_object = life;
  for (const api::Event& event : events) {
    LifeStep step{.time = TimeOf(event),
                  .what = "Event",
                  .reason = event.reason,
                  .message = event.message,
                  .count = std::max(1, event.count)};
    if (std::ranges::none_of(of_object, [&](const LifeStep& s) { return Says(s, step); }))
      life.push_back(std::move(step));
  }
  std::ranges::stable_sort(life, {}, &LifeStep::time);
  return life;
}

TextTable LifeTable(std::span<const LifeStep> life) {
  TextTable table{.columns = {{"Time"}, {"Step"}, {"Status"}, {"Reason"}, {"Message"}}, .rows = {}};
  for (const LifeStep& step : life) {
    const std::string times = step.count > 1 ? " (" + std::to_string(step.count) + " times)" : "";
    table.rows.push_back(
        {base::FormatTime(step.time), step.what, step.status, step.reason, step.message + times});
  }
  return table;
}

std::string LifeJson(const api::Workload& workload, std::span<const LifeStep> life) {
  schema::JsonWriter w;
  w.BeginObject().Member("namespace", workload.metadata.namespace_);
  w.Member("name", workload.metadata.name).Member("uid", workload.metadata.uid);
  w.Key("steps").BeginArray();
  for (const LifeStep& step : life) {
    w.BeginObject().Member("time", base::FormatMicroTime(step.time)).Member("step", step.what);
    if (!step.status.empty()) w.Member("status", step.status);
    if (!step.reason.empty()) w.Member("reason", step.reason);
    if (!step.message.empty()) w.Member("message", step.message);
    if (step.count > 1) w.Member("count", step.count);
    w.EndObject();
  }
  w.EndArray().EndObject();
  return w.Take() + "\n";
}

base::Result<const api::Workload*> FindWorkload(std::span<const api::Workload> workloads,
                                                std::string_view kind, std::string_view name) {
  const api::Workload* found = nullptr;
  for (const api::Workload& workload : workloads) {
    if (kind.empty() && workload.metadata.name == name) return &workload;
    const bool is_owned =
        std::ranges::any_of(workload.metadata.owner_references, [&](const auto& owner) {
          return owner.name == name && (kind.empty() || owner.kind == kind);
        });
    if (is_owned && (found == nullptr ||
                     found->metadata.creation_timestamp <= workload.metadata.creation_timestamp))
      found = &workload;
  }
  if (found != nullptr) return found;
  return base::Fail("there is no workload or job \"" + std::string(name) + "\"",
                    "`list workload` shows the workloads of the namespace");
}

}  // namespace berth::ctl

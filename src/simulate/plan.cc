#include "simulate/plan.h"

#include <map>

#include "schema/json/writer.h"
#include "simulate/world/empty_world.h"

namespace berth::simulate {
namespace {

// A moment of a thousand rounds. The bound ends preemption loops.
WorldOptions AtOnce() {
  WorldOptions options;
  options.jobs_end = false;
  options.cycle_time = base::Duration{1000};
  options.until = base::Duration::Milliseconds(1);
  return options;
}

struct MomentaryResult {
  Result result;
  std::map<uint32_t, PlannedEviction> evictions;
};

MomentaryResult PlayMoment(const Input& input, const WorldOptions& options) {
  MomentaryResult moment;
  World world(input, options, [&](const TimelineEvent& event) {
    if (event.kind == EventKind::kPreempted || event.kind == EventKind::kEvicted)
      moment.evictions.try_emplace(
          event.job,
          PlannedEviction{.job = event.job, .by = event.by, .reason = std::string(event.reason)});
  });
  while (world.Step()) {
  }
  moment.result = std::move(world).TakeResult();
  return moment;
}

bool IsNewlyAdmitted(const JobOutcome& job) {
  return job.state == JobState::kRunning && !job.held_at_start;
}

void CompareMoments(const MomentaryResult& before, const MomentaryResult& after, Plan& plan) {
  for (uint32_t i = 0; i < after.result.jobs.size(); ++i) {
    const JobOutcome& a = before.result.jobs[i];
    const JobOutcome& b = after.result.jobs[i];
    if (!IsNewlyAdmitted(a) && IsNewlyAdmitted(b)) plan.admitted.push_back(i);
    if (IsNewlyAdmitted(a) && !IsNewlyAdmitted(b)) plan.not_admitted.push_back(i);
    if (a.state != JobState::kUnqueued && b.state == JobState::kUnqueued)
      plan.unqueued.push_back(i);
    if (a.moves == 0 && b.moves > 0) plan.moved.push_back(i);
    const auto evicted = after.evictions.find(i);
    if (evicted != after.evictions.end() && !before.evictions.contains(i))
      plan.evicted.push_back(evicted->second);
    if (evicted == after.evictions.end() && before.evictions.contains(i))
      plan.not_evicted.push_back(i);
  }
}

void CompareQueueStates(const Result& before, const Result& after, Plan& plan) {
  std::map<std::string, std::string> inactive;
  for (const QueueOutcome& queue : before.queues) inactive[queue.name] = queue.inactive;
  for (const QueueOutcome& queue : after.queues) {
    const std::string was = inactive[queue.name];
    if (was.empty() && !queue.inactive.empty())
      plan.inactive.push_back(queue.name + ": " + queue.inactive);
    if (!was.empty() && queue.inactive.empty()) plan.active.push_back(queue.name);
  }
}

}  // namespace

Plan MakePlan(const Input& input, std::shared_ptr<const std::vector<api::Object>> change,
              const std::optional<api::Configuration>& configuration) {
  const WorldOptions base = AtOnce();
  WorldOptions changed = AtOnce();
  changed.edits.push_back({.after = {}, .objects = std::move(change)});
  changed.configuration = configuration;
  const MomentaryResult before = PlayMoment(input, base);
  const MomentaryResult after = PlayMoment(input, changed);
  Plan plan;
  CompareMoments(before, after, plan);
  CompareQueueStates(before.result, after.result, plan);
  EmptyWorld empty_before(input, base), empty_after(input, changed);
  for (uint32_t i = 0; i < input.jobs.size(); ++i) {
    const api::Workload& workload = input.kinds[input.jobs[i].kind].workload;
    if (empty_before.HasRoomFor(workload) && !empty_after.HasRoomFor(workload))
      plan.infeasible.push_back(i);
  }
  return plan;
}

// --- Text ---------------------------------------------------------------------------------------

namespace {

std::string Section(const std::string& heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = heading + " (" + std::to_string(lines.size()) + "):\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::vector<std::string> NamesOfJobs(const Input& input, const std::vector<uint32_t>& jobs) {
  std::vector<std::string> names;
  for (const uint32_t job : jobs) names.push_back(NameOf(input, job));
  return names;
}

std::vector<std::string> EvictionLines(const Input& input,
                                       const std::vector<PlannedEviction>& evictions) {
  std::vector<std::string> lines;
  for (const PlannedEviction& eviction : evictions)
    lines.push_back(NameOf(input, eviction.job) + ": " + eviction.reason +
                    (eviction.by == kNoIndex ? "" : ", for " + NameOf(input, eviction.by)));
  return lines;
}

void WriteJobNames(schema::JsonWriter& w, std::string_view key, const Input& input,
                   const std::vector<uint32_t>& jobs) {
  w.Key(key).BeginArray();
  for (const uint32_t job : jobs) w.Value(NameOf(input, job));
  w.EndArray();
}

}  // namespace

std::string ToText(const Plan& plan, const Input& input) {
  if (plan.empty()) return "No immediate effect.\n";
  return Section("Evicted", EvictionLines(input, plan.evicted)) +
         Section("Moved from a failed node", NamesOfJobs(input, plan.moved)) +
         Section("Admitted", NamesOfJobs(input, plan.admitted)) +
         Section("No longer admitted", NamesOfJobs(input, plan.not_admitted)) +
         Section("No longer evicted", NamesOfJobs(input, plan.not_evicted)) +
         Section("Never admissible after the change, even with all quota free",
                 NamesOfJobs(input, plan.infeasible)) +
         Section("No longer queued", NamesOfJobs(input, plan.unqueued)) +
         Section("ClusterQueues becoming inactive", plan.inactive) +
         Section("ClusterQueues becoming active", plan.active);
}

std::string ToJson(const Plan& plan, const Input& input) {
  schema::JsonWriter w;
  w.BeginObject().Key("evicted").BeginArray();
  for (const PlannedEviction& eviction : plan.evicted) {
    w.BeginObject().Member("workload", NameOf(input, eviction.job));
    w.Member("reason", eviction.reason);
    if (eviction.by != kNoIndex) w.Member("by", NameOf(input, eviction.by));
    w.EndObject();
  }
  w.EndArray();
  WriteJobNames(w, "moved", input, plan.moved);
  WriteJobNames(w, "admitted", input, plan.admitted);
  WriteJobNames(w, "notAdmitted", input, plan.not_admitted);
  WriteJobNames(w, "notEvicted", input, plan.not_evicted);
  WriteJobNames(w, "canNeverBeAdmitted", input, plan.infeasible);
  WriteJobNames(w, "inNoQueue", input, plan.unqueued);
  w.Key("turnInactive").BeginArray();
  for (const std::string& queue : plan.inactive) w.Value(queue);
  w.EndArray().Key("turnActive").BeginArray();
  for (const std::string& queue : plan.active) w.Value(queue);
  w.EndArray().EndObject();
  return w.Take() + "\n";
}

}  // namespace berth::simulate

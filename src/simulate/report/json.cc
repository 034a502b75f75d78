#include <cmath>

#include "schema/json/writer.h"
#include "simulate/report/format.h"
#include "simulate/report/report.h"
#include "workload/convert/convert_admission.h"

namespace berth::simulate {
namespace {

using schema::JsonWriter;

void WriteNumber(JsonWriter& w, std::string_view key, double number) {
  w.Key(key).Raw(JsonNumber(number));
}

void WriteGroup(JsonWriter& w, const GroupFigures& group) {
  w.BeginObject().Member("name", group.name);
  w.Member("arrived", group.arrived).Member("started", group.started);
  w.Member("finished", group.finished).Member("neverStarted", group.waiting);
  w.Member("preemptions", group.preemptions).Member("otherEvictions", group.evictions);
  WriteNumber(w, "finishedPerHour", group.per_hour);
  WriteNumber(w, "shareOfTimeAboveNominal", group.share_above_nominal);
  w.Key("waitSeconds").BeginObject();
  WriteNumber(w, "mean", group.wait.mean);
  WriteNumber(w, "p50", group.wait.p50);
  WriteNumber(w, "p90", group.wait.p90);
  WriteNumber(w, "p99", group.wait.p99);
  WriteNumber(w, "max", group.wait.max);
  w.EndObject().EndObject();
}

void WriteGroups(JsonWriter& w, std::string_view key, const std::vector<GroupFigures>& groups) {
  w.Key(key).BeginArray();
  for (const GroupFigures& group : groups) WriteGroup(w, group);
  w.EndArray();
}

void WriteUsage(JsonWriter& w, const Result& result) {
  w.Key("usage").BeginArray();
  for (const QueueOutcome& queue : result.queues) {
    for (const UsageOutcome& usage : queue.usage) {
      w.BeginObject().Member("clusterQueue", queue.name);
      w.Member("flavor", usage.flavor).Member("resource", usage.resource);
      WriteNumber(w, "nominal", usage.nominal);
      WriteNumber(w, "used", usage.used);
      WriteNumber(w, "utilisation", usage.utilisation());
      WriteNumber(w, "borrowed", usage.borrowed);
      WriteNumber(w, "lent", usage.lent);
      WriteNumber(w, "peak", usage.peak);
      w.EndObject();
    }
  }
  w.EndArray();
}

void WriteNodes(JsonWriter& w, const Result& result) {
  w.Key("nodes").BeginArray();
  for (const NodesOutcome& nodes : result.nodes) {
    w.BeginObject().Member("flavor", nodes.flavor).Member("placements", nodes.placements);
    w.Key("levels").BeginArray();
    for (const NodesOutcome::Level& level : nodes.levels) {
      w.BeginObject().Member("nodeLabel", level.label);
      WriteNumber(w, "domains", level.domains);
      WriteNumber(w, "busy", level.busy);
      WriteNumber(w, "shareOfPlacementsInOne", level.together);
      w.EndObject();
    }
    w.EndArray().Key("resources").BeginArray();
    for (const NodesOutcome::Resource& resource : nodes.resources) {
      w.BeginObject().Member("resource", resource.name);
      WriteNumber(w, "capacity", resource.capacity);
      WriteNumber(w, "used", resource.used);
      WriteNumber(w, "utilisation", resource.utilisation());
      WriteNumber(w, "peak", resource.peak);
      w.EndObject();
    }
    w.EndArray().EndObject();
  }
  w.EndArray();
}

void WritePendingTimes(JsonWriter& w, const Result& result) {
  w.Key("pendingTimes").BeginArray();
  for (const PendingTime& pending : result.pending_times) {
    w.BeginObject().Member("clusterQueue", result.queues[pending.queue].name);
    w.Member("reason", pending.reason);
    WriteNumber(w, "seconds", pending.seconds);
    w.EndObject();
  }
  w.EndArray();
}

void WriteNames(JsonWriter& w, std::string_view key, const Input& input,
                const std::vector<uint32_t>& jobs) {
  w.Key(key).BeginArray();
  for (const uint32_t job : jobs) w.Value(NameOf(input, job));
  w.EndArray();
}

void WriteWarnings(JsonWriter& w, const Report& report) {
  const Input& input = *report.input;
  w.Key("warnings").BeginObject().Key("preemptionLoops").BeginArray();
  for (const PreemptionLoop& loop : report.warnings.loops) {
    w.BeginObject().Member("preemptions", loop.preemptions);
    WriteNames(w, "jobs", input, loop.jobs);
    w.EndObject();
  }
  w.EndArray().Key("starved").BeginArray();
  for (const Starvation& s : report.warnings.starved) {
    w.BeginObject().Member("clusterQueue", s.queue).Member("jobs", s.jobs);
    w.Member("oldest", NameOf(input, s.oldest));
    WriteNumber(w, "seconds", s.seconds);
    w.EndObject();
  }
  w.EndArray();
  WriteNames(w, "canNeverStart", input, report.warnings.infeasible);
  w.Key("unusableQuota").BeginArray();
  for (const UnusableQuota& u : report.warnings.unusable) {
    w.BeginObject().Member("clusterQueue", u.queue).Member("flavor", u.flavor);
    w.Member("resource", u.resource);
    WriteNumber(w, "nominal", u.nominal);
    w.EndObject();
  }
  w.EndArray().Key("inactiveQueues").BeginArray();
  for (const std::string& queue : report.warnings.inactive) w.Value(queue);
  w.EndArray().EndObject();
}

void WriteWorld(JsonWriter& w, const Report& report) {
  const Result& result = *report.result;
  w.BeginObject().Member("start", base::FormatMicroTime(result.start));
  w.Member("end", base::FormatMicroTime(result.end));
  WriteNumber(w, "seconds", report.summary.seconds);
  WriteNumber(w, "leastSecondsByQuota", report.summary.floor_seconds);
  w.Member("isComplete", result.is_complete).Member("cycles", result.cycles);
  w.Key("all");
  WriteGroup(w, report.summary.all);
  WriteGroups(w, "clusterQueues", report.summary.cluster_queues);
  WriteGroups(w, "localQueues", report.summary.local_queues);
  WriteGroups(w, "classes", report.summary.classes);
  WriteUsage(w, result);
  WriteNodes(w, result);
  w.Member("nodeFailures", result.node_failures).Member("moves", report.summary.all.moves);
  WritePendingTimes(w, result);
  WriteWarnings(w, report);
  w.EndObject();
}

void WriteMoved(JsonWriter& w, std::string_view key, const Input& input, uint64_t count,
                double mean, const std::vector<MovedJob>& moved) {
  w.Key(key).BeginObject().Member("jobs", count);
  WriteNumber(w, "meanSeconds", std::abs(mean));
  w.Key("most").BeginArray();
  for (const MovedJob& job : moved) {
    w.BeginObject().Member("name", NameOf(input, job.job));
    WriteNumber(w, "seconds", std::abs(job.seconds));
    w.EndObject();
  }
  w.EndArray().EndObject();
}

}  // namespace

std::string ToJson(const Report& base) {
  JsonWriter w;
  WriteWorld(w, base);
  return w.Take() + "\n";
}

std::string ToJson(const Comparison& comparison, const Report& base, const Report& changed) {
  JsonWriter w;
  const Input& input = *base.input;
  w.BeginObject().Key("base");
  WriteWorld(w, base);
  w.Key("changed");
  WriteWorld(w, changed);
  w.Key("difference").BeginObject();
  WriteMoved(w, "earlier", input, comparison.earlier, comparison.mean_earlier,
             comparison.most_earlier);
  WriteMoved(w, "later", input, comparison.later, comparison.mean_later, comparison.most_later);
  WriteNames(w, "newlyPreempted", input, comparison.newly_preempted);
  WriteNames(w, "noLongerPreempted", input, comparison.no_longer_preempted);
  WriteNames(w, "noLongerStarted", input, comparison.no_longer_started);
  WriteNames(w, "newlyStarted", input, comparison.newly_started);
  w.EndObject().EndObject();
  return w.Take() + "\n";
}

// --- Timelines ----------------------------------------------------------------------------------

namespace {

std::string_view WordForEvent(EventKind kind) {
  switch (kind) {
    case EventKind::kArrived:
      return "arrived";
    case EventKind::kStarted:
      return "started";
    case EventKind::kPreempted:
      return "preempted";
    case EventKind::kEvicted:
      return "evicted";
    case EventKind::kMoved:
      return "moved";
    case EventKind::kFinished:
      return "finished";
    case EventKind::kDeactivated:
      return "gaveUp";
  }
  return {};
}

std::string CsvCell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string QueueNameOf(const JobKind& kind) {
  return kind.workload.metadata.namespace_ + "/" + kind.workload.spec.queue_name.value_or("");
}

}  // namespace

std::string TimelineHeading() { return "time,event,workload,localQueue,class,reason,by\n"; }

std::string TimelineCsv(const Input& input, const TimelineEvent& event) {
  const JobKind& kind = input.kinds[input.jobs[event.job].kind];
  std::string line = base::FormatMicroTime(event.at);
  for (const std::string& cell : {std::string(WordForEvent(event.kind)), NameOf(input, event.job),
                                  QueueNameOf(kind), kind.label, std::string(event.reason),
                                  event.by == kNoIndex ? std::string() : NameOf(input, event.by)})
    line += ',' + CsvCell(cell);
  return line + '\n';
}

std::string TimelineJson(const Input& input, const TimelineEvent& event) {
  const JobKind& kind = input.kinds[input.jobs[event.job].kind];
  JsonWriter w;
  w.BeginObject().Member("time", base::FormatMicroTime(event.at));
  w.Member("event", WordForEvent(event.kind)).Member("workload", NameOf(input, event.job));
  w.Member("localQueue", QueueNameOf(kind));
  if (!kind.label.empty()) w.Member("class", kind.label);
  if (!event.reason.empty()) w.Member("reason", event.reason);
  if (event.by != kNoIndex) w.Member("by", NameOf(input, event.by));
  w.EndObject();
  return w.Take() + '\n';
}

}  // namespace berth::simulate

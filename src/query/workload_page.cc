#include "query/workload_page.h"

#include <algorithm>

#include "explain/json.h"
#include "explain/report.h"
#include "explain/text.h"
#include "query/number.h"
#include "schema/encode.h"

namespace berth::query {
namespace {

const api::PodSetAssignment* AssignmentOf(const api::Workload& workload, size_t pod_set) {
  if (!workload.status.admission) return nullptr;
  const auto& all = workload.status.admission->pod_set_assignments;
  return pod_set < all.size() ? &all[pod_set] : nullptr;
}

std::vector<PodSetFigures> PodSetsOf(const workload::ClusterState& cluster,
                                     const api::Workload& workload) {
  std::vector<PodSetFigures> all;
  for (size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const api::PodSet& pod_set = workload.spec.pod_sets[i];
    PodSetFigures figures{.name = pod_set.name,
                          .count = pod_set.count.value_or(1),
                          .requests = RequestsOf(cluster, workload, i)};
    if (const api::PodSetAssignment* assignment = AssignmentOf(workload, i)) {
      figures.count = assignment->count.value_or(pod_set.count.value_or(1));
      for (const auto& [resource, flavor] : assignment->flavors)
        figures.flavors.push_back({resource, flavor});
      if (assignment->topology_assignment)
        figures.topology = schema::Encode(*assignment->topology_assignment);
    }
    all.push_back(std::move(figures));
  }
  return all;
}

std::vector<TimelineEntry> TimelineOf(const api::Workload& workload) {
  std::vector<TimelineEntry> entries;
  if (const auto& created = workload.metadata.creation_timestamp)
    entries.push_back({.time = *created, .type = "Created"});
  for (const api::Condition& condition : workload.status.conditions)
    if (condition.last_transition_time)
      entries.push_back({.time = *condition.last_transition_time,
                         .type = condition.type,
                         .status = condition.status,
                         .reason = condition.reason,
                         .message = condition.message});
  for (const api::AdmissionCheckState& check : workload.status.admission_checks)
    if (check.last_transition_time)
      entries.push_back(
          {.time = *check.last_transition_time,
           .type = "AdmissionCheck",
           .reason = check.state,
           .message = check.name + (check.message.empty() ? "" : ": ") + check.message});
  std::ranges::stable_sort(entries, {}, &TimelineEntry::time);
  return entries;
}

void AddExplanation(workload::ClusterState& cluster, const api::Workload& workload,
                    const Viewer& viewer, WorkloadPage& page) {
  explain::Report report = explain::MakeReport(cluster, workload);
  report.may_name = [&](const api::Workload& other) {
    return viewer.workloads.Contains(other.metadata.namespace_);
  };
  page.explanation = explain::ToJson(report);
  page.explanation.pop_back();  // the line's end
  page.explanation_text = explain::ToText(report);
}

void WritePodSets(const std::vector<PodSetFigures>& pod_sets, schema::JsonWriter& w) {
  w.Key("podSets").BeginArray();
  for (const PodSetFigures& pod_set : pod_sets) {
    w.BeginObject().Member("name", pod_set.name).Member("count", pod_set.count);
    WriteRequests(pod_set.requests, w);
    WriteFlavors(pod_set.flavors, w);
    if (!pod_set.topology.empty()) w.Key("topology").Raw(pod_set.topology);
    w.EndObject();
  }
  w.EndArray();
}

void WriteTimeline(const std::vector<TimelineEntry>& timeline, schema::JsonWriter& w) {
  w.Key("timeline").BeginArray();
  for (const TimelineEntry& entry : timeline) {
    w.BeginObject().Member("time", base::FormatTime(entry.time)).Member("type", entry.type);
    WriteText(w, "status", entry.status);
    w.Member("reason", entry.reason).Member("message", entry.message).EndObject();
  }
  w.EndArray();
}

void WriteChecks(const std::vector<api::AdmissionCheckState>& checks, schema::JsonWriter& w) {
  w.Key("checks").BeginArray();
  for (const api::AdmissionCheckState& check : checks) {
    w.BeginObject().Member("name", check.name).Member("state", check.state);
    WriteText(w, "message", check.message);
    w.EndObject();
  }
  w.EndArray();
}

}  // namespace

std::optional<WorkloadPage> MakeWorkloadPage(workload::ClusterState& cluster,
                                             std::string_view namespaced_name,
                                             const Viewer& viewer) {
  const api::Workload* workload = cluster.FindWorkload(namespaced_name);
  if (workload == nullptr || !viewer.workloads.Contains(workload->metadata.namespace_))
    return std::nullopt;
  WorkloadPage page{.row = RowMaker(cluster).RowOf(*workload),
                    .pod_sets = PodSetsOf(cluster, *workload),
                    .timeline = TimelineOf(*workload),
                    .checks = workload->status.admission_checks};
  if (viewer.sees_cluster_queues) AddExplanation(cluster, *workload, viewer, page);
  return page;
}

std::string ToJson(const WorkloadPage& page, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision);
  WriteMembers(page.row, w);
  WritePodSets(page.pod_sets, w);
  WriteTimeline(page.timeline, w);
  WriteChecks(page.checks, w);
  if (!page.explanation.empty()) {
    w.Key("explanation").Raw(page.explanation);
    w.Member("explanationText", page.explanation_text);
  }
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query

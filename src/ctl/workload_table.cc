#include "ctl/workload_table.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "apiserver/table/table.h"
#include "base/suggest.h"
#include "base/text.h"
#include "ctl/queue_tables.h"
#include "workload/status_changes.h"

namespace berth::ctl {
namespace {

constexpr std::string_view kStatusWords[] = {"all", "pending", "quotareserved", "admitted",
                                             "finished"};
constexpr size_t kMostOfType = 20;

std::string_view HeadingOf(WorkloadStatus status) {
  switch (status) {
    case WorkloadStatus::kPending:
      return "PENDING";
    case WorkloadStatus::kQuotaReserved:
      return "QUOTARESERVED";
    case WorkloadStatus::kAdmitted:
      return "ADMITTED";
    case WorkloadStatus::kFinished:
      return "FINISHED";
  }
  return {};
}

std::string Joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

// "jobset.jobset.x-k8s.i...": the kind and group, shortened.
std::string TypeOf(const NamedKind& kind) {
  std::string text = kind.singular;
  if (!kind.resource.group.empty()) text += "." + kind.resource.group;
  return text.size() <= kMostOfType ? text : text.substr(0, kMostOfType) + "...";
}

std::string JobTypes(const api::Workload& workload, const WorkloadFacts& facts) {
  std::set<std::string> types;
  for (const api::OwnerReference& owner : workload.metadata.owner_references) {
    const auto kind = facts.owner_kinds.find({owner.api_version, owner.kind});
    if (kind != facts.owner_kinds.end()) types.insert(TypeOf(kind->second));
  }
  return Joined(types);
}

std::string JobNames(const api::Workload& workload) {
  std::set<std::string> names;
  for (const api::OwnerReference& owner : workload.metadata.owner_references)
    names.insert(owner.name);
  return Joined(names);
}

std::string PositionText(const api::Workload& workload, const WorkloadFacts& facts) {
  const auto position = facts.positions.find(NameOf(workload.metadata));
  return position == facts.positions.end() ? "" : std::to_string(position->second);
}

// Since the admission, or until the end.
std::string ExecTime(const api::Workload& workload, base::Time now) {
  const auto& conditions = workload.status.conditions;
  const api::Condition* admitted = api::FindCondition(conditions, api::condition::kAdmitted);
  if (admitted == nullptr || admitted->status != api::kConditionTrue ||
      !admitted->last_transition_time)
    return {};
  const api::Condition* finished = api::FindCondition(conditions, api::condition::kFinished);
  const bool is_over = finished != nullptr && finished->status == api::kConditionTrue &&
                       finished->last_transition_time;
  const base::Time end = is_over ? *finished->last_transition_time : now;
  return apiserver::HumanAge(end - *admitted->last_transition_time);
}

// Why it waits, or ended.
std::string MessageOf(const api::Workload& workload) {
  const WorkloadStatus status = StatusOf(workload);
  if (status != WorkloadStatus::kPending && status != WorkloadStatus::kFinished) return {};
  const api::Condition* condition =
      api::FindCondition(workload.status.conditions, status == WorkloadStatus::kPending
                                                         ? api::condition::kQuotaReserved
                                                         : api::condition::kFinished);
  return condition == nullptr ? "" : condition->message;
}

}  // namespace

WorkloadStatus StatusOf(const api::Workload& workload) {
  if (workload::IsFinished(workload)) return WorkloadStatus::kFinished;
  if (workload::IsAdmitted(workload)) return WorkloadStatus::kAdmitted;
  return workload::HasReservation(workload) ? WorkloadStatus::kQuotaReserved
                                            : WorkloadStatus::kPending;
}

base::Result<std::set<WorkloadStatus>> ReadStatuses(std::span<const std::string> given) {
  std::set<WorkloadStatus> statuses;
  bool is_all = false;
  for (const std::string& text : given) {
    const std::string word = base::LowerCase(text);
    const auto found = std::ranges::find(kStatusWords, word);
    if (found == std::ranges::end(kStatusWords)) {
      std::string hint = base::DidYouMean(word, kStatusWords);
      if (hint.empty()) hint = "write all, pending, quotareserved, admitted or finished";
      return base::Fail("invalid status value (" + text + ")", std::move(hint));
    }
    const auto index = found - std::ranges::begin(kStatusWords);
    if (index == 0)
      is_all = true;
    else
      statuses.insert(static_cast<WorkloadStatus>(index - 1));
  }
  if (is_all) statuses.clear();
  return statuses;
}

store::ObjectName NameOf(const api::ObjectMeta& metadata) {
  return {.namespace_ = metadata.namespace_, .name = metadata.name};
}

store::ObjectName LocalQueueOf(const api::Workload& workload) {
  return {.namespace_ = workload.metadata.namespace_,
          .name = workload.spec.queue_name.value_or("")};
}

std::string WorkloadFacts::ClusterQueueOf(const api::Workload& workload) const {
  if (workload.status.admission && !workload.status.admission->cluster_queue.empty())
    return workload.status.admission->cluster_queue;
  const auto found = cluster_queues.find(LocalQueueOf(workload));
  return found == cluster_queues.end() ? "" : found->second;
}

bool WorkloadFilter::Passes(const api::Workload& workload, const WorkloadFacts& facts) const {
  if (!local_queue.empty() && workload.spec.queue_name.value_or("") != local_queue) return false;
  if (!cluster_queue.empty() && facts.ClusterQueueOf(workload) != cluster_queue) return false;
  if (!statuses.empty() && !statuses.contains(StatusOf(workload))) return false;
  return owner_uid.empty() || std::ranges::any_of(workload.metadata.owner_references,
                                                  [&](const api::OwnerReference& owner) {
                                                    return owner.uid == owner_uid;
                                                  });
}

TextTable WorkloadTable(std::span<const api::Workload> workloads, const WorkloadFacts& facts,
                        bool has_namespace, base::Time now) {
  TextTable table{.columns = {{"Namespace"},
                              {"Name"},
                              {"Job Type"},
                              {"Job Name"},
                              {"LocalQueue"},
                              {"ClusterQueue"},
                              {"Status"},
                              {"Position in Queue"},
                              {"Exec Time"},
                              {"Age"},
                              {"Priority", true},
                              {"Message", true}},
                  .rows = {}};
  for (const api::Workload& workload : workloads)
    table.rows.push_back({workload.metadata.namespace_, workload.metadata.name,
                          JobTypes(workload, facts), JobNames(workload),
                          workload.spec.queue_name.value_or(""), facts.ClusterQueueOf(workload),
                          std::string(HeadingOf(StatusOf(workload))), PositionText(workload, facts),
                          ExecTime(workload, now), AgeOf(workload.metadata, now),
                          std::to_string(workload.spec.priority.value_or(0)), MessageOf(workload)});
  if (!has_namespace) table.RemoveFirstColumn();
  return table;
}

}  // namespace berth::ctl

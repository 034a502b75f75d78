#include "ctl/queue_tables.h"

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "apiserver/table/table.h"

namespace berth::ctl {
namespace {

std::string Count(const std::optional<int32_t>& count) { return std::to_string(count.value_or(0)); }

std::string TrueOrFalse(bool value) { return value ? "true" : "false"; }

std::string StopPolicyOf(const std::optional<std::string>& policy) {
  return policy.value_or(std::string(api::kStopPolicyNone));
}

// Why the queue is inactive; "" if it is active.
std::string InactiveReason(const std::vector<api::Condition>& conditions) {
  const api::Condition* active = api::FindCondition(conditions, api::condition::kActive);
  return active == nullptr || active->status == api::kConditionTrue ? "" : active->message;
}

std::string LabelsText(const base::FlatMap<std::string>& labels) {
  std::string text;
  for (const auto& [key, value] : labels) {
    if (!text.empty()) text += ", ";
    text += key;
    text += '=';
    text += value;
  }
  return text;
}

std::string TaintsText(const std::vector<api::Taint>& taints) {
  std::string text;
  for (const api::Taint& taint : taints) {
    if (!text.empty()) text += ", ";
    text += taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
  }
  return text;
}

}  // namespace

bool IsActive(const api::ClusterQueue& queue) {
  return api::IsConditionTrue(queue.status.conditions, api::condition::kActive);
}

std::string AgeOf(const api::ObjectMeta& metadata, base::Time now) {
  return metadata.creation_timestamp ? apiserver::HumanAge(now - *metadata.creation_timestamp)
                                     : "<unknown>";
}

TextTable ClusterQueueTable(std::span<const api::ClusterQueue> queues, base::Time now) {
  TextTable table{.columns = {{"Name"},
                              {"Cohort"},
                              {"Pending Workloads"},
                              {"Admitted Workloads"},
                              {"Active"},
                              {"Age"},
                              {"Reserving Workloads", true},
                              {"Strategy", true},
                              {"Stop Policy", true},
                              {"Message", true}},
                  .rows = {}};
  for (const api::ClusterQueue& queue : queues)
    table.rows.push_back(
        {queue.metadata.name, queue.spec.cohort_name.value_or(""),
         Count(queue.status.pending_workloads), Count(queue.status.admitted_workloads),
         TrueOrFalse(IsActive(queue)), AgeOf(queue.metadata, now),
         Count(queue.status.reserving_workloads), queue.spec.queueing_strategy.value_or(""),
         StopPolicyOf(queue.spec.stop_policy), InactiveReason(queue.status.conditions)});
  return table;
}

TextTable LocalQueueTable(std::span<const api::LocalQueue> queues, bool has_namespace,
                          base::Time now) {
  TextTable table{.columns = {{"Namespace", false},
                              {"Name"},
                              {"ClusterQueue"},
                              {"Pending Workloads"},
                              {"Admitted Workloads"},
                              {"Age"},
                              {"Reserving Workloads", true},
                              {"Stop Policy", true},
                              {"Message", true}},
                  .rows = {}};
  for (const api::LocalQueue& queue : queues)
    table.rows.push_back(
        {queue.metadata.namespace_, queue.metadata.name, queue.spec.cluster_queue.value_or(""),
         Count(queue.status.pending_workloads), Count(queue.status.admitted_workloads),
         AgeOf(queue.metadata, now), Count(queue.status.reserving_workloads),
         StopPolicyOf(queue.spec.stop_policy), InactiveReason(queue.status.conditions)});
  if (!has_namespace) table.RemoveFirstColumn();
  return table;
}

TextTable ResourceFlavorTable(std::span<const api::ResourceFlavor> flavors, base::Time now) {
  TextTable table{
      .columns = {{"Name"}, {"Node Labels"}, {"Age"}, {"Node Taints", true}, {"Topology", true}},
      .rows = {}};
  for (const api::ResourceFlavor& flavor : flavors)
    table.rows.push_back({flavor.metadata.name, LabelsText(flavor.spec.node_labels),
                          AgeOf(flavor.metadata, now), TaintsText(flavor.spec.node_taints),
                          flavor.spec.topology_name.value_or("")});
  return table;
}

}  // namespace berth::ctl

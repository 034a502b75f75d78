#include "query/workload_row.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "quantity/resource_amount.h"
#include "query/number.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::query {
namespace {

namespace condition = api::condition;

// The condition that a status follows from; null if there is none.
const api::Condition* ConditionOf(const api::Workload& workload, Status status) {
  const auto find = [&](std::string_view type) {
    return api::FindCondition(workload.status.conditions, type);
  };
  switch (status) {
    case Status::kPending:
    case Status::kQuotaReserved:
      return find(condition::kQuotaReserved);
    case Status::kAdmitted:
      return find(condition::kAdmitted);
    case Status::kEvicted:
    case Status::kInactive:
      return find(condition::kEvicted);
    case Status::kFinished:
      return find(condition::kFinished);
  }
  return nullptr;
}

void Add(std::vector<ResourceFigure>& figures, const std::string& resource, int64_t amount) {
  const auto found = std::ranges::find(figures, resource, &ResourceFigure::resource);
  if (found == figures.end()) return figures.push_back({resource, amount}), void();
  found->amount = quantity::SaturatingAdd(found->amount, amount);
}

std::vector<ResourceFigure> AdmittedUsage(const api::PodSetAssignment& assignment) {
  std::vector<ResourceFigure> figures;
  for (const auto& [resource, quantity] : assignment.resource_usage)
    figures.push_back({resource, quantity::RequestAmount(resource, quantity)});
  return figures;
}

std::vector<FlavorOfResource> FlavorsOf(const api::Workload& workload) {
  std::map<std::string, std::string> flavors;
  if (workload.status.admission)
    for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments)
      for (const auto& [resource, flavor] : assignment.flavors) flavors.emplace(resource, flavor);
  std::vector<FlavorOfResource> all;
  for (const auto& [resource, flavor] : flavors) all.push_back({resource, flavor});
  return all;
}

const api::OwnerReference* OwnerOf(const api::Workload& workload) {
  const auto& owners = workload.metadata.owner_references;
  const auto controller = std::ranges::find_if(
      owners, [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  if (controller != owners.end()) return &*controller;
  return owners.empty() ? nullptr : &owners.front();
}

}  // namespace

std::string_view NameOf(Status status) {
  static constexpr std::string_view kNames[] = {"Pending", "QuotaReserved", "Admitted",
                                                "Evicted", "Finished",      "Inactive"};
  return kNames[static_cast<size_t>(status)];
}

Status StatusOf(const api::Workload& workload) {
  if (workload::IsFinished(workload)) return Status::kFinished;
  const bool has_quota = workload::HasReservation(workload);
  if (has_quota && workload::IsEvicted(workload)) return Status::kEvicted;
  if (has_quota) return workload::IsAdmitted(workload) ? Status::kAdmitted : Status::kQuotaReserved;
  return workload::IsActive(workload) ? Status::kPending : Status::kInactive;
}

std::optional<base::Time> StatusSince(const api::Workload& workload) {
  const Status status = StatusOf(workload);
  if (status == Status::kPending) return workload::QueuedSince(workload);
  const api::Condition* found = ConditionOf(workload, status);
  return found == nullptr ? std::nullopt : found->last_transition_time;
}

std::string ReasonOf(const api::Workload& workload) {
  const Status status = StatusOf(workload);
  const api::Condition* found = ConditionOf(workload, status);
  if (found != nullptr) return found->reason;
  return status == Status::kPending ? std::string(api::reason::kPendingEvaluation) : "";
}

std::string ClusterQueueOf(const workload::ClusterState& cluster, const api::Workload& workload) {
  if (workload.status.admission) return workload.status.admission->cluster_queue;
  const api::LocalQueue* local = cluster.FindLocalQueueOf(workload);
  return local == nullptr ? "" : local->spec.cluster_queue.value_or("");
}

std::vector<ResourceFigure> RequestsOf(const workload::ClusterState& cluster,
                                       const api::Workload& workload, size_t pod_set) {
  if (workload.status.admission) {
    const auto& assignments = workload.status.admission->pod_set_assignments;
    return pod_set < assignments.size() ? AdmittedUsage(assignments[pod_set])
                                        : std::vector<ResourceFigure>();
  }
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(workload.metadata.uid);
  if (id.is_none() || engine.state().workload(id).shape.is_none()) return {};
  const engine::PodSetViews pod_sets =
      engine.state().shape(engine.state().workload(id).shape).pod_sets;
  std::vector<ResourceFigure> figures;
  if (pod_set >= pod_sets.size()) return figures;
  for (const engine::Request& request : pod_sets[pod_set].requests)
    figures.push_back({engine.ResourceName(request.resource), request.amount});
  return figures;
}

WorkloadRow RowMaker::RowWithoutPlace(const api::Workload& workload) const {
  const Status status = StatusOf(workload);
  const api::Condition* condition = ConditionOf(workload, status);
  WorkloadRow row{.namespace_ = workload.metadata.namespace_,
                  .name = workload.metadata.name,
                  .uid = workload.metadata.uid,
                  .local_queue = workload.spec.queue_name.value_or(""),
                  .cluster_queue = ClusterQueueOf(cluster_, workload),
                  .priority = workload.spec.priority.value_or(0),
                  .status = status,
                  .reason = ReasonOf(workload),
                  .message = condition == nullptr ? "" : condition->message,
                  .created_at = workload.metadata.creation_timestamp,
                  .since = StatusSince(workload),
                  .flavors = FlavorsOf(workload)};
  if (workload.spec.priority_class_ref) row.priority_class = workload.spec.priority_class_ref->name;
  if (const api::OwnerReference* owner = OwnerOf(workload)) {
    row.owner_kind = owner->kind;
    row.owner_name = owner->name;
  }
  for (size_t i = 0; i < workload.spec.pod_sets.size(); ++i)
    for (const ResourceFigure& figure : RequestsOf(cluster_, workload, i))
      Add(row.requests, figure.resource, figure.amount);
  return row;
}

WorkloadRow RowMaker::RowOf(const api::Workload& workload) {
  WorkloadRow row = RowWithoutPlace(workload);
  const engine::Engine& engine = cluster_.engine();
  const engine::WorkloadId id = engine.FindWorkload(workload.metadata.uid);
  if (id.is_none() || engine.IsReserved(id)) return row;
  const Places& places = PlacesIn(engine.ClusterQueueOf(id));
  const auto place = places.find(id.value());
  if (place == places.end()) return row;
  row.position = place->second.in_cluster_queue;
  row.position_in_local_queue = place->second.in_local_queue;
  return row;
}

const RowMaker::Places& RowMaker::PlacesIn(engine::NodeId queue) {
  const auto [found, is_new] = places_.try_emplace(queue);
  if (!is_new) return found->second;
  const engine::State& state = cluster_.engine().state();
  std::map<engine::LocalQueueId, int64_t> lengths;
  int64_t position = 0;
  for (const engine::WorkloadId id : cluster_.engine().WaitingIn(queue))
    found->second.emplace(id.value(),
                          Place{.in_cluster_queue = position++,
                                .in_local_queue = lengths[state.workload(id).local_queue]++});
  return found->second;
}

void WriteRequests(const std::vector<ResourceFigure>& requests, schema::JsonWriter& w) {
  w.Key("requests").BeginArray();
  for (const ResourceFigure& figure : requests) {
    w.BeginObject().Member("resource", figure.resource);
    WriteAmount(w, "amount", figure.resource, figure.amount);
    w.EndObject();
  }
  w.EndArray();
}

void WriteFlavors(const std::vector<FlavorOfResource>& flavors, schema::JsonWriter& w) {
  if (flavors.empty()) return;
  w.Key("flavors").BeginArray();
  for (const FlavorOfResource& each : flavors)
    w.BeginObject().Member("resource", each.resource).Member("flavor", each.flavor).EndObject();
  w.EndArray();
}

void WriteMembers(const WorkloadRow& row, schema::JsonWriter& w) {
  w.Member("namespace", row.namespace_).Member("name", row.name).Member("uid", row.uid);
  if (!row.owner_kind.empty())
    w.Key("owner")
        .BeginObject()
        .Member("kind", row.owner_kind)
        .Member("name", row.owner_name)
        .EndObject();
  WriteText(w, "localQueue", row.local_queue);
  WriteText(w, "clusterQueue", row.cluster_queue);
  w.Member("priority", row.priority);
  WriteText(w, "priorityClass", row.priority_class);
  w.Member("status", NameOf(row.status));
  WriteText(w, "reason", row.reason);
  WriteText(w, "message", row.message);
  if (row.created_at) w.Member("createdAt", base::FormatTime(*row.created_at));
  if (row.since) w.Member("since", base::FormatTime(*row.since));
  if (row.position) w.Member("position", *row.position);
  if (row.position_in_local_queue) w.Member("positionInLocalQueue", *row.position_in_local_queue);
  WriteRequests(row.requests, w);
  WriteFlavors(row.flavors, w);
}

void WriteRows(std::string_view key, const std::vector<WorkloadRow>& rows, schema::JsonWriter& w) {
  w.Key(key).BeginArray();
  for (const WorkloadRow& row : rows) {
    w.BeginObject();
    WriteMembers(row, w);
    w.EndObject();
  }
  w.EndArray();
}

}  // namespace berth::query

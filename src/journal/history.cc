#include "journal/history.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "journal/recorded_object.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::journal {
namespace {

namespace condition = api::condition;

std::string ReasonText(const api::Condition& c) {
  if (c.message.empty()) return c.reason;
  return c.reason + ": " + c.message;
}

bool IsNews(const api::Condition* before, const api::Condition& after) {
  return before == nullptr || before->status != after.status || before->reason != after.reason ||
         before->message != after.message;
}

// The condition of the new state if it became true.
const api::Condition* BecameTrue(std::string_view type, const api::Workload* before,
                                 const api::Workload& after) {
  const api::Condition* now = api::FindCondition(after.status.conditions, type);
  if (now == nullptr || now->status != "True") return nullptr;
  const api::Condition* was =
      before == nullptr ? nullptr : api::FindCondition(before->status.conditions, type);
  return was != nullptr && was->status == "True" ? nullptr : now;
}

const api::Condition* NewPendingReason(const api::Workload* before, const api::Workload& after) {
  const api::Condition* now =
      api::FindCondition(after.status.conditions, condition::kQuotaReserved);
  if (now == nullptr || now->status == "True") return nullptr;
  const api::Condition* was =
      before == nullptr ? nullptr
                        : api::FindCondition(before->status.conditions, condition::kQuotaReserved);
  return IsNews(was, *now) ? now : nullptr;
}

class Steps {
 public:
  Steps(const api::Workload& workload, base::Time now) : workload_(workload), now_(now) {}

  void Add(std::string_view what, std::string detail, std::optional<base::Time> at = {}) {
    const api::Workload& w = workload_;
    events_.push_back({.time = at.value_or(now_),
                       .workload = workload::NamespacedName(w.metadata),
                       .cluster_queue = w.status.admission ? w.status.admission->cluster_queue : "",
                       .local_queue = workload::NamespacedName(w.metadata.namespace_,
                                                               w.spec.queue_name.value_or("")),
                       .what = std::string(what),
                       .detail = std::move(detail)});
  }
  std::vector<LifeEvent> Take() { return std::move(events_); }

 private:
  const api::Workload& workload_;
  base::Time now_;
  std::vector<LifeEvent> events_;
};

// Conditions whose beginning is a step, in the order in which they follow each other.
constexpr std::string_view kSteps[] = {condition::kAdmitted, condition::kPodsReady,
                                       condition::kPreempted, condition::kEvicted,
                                       condition::kFinished};

}  // namespace

std::string FlavorsText(const api::Admission& admission) {
  std::string text;
  for (const api::PodSetAssignment& pods : admission.pod_set_assignments) {
    for (const auto& [resource, flavor] : pods.flavors) {
      if (!text.empty()) text += ", ";
      const quantity::Quantity* used = pods.resource_usage.Find(resource);
      text += resource + ": " + (used == nullptr ? "?" : used->ToString()) + " of " + flavor;
    }
  }
  return text;
}

std::vector<LifeEvent> StepsBetween(const api::Workload* before, const api::Workload& after,
                                    base::Time now) {
  Steps steps(after, now);
  if (before == nullptr &&
      api::FindCondition(after.status.conditions, condition::kQuotaReserved) == nullptr)
    steps.Add("Created", "in LocalQueue " + after.spec.queue_name.value_or("(none)"),
              after.metadata.creation_timestamp);
  if (const api::Condition* pending = NewPendingReason(before, after))
    steps.Add("Pending", ReasonText(*pending));
  if (BecameTrue(condition::kQuotaReserved, before, after) != nullptr && after.status.admission)
    steps.Add("QuotaReserved", "in ClusterQueue " + after.status.admission->cluster_queue + ", " +
                                   FlavorsText(*after.status.admission));
  for (const std::string_view type : kSteps)
    if (const api::Condition* reached = BecameTrue(type, before, after))
      steps.Add(type, ReasonText(*reached));
  return steps.Take();
}

std::vector<LifeEvent> LifeEvents::Add(const Record& record) {
  std::vector<LifeEvent> events;
  if (const auto* header = std::get_if<Header>(&record)) {
    now_ = header->start;
  } else if (const auto* sync = std::get_if<Sync>(&record)) {
    now_ = sync->now;
  } else if (const auto* upsert = std::get_if<Upsert>(&record)) {
    OnUpsert(*upsert, events);
  } else if (const auto* removal = std::get_if<Removal>(&record)) {
    OnRemoval(*removal, events);
  } else if (const auto* cycle = std::get_if<Cycle>(&record)) {
    OnCycle(*cycle, events);
  }
  return events;
}

void LifeEvents::OnUpsert(const Upsert& upsert, std::vector<LifeEvent>& events) {
  if (!IsWorkload(upsert)) return;
  auto workload = WorkloadOf(upsert);
  if (!workload) return;
  const std::string name = workload::NamespacedName(workload->metadata);
  const auto known = workloads_.find(name);
  const bool is_same =
      known != workloads_.end() && known->second.metadata.uid == workload->metadata.uid;
  events = StepsBetween(is_same ? &known->second : nullptr, *workload, now_);
  workloads_.insert_or_assign(name, *std::move(workload));
}

void LifeEvents::OnRemoval(const Removal& removal, std::vector<LifeEvent>& events) {
  if (!IsWorkload(removal)) return;
  const auto known = workloads_.find(workload::NamespacedName(removal.namespace_, removal.name));
  if (known == workloads_.end()) return;
  Steps steps(known->second, now_);
  steps.Add("Deleted", "");
  events = steps.Take();
  workloads_.erase(known);
}

// Who preempts is known only here: the object of the target does not name the preemptor.
void LifeEvents::OnCycle(const Cycle& cycle, std::vector<LifeEvent>& events) const {
  for (const Decision& decision : cycle.decisions) {
    if (decision.kind != Decision::Kind::kPreempt) continue;
    const auto known = workloads_.find(decision.workload);
    if (known == workloads_.end()) continue;
    Steps steps(known->second, cycle.now);
    steps.Add("Preempting", "for ClusterQueue " + decision.preempting_queue + " (" +
                                decision.reason + "): " + decision.message);
    std::ranges::move(steps.Take(), std::back_inserter(events));
  }
}

// --- A moment ------------------------------------------------------------------------------------

namespace {

void AddQuota(const api::ClusterQueue& queue, const std::vector<const api::Workload*>& holders,
              QueueMoment& moment) {
  for (const api::ResourceGroup& group : queue.spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        quantity::Quantity used;
        for (const api::Workload* w : holders)
          for (const api::PodSetAssignment& pods : w->status.admission->pod_set_assignments)
            if (pods.flavors.ValueOrEmpty(quota.name) == flavor.name)
              if (const quantity::Quantity* amount = pods.resource_usage.Find(quota.name))
                used.Add(*amount);
        moment.quota.push_back({.flavor = flavor.name,
                                .resource = quota.name,
                                .nominal = quota.nominal_quota.ToString(),
                                .used = used.ToString()});
      }
    }
  }
}

QueueMoment::Waiter WaiterOf(const api::Workload& w, bool is_inadmissible, int64_t priority) {
  const api::Condition* quota = api::FindCondition(w.status.conditions, condition::kQuotaReserved);
  return {.workload = workload::NamespacedName(w.metadata),
          .priority = priority,
          .since = workload::QueuedSince(w),
          .is_inadmissible = is_inadmissible,
          .reason = quota == nullptr ? "" : ReasonText(*quota)};
}

}  // namespace

std::optional<QueueMoment> MomentOf(const workload::ClusterState& cluster, std::string_view queue,
                                    base::Time now) {
  const api::ClusterQueue* object = cluster.FindClusterQueue(queue);
  if (object == nullptr) return std::nullopt;
  const engine::Engine& engine = cluster.engine();
  const engine::NodeId node = engine.FindClusterQueue(queue);
  QueueMoment moment{.name = std::string(queue),
                     .inactive_reason = std::string(cluster.InactiveReason(queue)),
                     .quota = {},
                     .holders = {},
                     .waiters = {}};
  std::vector<const api::Workload*> holders;
  cluster.ForEachWorkload([&](const api::Workload& w) {
    if (!workload::HoldsQuota(w) || w.status.admission->cluster_queue != queue) return;
    holders.push_back(&w);
    moment.holders.push_back({.workload = workload::NamespacedName(w.metadata),
                              .since = workload::ReservedSince(w, now),
                              .flavors = FlavorsText(*w.status.admission)});
  });
  std::ranges::stable_sort(moment.holders, {}, &QueueMoment::Holder::since);
  AddQuota(*object, holders, moment);
  if (node.is_none()) return moment;
  const auto add = [&](const std::vector<engine::WorkloadId>& ids, bool is_inadmissible) {
    for (const engine::WorkloadId id : ids)
      moment.waiters.push_back(
          WaiterOf(cluster.WorkloadOf(id), is_inadmissible, engine.state().workload(id).priority));
  };
  add(engine.ActiveIn(node), false);
  add(engine.InadmissibleIn(node), true);
  return moment;
}

}  // namespace berth::journal

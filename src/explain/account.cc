#include "explain/account.h"

#include "api/conditions.h"
#include "api/well_known.h"
#include "workload/convert_queue.h"
#include "workload/convert_workload.h"
#include "workload/flavor_match.h"

namespace berth::explain {
namespace {

using workload::NamespacedName;

bool IsTrue(const api::Workload& w, std::string_view condition) {
  return api::IsConditionTrue(w.status.conditions, condition);
}

bool IsOnHold(const api::Workload& w) {
  const api::Condition* reserved =
      api::FindCondition(w.status.conditions, api::condition::kQuotaReserved);
  return reserved != nullptr && reserved->status == api::kConditionFalse &&
         reserved->reason == api::reason::kOnHold;
}

Absence AbsenceFromQueues(const workload::EngineFeed& feed, const api::Workload& w) {
  if (w.spec.queue_name.value_or("").empty()) return Absence::kNoQueueName;
  const api::LocalQueue* local =
      feed.FindLocalQueue(NamespacedName(w.metadata.namespace_, *w.spec.queue_name));
  if (local == nullptr) return Absence::kNoLocalQueue;
  if (workload::IsStopped(local->spec.stop_policy)) return Absence::kLocalQueueStopped;
  return Absence::kNoClusterQueue;
}

Absence AbsenceOf(const workload::EngineFeed& feed, const api::Workload& w) {
  if (!feed.engine().FindWorkload(w.metadata.uid).is_none()) return Absence::kNone;
  if (IsTrue(w, api::condition::kFinished)) return Absence::kFinished;
  if (!w.spec.active.value_or(true)) return Absence::kDeactivated;
  if (workload::HoldsQuota(w)) return Absence::kNoClusterQueue;
  if (IsOnHold(w)) return Absence::kOnHold;
  if (IsTrue(w, api::condition::kWaitingForReplacementPods)) return Absence::kReplacementPods;
  if (!workload::MayWait(w, feed.rules())) return Absence::kGated;
  return AbsenceFromQueues(feed, w);
}

}  // namespace

Account MakeAccount(workload::EngineFeed& feed, const api::Workload& workload) {
  Account account;
  account.feed = &feed;
  account.workload = &workload;
  account.absence = AbsenceOf(feed, workload);
  if (account.absence == Absence::kNone) {
    account.explanation = feed.engine().Explain(feed.engine().FindWorkload(workload.metadata.uid));
    account.pod_problems = feed.PodProblems(workload);
    account.claim_problems = feed.ClaimProblems(workload);
    account.counted = feed.CountRequests(workload);
  }
  return account;
}

std::string Account::Name() const { return NamespacedName(workload->metadata); }

std::string Account::LocalQueueName() const {
  return NamespacedName(workload->metadata.namespace_, workload->spec.queue_name.value_or(""));
}

std::string Account::ClusterQueueName() const {
  if (absence == Absence::kNone) return NodeName(explanation.cluster_queue);
  if (workload->status.admission) return workload->status.admission->cluster_queue;
  const api::LocalQueue* local = feed->FindLocalQueue(LocalQueueName());
  return local == nullptr ? "" : local->spec.cluster_queue.value_or("");
}

const api::ClusterQueue* Account::ClusterQueue() const {
  return feed->FindClusterQueue(ClusterQueueName());
}

std::string Account::WorkloadName(engine::WorkloadId id) const {
  return NamespacedName(feed->WorkloadOf(id).metadata);
}

std::vector<std::string> Account::WorkloadNames(const std::vector<engine::WorkloadId>& ids) const {
  std::vector<std::string> names;
  for (const engine::WorkloadId id : ids) names.push_back(WorkloadName(id));
  return names;
}

const std::string& Account::NodeName(engine::NodeId id) const {
  return engine().ClusterQueueName(id);
}

bool Account::IsClusterQueue(engine::NodeId id) const {
  return engine().state().forest.node(id).is_queue;
}

const std::string& Account::PodSetName(uint32_t index) const {
  return workload->spec.pod_sets[index].name;
}

const std::string& Account::HeldPodSetName(uint32_t index) const {
  if (!workload->status.admission) return PodSetName(index);  // admitted, but not written down yet
  return workload->status.admission->pod_set_assignments[index].name;
}

std::string Account::AmountText(engine::ResourceId resource, engine::Amount amount) const {
  return amounts.QuotaText(ResourceName(resource), amount);
}

std::string Account::TaintOf(engine::FlavorId flavor) const {
  const api::ResourceFlavor* object = feed->FindFlavor(FlavorName(flavor));
  if (object == nullptr) return {};
  const workload::FlavorMatcher matcher(object->spec);
  for (const api::PodSet& pod_set : workload->spec.pod_sets) {
    const workload::FlavorVerdict verdict = matcher.Match(pod_set.template_.spec);
    if (verdict.taint == nullptr) continue;
    const std::string value = verdict.taint->value.empty() ? "" : "=" + verdict.taint->value;
    return verdict.taint->key + value + ":" + verdict.taint->effect;
  }
  return {};
}

}  // namespace berth::explain

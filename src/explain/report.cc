#include "explain/report.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"
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

Absence AbsenceFromQueues(const workload::ClusterState& cluster, const api::Workload& w) {
  if (w.spec.queue_name.value_or("").empty()) return Absence::kNoQueueName;
  const api::LocalQueue* local =
      cluster.FindLocalQueue(NamespacedName(w.metadata.namespace_, *w.spec.queue_name));
  if (local == nullptr) return Absence::kNoLocalQueue;
  if (workload::IsStopped(local->spec.stop_policy)) return Absence::kLocalQueueStopped;
  return Absence::kNoClusterQueue;
}

Absence AbsenceOf(const workload::ClusterState& cluster, const api::Workload& w) {
  if (!cluster.engine().FindWorkload(w.metadata.uid).is_none()) return Absence::kNone;
  if (IsTrue(w, api::condition::kFinished)) return Absence::kFinished;
  if (!w.spec.active.value_or(true)) return Absence::kDeactivated;
  if (workload::HoldsQuota(w)) return Absence::kNoClusterQueue;
  if (IsOnHold(w)) return Absence::kOnHold;
  if (IsTrue(w, api::condition::kWaitingForReplacementPods)) return Absence::kReplacementPods;
  if (!workload::MayWait(w, cluster.rules())) return Absence::kGated;
  return AbsenceFromQueues(cluster, w);
}

// Exclusions apply to resource names, which unmapped device classes do not have.
void DropImpossibleExclusions(Report& report) {
  std::erase_if(report.explanation.remedies, [&](const engine::Remedy& remedy) {
    return remedy.kind == engine::RemedyKind::kExcludeRequests &&
           std::ranges::any_of(remedy.resources, [&](engine::ResourceId r) {
             return workload::UnmappedClassOf(report.ResourceName(r)).has_value();
           });
  });
}

}  // namespace

Report MakeReport(workload::ClusterState& cluster, const api::Workload& workload,
                  bool lacks_nodes) {
  Report report;
  report.lacks_nodes = lacks_nodes;
  report.cluster = &cluster;
  report.workload = &workload;
  report.absence = AbsenceOf(cluster, workload);
  if (report.absence == Absence::kNone) {
    report.explanation =
        cluster.engine().Explain(cluster.engine().FindWorkload(workload.metadata.uid));
    report.pod_problems = cluster.PodProblems(workload).All();
    report.claim_problems = cluster.ClaimProblems(workload);
    report.counted = cluster.CountRequests(workload);
    DropImpossibleExclusions(report);
  }
  return report;
}

std::string Report::Name() const { return NamespacedName(workload->metadata); }

std::string Report::LocalQueueName() const {
  return NamespacedName(workload->metadata.namespace_, workload->spec.queue_name.value_or(""));
}

std::string Report::ClusterQueueName() const {
  if (absence == Absence::kNone) return NodeName(explanation.cluster_queue);
  if (workload->status.admission) return workload->status.admission->cluster_queue;
  const api::LocalQueue* local = cluster->FindLocalQueue(LocalQueueName());
  return local == nullptr ? "" : local->spec.cluster_queue.value_or("");
}

const api::ClusterQueue* Report::ClusterQueue() const {
  return cluster->FindClusterQueue(ClusterQueueName());
}

std::string Report::WorkloadName(engine::WorkloadId id) const {
  const api::Workload& named = cluster->WorkloadOf(id);
  return !may_name || may_name(named) ? NamespacedName(named.metadata) : "(hidden)";
}

std::vector<std::string> Report::WorkloadNames(const std::vector<engine::WorkloadId>& ids) const {
  std::vector<std::string> names;
  for (const engine::WorkloadId id : ids) names.push_back(WorkloadName(id));
  return names;
}

const std::string& Report::NodeName(engine::NodeId id) const {
  return engine().ClusterQueueName(id);
}

bool Report::IsClusterQueue(engine::NodeId id) const {
  return engine().state().forest.node(id).is_queue;
}

const std::string& Report::PodSetName(uint32_t index) const {
  return workload->spec.pod_sets[index].name;
}

const std::string& Report::HeldPodSetName(uint32_t index) const {
  if (!workload->status.admission)
    return PodSetName(index);  // admitted, not written to the status yet
  return workload->status.admission->pod_set_assignments[index].name;
}

std::string Report::AmountText(engine::ResourceId resource, engine::Amount amount) const {
  return amounts.QuotaText(ResourceName(resource), amount);
}

std::string Report::TaintOf(engine::FlavorId flavor) const {
  const api::ResourceFlavor* object = cluster->FindFlavor(FlavorName(flavor));
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

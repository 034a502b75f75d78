#include "workload/engine_feed.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/conditions.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
#include "api/well_known.h"
#include "base/check.h"
#include "workload/engine_options.h"
#include "workload/request_checks.h"

namespace berth::workload {
namespace {

bool Uses(const api::ClusterQueueSpec& spec, std::string_view flavor) {
  return std::ranges::any_of(spec.resource_groups, [&](const api::ResourceGroup& group) {
    return std::ranges::find(group.flavors, flavor, &api::FlavorQuotas::name) !=
           group.flavors.end();
  });
}

bool HasCheck(const api::ClusterQueueSpec& spec, std::string_view check) {
  if (!spec.admission_checks_strategy) return false;
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  return std::ranges::find(checks, check, &api::AdmissionCheckStrategyRule::name) != checks.end();
}

// Whether a change of a workload is one that decisions depend on. Most changes are not: messages,
// counts and conditions that say what the engine said.
bool IsSame(const api::Workload& a, const api::Workload& b) {
  const auto same_condition = [&](std::string_view type) {
    const api::Condition* x = api::FindCondition(a.status.conditions, type);
    const api::Condition* y = api::FindCondition(b.status.conditions, type);
    return (x == nullptr || y == nullptr) ? x == y : *x == *y;
  };
  return a.spec == b.spec && a.metadata.annotations == b.metadata.annotations &&
         a.metadata.creation_timestamp == b.metadata.creation_timestamp &&
         a.metadata.uid == b.metadata.uid &&
         a.status.reclaimable_pods == b.status.reclaimable_pods &&
         a.status.requeue_state == b.status.requeue_state &&
         a.status.admission_checks == b.status.admission_checks &&
         a.status.preemption_gates == b.status.preemption_gates &&
         same_condition(api::condition::kEvicted) && same_condition(api::condition::kRequeued) &&
         same_condition(api::condition::kPreempted);
}

bool HasSameUsage(std::span<const engine::PodSetAssignment> a,
                  std::span<const engine::PodSetAssignment> b) {
  const auto sorted = [](const engine::PodSetAssignment& p) {
    std::vector<engine::ResourceAssignment> resources = p.resources;
    std::ranges::sort(resources, {}, &engine::ResourceAssignment::resource);
    return resources;
  };
  return std::ranges::equal(a, b, [&](const auto& x, const auto& y) {
    return x.count == y.count && sorted(x) == sorted(y);
  });
}

}  // namespace

EngineFeed::EngineFeed(const api::Configuration& configuration, const api::FeatureGates& gates)
    : rules_(WorkloadRules::From(configuration, gates)),
      has_topologies_(gates.IsOn(api::Gate::kTopologyAwareScheduling)),
      engine_(EngineOptionsFrom(configuration, gates)) {}

EngineFeed::~EngineFeed() = default;

// --- What queues refer to ------------------------------------------------------------------------

QueueReferences::State EngineFeed::FlavorState(std::string_view name) const {
  const auto flavor = flavors_.find(name);
  if (flavor == flavors_.end()) return State::kMissing;
  const std::optional<std::string>& topology = flavor->second.object.spec.topology_name;
  const bool lacks_topology = has_topologies_ && topology && !topologies_.contains(*topology);
  return lacks_topology ? State::kInactive : State::kActive;
}

QueueReferences::State EngineFeed::CheckState(std::string_view name) const {
  const auto check = checks_.find(name);
  if (check == checks_.end()) return State::kMissing;
  const api::Condition* active =
      api::FindCondition(check->second.status.conditions, api::condition::kActive);
  const bool is_active =
      active == nullptr ? !trusts_status_ : active->status == api::kConditionTrue;
  return is_active ? State::kActive : State::kInactive;
}

std::string_view EngineFeed::CheckController(std::string_view name) const {
  const auto check = checks_.find(name);
  return check == checks_.end() ? std::string_view()
                                : std::string_view(check->second.spec.controller_name);
}

// --- Objects -------------------------------------------------------------------------------------

void EngineFeed::NoteFlavor(std::string_view flavor) {
  for (const auto& [name, queue] : queues_) {
    if (Uses(queue.object.spec, flavor)) changed_queues_.Note(name);
  }
}

void EngineFeed::NoteCheck(std::string_view check) {
  for (const auto& [name, queue] : queues_) {
    if (HasCheck(queue.object.spec, check)) changed_queues_.Note(name);
  }
}

void EngineFeed::NoteTopology(std::string_view topology) {
  for (const auto& [name, flavor] : flavors_) {
    if (flavor.object.spec.topology_name == topology) NoteFlavor(name);
  }
}

void EngineFeed::ApplyFlavor(const api::ResourceFlavor& flavor) {
  const auto known = flavors_.find(flavor.metadata.name);
  const bool is_same = known != flavors_.end() && known->second.object.spec == flavor.spec;
  if (is_same) {
    known->second.object = flavor;
    return;
  }
  flavors_.insert_or_assign(flavor.metadata.name, Flavor{flavor, FlavorMatcher(flavor.spec)});
  NoteFlavor(flavor.metadata.name);
}

// Decisions depend on nothing but the spec: what the status says is what we wrote there.
void EngineFeed::ApplyQueue(const api::ClusterQueue& queue) {
  auto [known, is_new] = queues_.try_emplace(queue.metadata.name);
  const api::ClusterQueue& before = known->second.object;
  if (is_new || before.spec != queue.spec ||
      before.metadata.deletion_timestamp != queue.metadata.deletion_timestamp) {
    known->second.filter.reset();
    changed_queues_.Note(queue.metadata.name);
  }
  known->second.object = queue;
}

// An admitted workload keeps its charge, whatever becomes of its claims.
void EngineFeed::NoteClaim(const ClaimName& name) {
  const auto users = claim_users_.find(name);
  if (users == claim_users_.end()) return;
  for (const std::string& user : users->second) {
    Entry& entry = workloads_.find(user)->second;
    if (!HoldsQuota(entry.object)) NoteEntry(entry, true);
  }
}

void EngineFeed::LinkClaims(const api::Workload& workload) {
  if (!CountsDevices()) return;
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_))
    claim_users_[claim].insert(NamespacedName(workload.metadata));
}

void EngineFeed::UnlinkClaims(const api::Workload& workload) {
  if (!CountsDevices()) return;
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_)) {
    const auto users = claim_users_.find(claim);
    if (users == claim_users_.end()) continue;
    users->second.erase(NamespacedName(workload.metadata));
    if (users->second.empty()) claim_users_.erase(users);
  }
}

void EngineFeed::Apply(const api::Object& object) {
  if (const auto* workload = object.As<api::Workload>()) return Apply(*workload);
  if (const auto* flavor = object.As<api::ResourceFlavor>()) return ApplyFlavor(*flavor);
  if (const auto* queue = object.As<api::ClusterQueue>()) return ApplyQueue(*queue);
  if (const auto* cohort = object.As<api::Cohort>()) {
    auto [known, is_new] = cohorts_.try_emplace(cohort->metadata.name);
    if (is_new || known->second.spec != cohort->spec) changed_cohorts_.Note(cohort->metadata.name);
    known->second = *cohort;
  } else if (const auto* pattern = object.As<api::ResourceClaimTemplate>()) {
    if (CountsDevices() && claims_.Set(*pattern))
      NoteClaim({ClaimKind::kTemplate, NamespacedName(pattern->metadata)});
  } else if (const auto* claim = object.As<api::ResourceClaim>()) {
    if (CountsDevices() && claims_.Set(*claim))
      NoteClaim({ClaimKind::kClaim, NamespacedName(claim->metadata)});
  } else if (const auto* local = object.As<api::LocalQueue>()) {
    const std::string name = NamespacedName(local->metadata);
    auto [known, is_new] = local_queues_.try_emplace(name);
    if (is_new || known->second.spec != local->spec) moved_local_queues_.Note(name);
    changed_local_queues_.Note(name);
    known->second = *local;
  } else if (const auto* check = object.As<api::AdmissionCheck>()) {
    checks_[check->metadata.name] = *check;
    NoteCheck(check->metadata.name);
  } else if (const auto* topology = object.As<api::Topology>()) {
    topologies_[topology->metadata.name] = *topology;
    NoteTopology(topology->metadata.name);
  } else if (const auto* space = object.As<api::Namespace>()) {
    auto [known, is_new] = namespace_labels_.try_emplace(space->metadata.name);
    if (is_new || known->second != space->metadata.labels)
      changed_namespaces_.insert(space->metadata.name);
    known->second = space->metadata.labels;
  } else if (const auto* range = object.As<api::LimitRange>()) {
    limit_ranges_[NamespacedName(range->metadata)] = *range;
    changed_namespaces_.insert(range->metadata.namespace_);
  } else if (const auto* runtime = object.As<api::RuntimeClass>()) {
    overheads_.Set(runtime->metadata.name,
                   runtime->overhead ? runtime->overhead->pod_fixed : api::ResourceList{});
    has_changed_overheads_ = true;
  }
}

void EngineFeed::Apply(const api::Workload& workload) {
  CHECK(!workload.metadata.uid.empty());
  const std::string name = NamespacedName(workload.metadata);
  auto [it, is_new] = workloads_.try_emplace(name);
  Entry& entry = it->second;
  const bool is_same = !is_new && IsSame(entry.object, workload);
  if (!is_new && entry.object.metadata.uid != workload.metadata.uid) Forget(entry);
  if (!is_new) UnlinkClaims(entry.object);
  entry.object = workload;
  LinkClaims(entry.object);
  name_by_uid_[workload.metadata.uid] = name;
  entry.is_applied = true;
  NoteEntry(entry, !is_same);
}

void EngineFeed::NoteEntry(Entry& entry, bool must_describe) {
  entry.must_describe = entry.must_describe || must_describe;
  if (std::exchange(entry.is_changed, true)) return;
  changed_workloads_.push_back(NamespacedName(entry.object.metadata));
}

void EngineFeed::Delete(const schema::Kind& kind, std::string_view namespace_name,
                        std::string_view name) {
  const std::string full_name = NamespacedName(namespace_name, name);
  const auto erase = [](auto& objects, std::string_view key) {
    const auto it = objects.find(key);
    if (it == objects.end()) return false;
    objects.erase(it);
    return true;
  };
  if (&kind == &api::Workload::KindInfo()) {
    const auto it = workloads_.find(full_name);
    if (it == workloads_.end()) return;
    UnlinkClaims(it->second.object);
    Forget(it->second);
    workloads_.erase(it);
    on_placed_(full_name);
  } else if (&kind == &api::ClusterQueue::KindInfo()) {
    const auto it = queues_.find(name);
    if (it == queues_.end()) return;
    if (!it->second.id.is_none()) removed_queues_.push_back(it->second.id);
    queues_.erase(it);
    changed_queues_.Note(name);
  } else if (&kind == &api::Cohort::KindInfo()) {
    if (erase(cohorts_, name)) changed_cohorts_.Note(name);
  } else if (&kind == &api::LocalQueue::KindInfo()) {
    if (erase(local_queues_, full_name)) moved_local_queues_.Note(full_name);
  } else if (&kind == &api::ResourceFlavor::KindInfo()) {
    if (erase(flavors_, name)) NoteFlavor(name);
  } else if (&kind == &api::AdmissionCheck::KindInfo()) {
    if (erase(checks_, name)) NoteCheck(name);
  } else if (&kind == &api::Topology::KindInfo()) {
    if (erase(topologies_, name)) NoteTopology(name);
  } else if (&kind == &api::Namespace::KindInfo()) {
    if (erase(namespace_labels_, name)) changed_namespaces_.emplace(name);
  } else if (&kind == &api::LimitRange::KindInfo()) {
    if (erase(limit_ranges_, full_name)) changed_namespaces_.emplace(namespace_name);
  } else if (&kind == &api::ResourceClaimTemplate::KindInfo()) {
    const ClaimName claim{ClaimKind::kTemplate, full_name};
    if (claims_.Erase(claim)) NoteClaim(claim);
  } else if (&kind == &api::ResourceClaim::KindInfo()) {
    const ClaimName claim{ClaimKind::kClaim, full_name};
    if (claims_.Erase(claim)) NoteClaim(claim);
  } else if (&kind == &api::RuntimeClass::KindInfo()) {
    has_changed_overheads_ = overheads_.Erase(name) || has_changed_overheads_;
  }
}

void EngineFeed::Forget(Entry& entry) {
  if (!entry.id.is_none()) engine_.Remove(entry.id);
  entry.id = engine::WorkloadId::None();
  const auto known = name_by_uid_.find(entry.object.metadata.uid);
  if (known != name_by_uid_.end() && known->second == NamespacedName(entry.object.metadata))
    name_by_uid_.erase(known);
}

// --- Sync ----------------------------------------------------------------------------------------

void EngineFeed::Sync(base::Time now) {
  limits_.clear();
  UpdateConflicts();
  for (const std::string& name : changed_cohorts_) {
    const auto cohort = cohorts_.find(name);
    if (cohort == cohorts_.end()) {
      engine_.RemoveCohort(name);
    } else {
      engine_.SetCohort(ToEngine(cohort->second, engine_));
    }
  }
  for (const std::string& name : changed_queues_) {
    const auto queue = queues_.find(name);
    if (queue != queues_.end()) SyncQueue(queue->second);
  }
  for (const std::string& name : changed_local_queues_) {
    const auto queue = local_queues_.find(name);
    if (queue != local_queues_.end()) SyncLocalQueue(queue->second);
  }
  NoteAffectedWorkloads();
  for (const std::string& name : changed_workloads_) {
    const auto entry = workloads_.find(name);
    if (entry == workloads_.end()) continue;
    Place(entry->second, now);
    on_placed_(name);
  }
  for (const engine::NodeId queue : removed_queues_) {
    const bool is_back = queues_.contains(engine_.ClusterQueueName(queue));
    if (!is_back) engine_.RemoveClusterQueue(queue);
  }
  changed_cohorts_.clear();
  changed_queues_.clear();
  changed_local_queues_.clear();
  moved_local_queues_.clear();
  changed_namespaces_.clear();
  changed_workloads_.clear();
  removed_queues_.clear();
  has_changed_overheads_ = false;
}

// Queues that begin or cease to disagree are to be told to the engine as well.
void EngineFeed::UpdateConflicts() {
  if (!rules_.resources->has_queue_device_classes) return;
  if (changed_queues_.empty() && changed_cohorts_.empty()) return;
  std::vector<const api::ClusterQueue*> queues;
  std::vector<const api::Cohort*> cohorts;
  for (const auto& [name, queue] : queues_) queues.push_back(&queue.object);
  for (const auto& [name, cohort] : cohorts_) cohorts.push_back(&cohort);
  auto before = std::exchange(conflicts_, api::FindDeviceClassConflicts(queues, cohorts));
  for (const auto& [name, queue] : queues_) {
    if (before.contains(name) != conflicts_.contains(name)) changed_queues_.Note(name);
  }
}

void EngineFeed::SyncQueue(Queue& queue) {
  const api::ClusterQueueSpec& spec = queue.object.spec;
  if (!queue.filter) queue.filter.emplace(rules_.resources, spec, prefixes_);
  engine::ClusterQueueSpec engine_spec =
      ToEngine(queue.object, WhyInactive(queue.object.metadata.name).empty(), engine_);
  engine_spec.counts_pods = queue.filter->CountsPods();
  queue.id = engine_.SetClusterQueue(engine_spec);
  queue.namespace_selector =
      api::Selector::Compile(spec.namespace_selector).value_or(api::Selector());
  queue.flavors.clear();
  for (const api::ResourceGroup& group : spec.resource_groups) {
    for (const api::FlavorQuotas& quotas : group.flavors) {
      const auto flavor = flavors_.find(quotas.name);
      queue.flavors.push_back(
          {.id = engine_.Flavor(quotas.name),
           .name = quotas.name,
           .matcher = flavor == flavors_.end() ? nullptr : &flavor->second.matcher});
    }
  }
  std::ranges::sort(queue.flavors, {}, &QueueFlavor::id);
}

void EngineFeed::SyncLocalQueue(const api::LocalQueue& queue) {
  const std::vector<engine::ConsumedResource> consumed = ConsumedResources(queue.status, engine_);
  engine_.SetLocalQueueUsage(engine_.LocalQueue(NamespacedName(queue.metadata)),
                             FairWeight(queue.spec.fair_sharing), consumed);
}

bool EngineFeed::IsAffected(const Entry& entry) const {
  if (has_changed_overheads_ || changed_namespaces_.contains(entry.object.metadata.namespace_))
    return true;
  if (entry.object.status.admission)
    return changed_queues_.Contains(entry.object.status.admission->cluster_queue);
  const std::string local =
      NamespacedName(entry.object.metadata.namespace_, entry.object.spec.queue_name.value_or(""));
  if (moved_local_queues_.Contains(local)) return true;
  const auto queue = local_queues_.find(local);
  return queue != local_queues_.end() &&
         changed_queues_.Contains(queue->second.spec.cluster_queue.value_or(""));
}

void EngineFeed::NoteAffectedWorkloads() {
  if (changed_queues_.empty() && moved_local_queues_.empty() && changed_namespaces_.empty() &&
      !has_changed_overheads_)
    return;
  for (auto& [name, entry] : workloads_) {
    if (IsAffected(entry)) NoteEntry(entry, true);
  }
}

const EngineFeed::Queue* EngineFeed::WaitsIn(const api::Workload& workload) const {
  const auto local = local_queues_.find(
      NamespacedName(workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
  if (local == local_queues_.end() || IsStopped(local->second.spec.stop_policy)) return nullptr;
  const auto queue = queues_.find(local->second.spec.cluster_queue.value_or(""));
  return queue == queues_.end() ? nullptr : &queue->second;
}

bool EngineFeed::IsReservationUnderWay(const Entry& entry) const {
  return !entry.id.is_none() && engine_.IsReserved(entry.id) && !HoldsQuota(entry.object) &&
         queues_.contains(engine_.ClusterQueueName(engine_.ClusterQueueOf(entry.id)));
}

void EngineFeed::Place(Entry& entry, base::Time now) {
  entry.is_changed = false;
  const bool is_applied = std::exchange(entry.is_applied, false);
  if (!is_applied && IsReservationUnderWay(entry)) return;
  if (HoldsQuota(entry.object)) {
    const auto queue = queues_.find(entry.object.status.admission->cluster_queue);
    if (queue != queues_.end()) return PlaceReserved(entry, queue->second);
  } else if (MayWait(entry.object, rules_)) {
    const Queue* queue = WaitsIn(entry.object);
    if (queue != nullptr) return PlaceWaiting(entry, *queue, now);
  }
  if (!entry.id.is_none()) engine_.Remove(entry.id);
  entry.id = engine::WorkloadId::None();
  entry.must_describe = false;
}

void EngineFeed::PlaceReserved(Entry& entry, const Queue& queue) {
  engine::ReservedSpec spec =
      ToReserved(entry.object, queue.id, rules_, engine_, SharedRequests(entry.object, queue));
  entry.must_describe = false;
  const bool is_known = !entry.id.is_none() && engine_.IsReserved(entry.id) &&
                        engine_.ClusterQueueOf(entry.id) == queue.id &&
                        engine_.state().workload(entry.id).priority == spec.priority &&
                        HasSameUsage(engine_.AssignmentOf(entry.id), spec.pod_sets);
  if (is_known) {
    if (spec.is_evicted) engine_.MarkEvicted(entry.id);
    return;
  }
  if (!entry.id.is_none()) engine_.Remove(entry.id);
  entry.id = engine_.AddReserved(std::move(spec));
}

void EngineFeed::PlaceWaiting(Entry& entry, const Queue& queue, base::Time now) {
  const bool is_new = entry.id.is_none();
  const bool held_quota = !is_new && engine_.IsReserved(entry.id);
  if (!is_new && !held_quota && !entry.must_describe) return;
  entry.must_describe = false;
  engine::PendingSpec spec = Describe(entry.object, queue);
  if (is_new) {
    entry.id = engine_.AddPending(std::move(spec), now);
  } else if (held_quota) {
    engine_.Release(entry.id, std::move(spec), now);
  } else {
    engine_.UpdatePending(entry.id, std::move(spec), now);
  }
}

std::optional<engine::PendingSpec> EngineFeed::DescribeWaiting(const api::Workload& workload) {
  const Queue* queue = WaitsIn(workload);
  if (queue == nullptr) return std::nullopt;
  return Describe(workload, *queue);
}

engine::PendingSpec EngineFeed::Describe(const api::Workload& workload, const Queue& queue) {
  WaitingContext context{.cluster_queue = queue.id,
                         .filter = &*queue.filter,
                         .claims = CountsDevices() ? &claims_ : nullptr,
                         .namespace_selector = &queue.namespace_selector,
                         .flavors = queue.flavors,
                         .namespace_labels = &LabelsOf(workload.metadata.namespace_),
                         .limits = &LimitsOf(workload.metadata.namespace_),
                         .overheads = &overheads_,
                         .replaces_uid = {}};
  if (const std::string replaced = ReplacedSlice(workload); !replaced.empty()) {
    if (const api::Workload* slice = FindWorkload(replaced))
      context.replaces_uid = slice->metadata.uid;
  }
  return ToPending(workload, context, rules_, engine_);
}

// Every namespace has its name as a label.
const api::Labels& EngineFeed::LabelsOf(const std::string& namespace_name) {
  const auto known = namespace_labels_.find(namespace_name);
  if (known != namespace_labels_.end()) return known->second;
  auto [implied, is_new] = implied_labels_.try_emplace(namespace_name);
  if (is_new) implied->second.Set("kubernetes.io/metadata.name", namespace_name);
  return implied->second;
}

const LimitSummary& EngineFeed::LimitsOf(const std::string& namespace_name) {
  auto [summary, is_new] = limits_.try_emplace(namespace_name);
  if (!is_new) return summary->second;
  const std::string prefix = namespace_name + "/";
  for (auto range = limit_ranges_.lower_bound(prefix);
       range != limit_ranges_.end() && range->first.starts_with(prefix); ++range)
    summary->second.Add(range->second.spec);
  return summary->second;
}

// --- What is known -------------------------------------------------------------------------------

const api::Workload* EngineFeed::FindWorkload(std::string_view namespaced_name) const {
  const auto entry = workloads_.find(namespaced_name);
  return entry == workloads_.end() ? nullptr : &entry->second.object;
}

const api::Workload& EngineFeed::WorkloadOf(engine::WorkloadId id) const {
  const auto name = name_by_uid_.find(engine_.Uid(id));
  CHECK(name != name_by_uid_.end());
  return workloads_.find(name->second)->second.object;
}

const api::LocalQueue* EngineFeed::FindLocalQueue(std::string_view namespaced_name) const {
  const auto queue = local_queues_.find(namespaced_name);
  return queue == local_queues_.end() ? nullptr : &queue->second;
}

const api::ClusterQueue* EngineFeed::FindClusterQueue(std::string_view name) const {
  const auto queue = queues_.find(name);
  return queue == queues_.end() ? nullptr : &queue->second.object;
}

const api::ResourceFlavor* EngineFeed::FindFlavor(std::string_view name) const {
  const auto flavor = flavors_.find(name);
  return flavor == flavors_.end() ? nullptr : &flavor->second.object;
}

const api::Cohort* EngineFeed::FindCohort(std::string_view name) const {
  const auto cohort = cohorts_.find(name);
  return cohort == cohorts_.end() ? nullptr : &cohort->second;
}

std::vector<api::PodSet> EngineFeed::AdjustedPodSets(const api::Workload& workload) {
  const LimitSummary& limits = LimitsOf(workload.metadata.namespace_);
  std::vector<api::PodSet> pod_sets = workload.spec.pod_sets;
  for (api::PodSet& pod_set : pod_sets) AdjustPod(pod_set.template_.spec, limits, overheads_);
  return pod_sets;
}

schema::Problems EngineFeed::PodProblems(const api::Workload& workload) {
  const std::vector<api::PodSet> pod_sets = AdjustedPodSets(workload);
  schema::Problems problems = RequestsAboveLimits(pod_sets);
  std::ranges::move(LimitRangeViolations(pod_sets, LimitsOf(workload.metadata.namespace_)),
                    std::back_inserter(problems));
  return problems;
}

schema::Problems EngineFeed::ClaimProblems(const api::Workload& workload) {
  if (!CountsDevices()) return {};
  std::vector<PodSetDemand> demands = DemandOf(workload.spec.pod_sets, {}, *rules_.resources);
  return AddDevices(workload.spec.pod_sets, workload.metadata.namespace_, claims_, demands);
}

CountedRequests EngineFeed::CountRequests(const api::Workload& workload) {
  const std::vector<api::PodSet> pod_sets = AdjustedPodSets(workload);
  std::vector<PodSetDemand> demands =
      DemandOf(pod_sets, workload.status.reclaimable_pods, *rules_.resources);
  if (CountsDevices()) AddDevices(pod_sets, workload.metadata.namespace_, claims_, demands);
  const Queue* queue = WaitsIn(workload);
  if (workload.status.admission) {
    const auto admitted = queues_.find(workload.status.admission->cluster_queue);
    queue = admitted == queues_.end() ? nullptr : &admitted->second;
  }
  if (queue == nullptr || !queue->filter) return ResourceFilter(rules_.resources).Count(demands);
  return queue->filter->Count(demands);
}

// What the pods of each set share, as far as some of them may have given something back.
base::FlatMap<Requests> EngineFeed::SharedRequests(const api::Workload& workload,
                                                   const Queue& queue) {
  base::FlatMap<Requests> shared;
  if (!CountsDevices() || workload.status.reclaimable_pods.empty()) return shared;
  std::vector<PodSetDemand> demands = DemandOf(workload.spec.pod_sets, {}, *rules_.resources);
  AddDevices(workload.spec.pod_sets, workload.metadata.namespace_, claims_, demands);
  for (PodSetTotals& totals : queue.filter->Count(demands).pod_sets) {
    if (!totals.shared.empty()) shared.Set(totals.name, std::move(totals.shared));
  }
  return shared;
}

void EngineFeed::ForEachWorkload(const std::function<void(const api::Workload&)>& visit) const {
  for (const auto& [name, entry] : workloads_) visit(entry.object);
}

void EngineFeed::ForEachClusterQueue(
    const std::function<void(const api::ClusterQueue&, engine::NodeId)>& visit) const {
  for (const auto& [name, queue] : queues_) visit(queue.object, queue.id);
}

void EngineFeed::ForEachLocalQueue(const std::function<void(const api::LocalQueue&)>& visit) const {
  for (const auto& [name, queue] : local_queues_) visit(queue);
}

std::string_view EngineFeed::WhyInactive(std::string_view cluster_queue) const {
  const auto queue = queues_.find(cluster_queue);
  if (queue == queues_.end()) return {};
  if (queue->second.object.metadata.deletion_timestamp) return api::reason::kTerminating;
  const std::string_view reason = InactiveReason(queue->second.object.spec, *this);
  if (!reason.empty() || !conflicts_.contains(cluster_queue)) return reason;
  return api::reason::kDeviceClassConflict;
}

const api::DeviceClassConflict* EngineFeed::FindConflict(std::string_view cluster_queue) const {
  const auto conflict = conflicts_.find(cluster_queue);
  return conflict == conflicts_.end() ? nullptr : &conflict->second;
}

}  // namespace berth::workload

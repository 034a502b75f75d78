#include "workload/state/cluster_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "workload/requests/request_checks.h"
#include "workload/state/engine_options.h"

namespace berth::workload {

namespace {

engine::EngineOptions OptionsFrom(const api::Configuration& configuration,
                                  const api::FeatureGates& gates, ClusterStateOptions options) {
  engine::EngineOptions result = EngineOptionsFrom(configuration, gates);
  result.topology = options.topology && gates.IsOn(api::Gate::kTopologyAwareScheduling);
  return result;
}

}  // namespace

ClusterState::ClusterState(const api::Configuration& configuration, const api::FeatureGates& gates,
                           ClusterStateOptions options)
    : rules_(WorkloadRules::From(configuration, gates)),
      engine_(OptionsFrom(configuration, gates, options)),
      caches_{
          .references = QueueReferenceCache(gates.IsOn(api::Gate::kTopologyAwareScheduling)),
          .queues = {},
          .pods = {},
          .claims = ClaimCache(*rules_.resources),
          .nodes = NodeCache(options.topology && gates.IsOn(api::Gate::kTopologyAwareScheduling),
                             options.rounds, engine_),
          .workloads = {}},
      sync_(rules_, caches_, engine_) {
  AddHandlers(handlers_);
  handlers_.Add<api::Workload>(
      {.on_upsert = [this](const api::Workload& w, const auto*) { Apply(w); },
       .on_delete = [this](auto space,
                           auto name) { DeleteWorkload(NamespacedName(space, name)); }});
}

ClusterState::~ClusterState() = default;

// --- Handlers ------------------------------------------------------------------------------------

void ClusterState::AddHandlers(ObjectHandlers& handlers) {
  ObjectHandlers own;
  AddCacheHandlers(own);
  for (const schema::Kind* kind : own.Kinds())
    handlers.Add(*kind, {.on_upsert = [this](const api::Object& object,
                                             const auto*) { on_call_(ObjectApplied{&object}); },
                         .on_delete =
                             [this, kind](auto space, auto name) {
                               on_call_(ObjectDeleted{kind, space, name});
                             }});
  AddCacheHandlers(handlers);
}

void ClusterState::AddCacheHandlers(ObjectHandlers& handlers) {
  AddPodHandlers(handlers);
  AddClaimHandlers(handlers);
  AddReferenceHandlers(handlers);
  AddQueueHandlers(handlers);
  if (caches_.nodes.is_enabled()) AddNodeHandlers(handlers);
}

void ClusterState::AddNodeHandlers(ObjectHandlers& handlers) {
  NodeCache& nodes = caches_.nodes;
  handlers.Add<api::Node>(
      {.on_upsert = [&nodes](const api::Node& n, const auto*) { nodes.Upsert(n); },
       .on_delete = [&nodes](auto, auto name) { nodes.EraseNode(name); }});
  handlers.Add<api::Pod>(
      {.on_upsert = [&nodes](const api::Pod& p, const auto*) { nodes.Upsert(p); },
       .on_delete = [&nodes](auto space,
                             auto name) { nodes.ErasePod(NamespacedName(space, name)); }});
}

void ClusterState::AddPodHandlers(ObjectHandlers& handlers) {
  PodEnvironment& pods = caches_.pods;
  handlers.Add<api::Namespace>(
      {.on_upsert = [&pods](const api::Namespace& n, const auto*) { pods.Upsert(n); },
       .on_delete = [&pods](auto, auto name) { pods.EraseNamespace(name); }});
  handlers.Add<api::LimitRange>(
      {.on_upsert = [&pods](const api::LimitRange& r, const auto*) { pods.Upsert(r); },
       .on_delete = [&pods](auto space, auto name) { pods.EraseLimitRange(space, name); }});
  handlers.Add<api::RuntimeClass>(
      {.on_upsert = [&pods](const api::RuntimeClass& r, const auto*) { pods.Upsert(r); },
       .on_delete = [&pods](auto, auto name) { pods.EraseRuntimeClass(name); }});
}

void ClusterState::AddClaimHandlers(ObjectHandlers& handlers) {
  const auto add = [&]<class T>(ClaimKind kind) {
    handlers.Add<T>({.on_upsert =
                         [this, kind](const T& claim, const auto*) {
                           if (caches_.claims.Upsert(claim))
                             MarkPending(caches_.claims.UsersOf(
                                 ClaimName{kind, NamespacedName(claim.metadata)}));
                         },
                     .on_delete =
                         [this, kind](auto space, auto name) {
                           const ClaimName claim{kind, NamespacedName(space, name)};
                           if (caches_.claims.Erase(claim))
                             MarkPending(caches_.claims.UsersOf(claim));
                         }});
  };
  add.template operator()<api::ResourceClaim>(ClaimKind::kClaim);
  add.template operator()<api::ResourceClaimTemplate>(ClaimKind::kTemplate);
  AddDeviceClassHandler(handlers);
}

void ClusterState::AddDeviceClassHandler(ObjectHandlers& handlers) {
  const auto mark = [this](const std::vector<std::string>& extended_resources) {
    for (const std::string& resource : extended_resources)
      MarkPending(caches_.claims.UsersOf(resource));
  };
  handlers.Add<api::DeviceClass>(
      {.on_upsert = [this, mark](const api::DeviceClass& device_class,
                                 const auto*) { mark(caches_.claims.Upsert(device_class)); },
       .on_delete = [this, mark](auto, auto name) { mark(caches_.claims.EraseClass(name)); }});
}

void ClusterState::AddReferenceHandlers(ObjectHandlers& handlers) {
  QueueReferenceCache& references = caches_.references;
  QueueCache& queues = caches_.queues;
  handlers.Add<api::ResourceFlavor>({.on_upsert =
                                         [&, this](const api::ResourceFlavor& flavor, const auto*) {
                                           if (!references.Upsert(flavor)) return;
                                           queues.MarkUsersOfFlavor(flavor.metadata.name);
                                           caches_.nodes.MarkFlavor(flavor.metadata.name);
                                         },
                                     .on_delete =
                                         [&, this](auto, auto name) {
                                           if (!references.EraseFlavor(name)) return;
                                           queues.MarkUsersOfFlavor(name);
                                           caches_.nodes.MarkFlavor(name);
                                         }});
  handlers.Add<api::Topology>({.on_upsert =
                                   [&, this](const api::Topology& topology, const auto*) {
                                     if (references.Upsert(topology))
                                       MarkFlavorsOf(topology.metadata.name);
                                   },
                               .on_delete =
                                   [&, this](auto, auto name) {
                                     if (references.EraseTopology(name)) MarkFlavorsOf(name);
                                   }});
  handlers.Add<api::AdmissionCheck>({.on_upsert =
                                         [&](const api::AdmissionCheck& check, const auto*) {
                                           references.Upsert(check);
                                           queues.MarkUsersOfCheck(check.metadata.name);
                                         },
                                     .on_delete =
                                         [&](auto, auto name) {
                                           if (references.EraseCheck(name))
                                             queues.MarkUsersOfCheck(name);
                                         }});
}

void ClusterState::AddQueueHandlers(ObjectHandlers& handlers) {
  QueueCache& queues = caches_.queues;
  handlers.Add<api::Cohort>(
      {.on_upsert = [&](const api::Cohort& cohort, const auto*) { queues.Upsert(cohort); },
       .on_delete = [&](auto, auto name) { queues.EraseCohort(name); }});
  handlers.Add<api::ClusterQueue>(
      {.on_upsert = [&](const api::ClusterQueue& queue, const auto*) { queues.Upsert(queue); },
       .on_delete = [&](auto, auto name) { queues.EraseClusterQueue(name); }});
  handlers.Add<api::LocalQueue>(
      {.on_upsert = [&](const api::LocalQueue& queue, const auto*) { queues.Upsert(queue); },
       .on_delete = [&](auto space,
                        auto name) { queues.EraseLocalQueue(NamespacedName(space, name)); }});
}

void ClusterState::MarkFlavorsOf(std::string_view topology) {
  caches_.nodes.MarkTopology(topology);
  for (const std::string_view flavor : caches_.references.FlavorsOf(topology))
    caches_.queues.MarkUsersOfFlavor(flavor);
}

// An admitted workload keeps its charge when its claims change.
void ClusterState::MarkPending(const std::set<std::string>& workloads) {
  for (const std::string& name : workloads) {
    WorkloadEntry& entry = *caches_.workloads.entries().Find(name);
    if (!HoldsQuota(entry.object)) caches_.workloads.MarkChanged(entry, true);
  }
}

void ClusterState::Apply(const api::Workload& workload) {
  CHECK(!workload.metadata.uid.empty());
  auto [entry, is_new] = caches_.workloads.entries().Insert(NamespacedName(workload.metadata));
  on_call_(WorkloadApplied{&workload, is_new ? nullptr : &entry.object});
  const bool must_describe = is_new || !IsSameForEngine(entry.object, workload);
  if (!is_new) {
    if (entry.object.metadata.uid != workload.metadata.uid) Erase(entry);
    caches_.claims.Unlink(entry.object);
  }
  caches_.workloads.Set(entry, workload, must_describe);
  caches_.claims.Link(workload);
}

void ClusterState::DeleteWorkload(const std::string& namespaced_name) {
  WorkloadEntry* entry = caches_.workloads.entries().Find(namespaced_name);
  if (entry == nullptr) return;
  const size_t slash = namespaced_name.find('/');
  on_call_(ObjectDeleted{&api::Workload::KindInfo(),
                         std::string_view(namespaced_name).substr(0, slash),
                         std::string_view(namespaced_name).substr(slash + 1)});
  caches_.claims.Unlink(entry->object);
  if (caches_.nodes.is_enabled()) caches_.nodes.SetPlaced(entry->object, false);
  Erase(*entry);
  caches_.workloads.entries().Erase(namespaced_name);
  on_placed_(namespaced_name);
}

void ClusterState::Erase(WorkloadEntry& entry) {
  sync_.Remove(entry);
  caches_.workloads.EraseUid(entry);
}

void ClusterState::AdvanceTo(base::Time now) {
  on_call_(Advanced{now});
  engine_.AdvanceTo(now);
}

void ClusterState::Undo(engine::WorkloadId id) {
  on_call_(Undone{engine_.Uid(id)});
  engine_.Undo(id);
}

void ClusterState::BackOff(engine::WorkloadId id, base::Time until) {
  on_call_(BackedOff{engine_.Uid(id), until});
  engine_.BackOff(id, until);
}

// --- Lookups -------------------------------------------------------------------------------------

const api::Workload* ClusterState::FindWorkload(std::string_view namespaced_name) const {
  return caches_.workloads.Find(namespaced_name);
}

const api::Workload& ClusterState::WorkloadOf(engine::WorkloadId id) const {
  const api::Workload* workload = caches_.workloads.FindByUid(engine_.Uid(id));
  CHECK(workload != nullptr);
  return *workload;
}

const api::LocalQueue* ClusterState::FindLocalQueue(std::string_view namespaced_name) const {
  return caches_.queues.local_queues().Find(namespaced_name);
}

const api::ClusterQueue* ClusterState::FindClusterQueue(std::string_view name) const {
  const ClusterQueueEntry* entry = caches_.queues.cluster_queues().Find(name);
  return entry == nullptr ? nullptr : &entry->object;
}

const api::ResourceFlavor* ClusterState::FindFlavor(std::string_view name) const {
  return caches_.references.FindFlavor(name);
}

const api::Cohort* ClusterState::FindCohort(std::string_view name) const {
  return caches_.queues.cohorts().Find(name);
}

const api::Topology* ClusterState::FindTopology(std::string_view name) const {
  return caches_.references.FindTopology(name);
}

const api::LocalQueue* ClusterState::FindLocalQueueOf(const api::Workload& workload) const {
  return caches_.queues.FindLocalQueueOf(workload);
}

const api::Labels* ClusterState::FindNamespaceLabels(std::string_view name) const {
  return caches_.pods.FindLabels(name);
}

void ClusterState::ForEachWorkload(const std::function<void(const api::Workload&)>& visit) const {
  for (const auto& [name, entry] : caches_.workloads.entries()) visit(entry.object);
}

void ClusterState::ForEachClusterQueue(
    const std::function<void(const api::ClusterQueue&, engine::NodeId)>& visit) const {
  for (const auto& [name, entry] : caches_.queues.cluster_queues()) visit(entry.object, entry.id);
}

void ClusterState::ForEachLocalQueue(
    const std::function<void(const api::LocalQueue&)>& visit) const {
  for (const auto& [name, queue] : caches_.queues.local_queues()) visit(queue);
}

void ClusterState::ForEachFlavor(
    const std::function<void(const api::ResourceFlavor&)>& visit) const {
  caches_.references.ForEachFlavor(visit);
}

std::string_view ClusterState::InactiveReason(std::string_view cluster_queue) const {
  return caches_.queues.InactiveReasonOf(cluster_queue, caches_.references);
}

const api::DeviceClassConflict* ClusterState::FindConflict(std::string_view cluster_queue) const {
  return caches_.queues.FindConflict(cluster_queue);
}

// --- Requests ------------------------------------------------------------------------------------

std::optional<engine::PendingSpec> ClusterState::DescribeWaiting(const api::Workload& workload) {
  const ClusterQueueEntry* queue = caches_.queues.FindPendingQueueOf(workload);
  if (queue == nullptr) return std::nullopt;
  return sync_.Describe(workload, *queue);
}

std::optional<engine::ReservedSpec> ClusterState::DescribeReserved(const api::Workload& workload) {
  const ClusterQueueEntry* queue =
      workload.status.admission
          ? caches_.queues.cluster_queues().Find(workload.status.admission->cluster_queue)
          : nullptr;
  if (queue == nullptr) return std::nullopt;
  return sync_.DescribeReserved(workload, *queue);
}

std::vector<api::PodSet> ClusterState::AdjustedPodSets(const api::Workload& workload) {
  const LimitSummary& limits = caches_.pods.LimitsOf(workload.metadata.namespace_);
  std::vector<api::PodSet> pod_sets = workload.spec.pod_sets;
  for (api::PodSet& pod_set : pod_sets)
    AdjustPod(pod_set.template_.spec, limits, caches_.pods.overheads());
  return pod_sets;
}

InvalidRequests ClusterState::PodProblems(const api::Workload& workload) {
  const std::vector<api::PodSet> pod_sets = AdjustedPodSets(workload);
  return {.above_limits = RequestsAboveLimits(pod_sets),
          .outside_limit_ranges =
              LimitRangeViolations(pod_sets, caches_.pods.LimitsOf(workload.metadata.namespace_))};
}

schema::Problems ClusterState::ClaimProblems(const api::Workload& workload) const {
  if (rules_.resources->rejects_devices) return RejectedClaims(workload.spec.pod_sets);
  if (!caches_.claims.counts_devices()) return {};
  std::vector<PodSetDemand> demands = DemandOf(workload.spec.pod_sets, {}, *rules_.resources);
  schema::Problems problems =
      caches_.claims.AddDevicesOf(workload, workload.spec.pod_sets, demands);
  const ClusterQueueEntry* queue = caches_.queues.FindPendingQueueOf(workload);
  if (queue == nullptr || !queue->filter) return problems;
  for (const auto& [device_class, devices] : queue->filter->Count(demands).unmapped_devices)
    problems.push_back(UnmappedClass(device_class, devices, queue->object.metadata.name));
  return problems;
}

CountedRequests ClusterState::CountRequests(const api::Workload& workload) {
  const std::vector<api::PodSet> pod_sets = AdjustedPodSets(workload);
  std::vector<PodSetDemand> demands =
      DemandOf(pod_sets, workload.status.reclaimable_pods, *rules_.resources);
  caches_.claims.AddDevicesOf(workload, pod_sets, demands);
  const ClusterQueueEntry* queue =
      workload.status.admission
          ? caches_.queues.cluster_queues().Find(workload.status.admission->cluster_queue)
          : caches_.queues.FindPendingQueueOf(workload);
  if (queue == nullptr || !queue->filter) return ResourceFilter(rules_.resources).Count(demands);
  return queue->filter->Count(demands);
}

}  // namespace berth::workload

#include "engine/engine.h"

#include <algorithm>

#include "base/check.h"
#include "engine/engine_parts.h"
#include "engine/explain/explain.h"

namespace berth::engine {
namespace {

uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size();
  for (const char c : text) hash = base::MixHash(hash, static_cast<unsigned char>(c));
  return hash;
}

// The sum of the requests of all podsets.
void SumRequests(const ShapeView& shape, std::vector<Request>& sum) {
  sum.clear();
  for (const PodSetView& pod_set : shape.pod_sets) {
    for (const Request& request : pod_set.requests) {
      auto it = std::ranges::find(sum, request.resource, &Request::resource);
      if (it == sum.end()) {
        sum.push_back(request);
      } else {
        it->amount = quantity::SaturatingAdd(it->amount, request.amount);
      }
    }
  }
}

std::unique_ptr<const WorkloadExtras> ExtrasOf(std::string replaces_uid,
                                               std::optional<WorkloadTopology> topology) {
  if (replaces_uid.empty() && !topology) return nullptr;
  return std::make_unique<const WorkloadExtras>(
      WorkloadExtras{std::move(replaces_uid), std::move(topology)});
}

}  // namespace

// --- Configuration -------------------------------------------------------------------------------

void Engine::Parts::Sync() {
  if (!changed_flavors.empty()) RequeueUsersOfChangedFlavors();
  if (!state.forest.needs_rebuild()) return;
  state.Rebuild();
  for (const NodeId queue : to_requeue) RequeueInadmissibleInTreeOf(queue);
  to_requeue.clear();
}

void Engine::Parts::RequeueInadmissibleInTreeOf(NodeId queue) {
  if (!state.forest.HasTree(queue)) return;
  for (const NodeId member : state.forest.TreeOf(queue).queues) pending.RequeueInadmissible(member);
}

// Records all queues of the current tree: a move may split them into different trees.
void Engine::Parts::RecordTreeOf(NodeId node) {
  if (!state.forest.HasTree(node)) return;
  const std::vector<NodeId>& queues = state.forest.TreeOf(node).queues;
  to_requeue.insert(to_requeue.end(), queues.begin(), queues.end());
}

Engine::Engine(EngineOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

NodeId Engine::SetClusterQueue(const ClusterQueueSpec& spec) {
  Parts& p = *parts_;
  const NodeId known = p.state.forest.FindQueue(spec.name);
  if (!known.is_none()) {
    if (p.state.queue(known).spec == spec) return known;
    p.RecordTreeOf(known);
  }
  const NodeId id = p.state.forest.SetQueue(spec);
  if (p.state.queues.size() <= id.index()) p.state.queues.resize(id.index() + 1);
  Queue& queue = p.state.queue(id);
  queue.node = id;
  queue.spec = spec;
  queue.is_target_order_cached = false;
  ++queue.generation;
  p.pending.QueueChanged(id);
  p.to_requeue.push_back(id);
  return id;
}

void Engine::RemoveClusterQueue(NodeId id) {
  Parts& p = *parts_;
  p.RecordTreeOf(id);
  p.state.forest.RemoveQueue(id);
  p.state.queue(id).node = NodeId::None();
  p.state.queue(id).spec = {};
}

void Engine::SetCohort(const CohortSpec& spec) {
  Parts& p = *parts_;
  const NodeId known = p.state.forest.FindCohort(spec.name);
  if (!known.is_none()) p.RecordTreeOf(known);
  p.state.forest.SetCohort(spec);
  if (!spec.parent.empty()) {
    const NodeId parent = p.state.forest.FindCohort(spec.parent);
    if (!parent.is_none()) p.RecordTreeOf(parent);
  }
}

void Engine::RemoveCohort(std::string_view name) {
  const NodeId known = parts_->state.forest.FindCohort(name);
  if (known.is_none()) return;
  parts_->RecordTreeOf(known);
  parts_->state.forest.RemoveCohort(name);
}

bool Engine::IsInCohortCycle(NodeId queue) const {
  parts_->Sync();
  return parts_->state.forest.node(queue).is_in_cycle;
}

void Engine::SetLocalQueueUsage(LocalQueueId queue, double weight,
                                std::span<const ConsumedResource> consumed) {
  parts_->ledger.SetConsumed(queue, weight, consumed);
}

// --- Workloads -----------------------------------------------------------------------------------

WorkloadId Engine::Parts::NewWorkload(std::string uid) {
  WorkloadId id;
  if (free_workloads.empty()) {
    id = WorkloadId(static_cast<uint32_t>(state.workloads.size()));
    state.workloads.emplace_back();
  } else {
    id = free_workloads.back();
    free_workloads.pop_back();
  }
  workload_ids.Insert(HashOf(uid), id.value());
  state.workload(id).uid = std::move(uid);
  state.workload(id).exists = true;
  return id;
}

void Engine::Parts::Describe(WorkloadId id, PendingSpec& spec) {
  Workload& workload = state.workload(id);
  const ShapeId shape = state.shapes.Acquire(spec.shape);
  if (!workload.shape.is_none()) state.shapes.Release(workload.shape);
  workload.shape = shape;
  workload.cluster_queue = spec.cluster_queue;
  workload.local_queue = spec.local_queue;
  workload.queue_order_time = spec.queue_order_time;
  workload.priority = state.shape(shape).priority;
  workload.extras = ExtrasOf(std::move(spec.replaces_uid), std::move(spec.topology));
  workload.has_namespace_mismatch = spec.has_namespace_mismatch;
  workload.is_invalid = spec.is_invalid;
  workload.lacks_claim = spec.lacks_claim;
  workload.has_closed_preemption_gate = spec.has_closed_preemption_gate;
  workload.constraints = spec.constraints;
}

void Engine::Parts::Join(WorkloadId id, const PendingSpec& spec, base::Time now) {
  pending.Add(id);
  if (spec.is_held) {
    pending.Hold(id);
  } else if (spec.not_before && *spec.not_before > now) {
    pending.BackOff(id, *spec.not_before);
  }
}

void Engine::Parts::FreeWorkload(WorkloadId id) {
  Workload& workload = state.workload(id);
  Queue& queue = state.queue(workload.cluster_queue);
  if (queue.preemptor == id) queue.preemptor = WorkloadId::None();
  workload_ids.Erase(HashOf(workload.uid), id.value());
  if (!workload.shape.is_none()) state.shapes.Release(workload.shape);
  workload = Workload{};
  free_workloads.push_back(id);
}

WorkloadId Engine::AddPending(PendingSpec spec, base::Time now) {
  Parts& p = *parts_;
  const WorkloadId known = FindWorkload(spec.uid);
  if (!known.is_none()) {
    UpdatePending(known, std::move(spec), now);
    return known;
  }
  const WorkloadId id = p.NewWorkload(spec.uid);
  p.Describe(id, spec);
  p.Join(id, spec, now);
  return id;
}

void Engine::UpdatePending(WorkloadId id, PendingSpec spec, base::Time now) {
  Parts& p = *parts_;
  CHECK(!IsReserved(id));
  p.pending.Remove(id);
  p.Describe(id, spec);
  p.Join(id, spec, now);
}

WorkloadId Engine::AddReserved(ReservedSpec spec) {
  Parts& p = *parts_;
  QuotaForest& forest = p.state.forest;
  std::unique_ptr<Reservation> reservation = p.state.NewReservation();
  reservation->reserved_at = spec.reserved_at;
  reservation->is_evicted = spec.is_evicted;
  for (const PodSetAssignment& pod_set : spec.pod_sets) {
    reservation->AddPodSet(pod_set.count);
    for (const ResourceAssignment& r : pod_set.resources)
      reservation->AddResource(r, forest.FlavorResource(r.flavor, r.resource));
  }
  if (p.state.topologies) reservation->topology = p.PlacementsOf(spec);
  const WorkloadId id = p.NewWorkload(std::move(spec.uid));
  Workload& workload = p.state.workload(id);
  workload.extras = ExtrasOf({}, std::move(spec.topology));
  workload.cluster_queue = spec.cluster_queue;
  workload.local_queue = spec.local_queue;
  workload.queue_order_time = spec.queue_order_time;
  workload.priority = spec.priority;
  p.state.Reserve(id, std::move(reservation));
  return id;
}

void Engine::Remove(WorkloadId id) {
  Parts& p = *parts_;
  const NodeId queue = p.state.workload(id).cluster_queue;
  if (IsReserved(id)) {
    p.state.Unreserve(id);
  } else {
    p.pending.Remove(id);
  }
  p.ledger.RemovePenalty(p.state.workload(id).local_queue, id);
  p.FreeWorkload(id);
  RequeueInadmissible(queue);
}

void Engine::MarkEvicted(WorkloadId id) {
  CHECK(IsReserved(id));
  parts_->state.MarkEvicted(id);
}

void Engine::Release(WorkloadId id, PendingSpec spec, base::Time now) {
  Parts& p = *parts_;
  const NodeId queue = p.state.workload(id).cluster_queue;
  p.state.Unreserve(id);
  p.Describe(id, spec);
  p.Join(id, spec, now);
  RequeueInadmissible(queue);
}

void Engine::Undo(WorkloadId id) {
  Parts& p = *parts_;
  const Workload& workload = p.state.workload(id);
  CHECK(!workload.shape.is_none());
  p.state.Unreserve(id);
  p.ledger.RemovePenalty(workload.local_queue, id);
  p.pending.Add(id);
  RequeueInadmissible(workload.cluster_queue);
}

void Engine::BackOff(WorkloadId id, base::Time until) {
  CHECK(!IsReserved(id));
  parts_->pending.BackOff(id, until);
}

void Engine::RequeueInadmissible(NodeId queue) {
  parts_->Sync();
  parts_->RequeueInadmissibleInTreeOf(queue);
}

void Engine::AdvanceTo(base::Time now) { parts_->pending.AdvanceTo(now); }

// --- The cycle -----------------------------------------------------------------------------------

void Engine::Parts::AddPenalty(WorkloadId id) {
  const Workload& workload = state.workload(id);
  const Queue& queue = state.queue(workload.cluster_queue);
  if (!queue.spec.orders_by_usage) return;
  SumRequests(state.shape(workload.shape), sum);
  if (state.options.only_declared) {
    std::erase_if(
        sum, [&](const Request& r) { return queue.GroupOf(r.resource) == Queue::kUndeclared; });
  }
  ledger.AddPenalty(workload.local_queue, id, sum);
}

void Engine::Parts::UpdateLocalQueueUsage() {
  if (!state.options.admission_fair_sharing) return;
  if (!ledger.has_changed() && state.local_queue_usage.size() == local_queues.size()) return;
  ledger.Fill(state.local_queue_usage, local_queues.size());
  for (Queue& queue : state.queues) queue.is_target_order_cached = false;
  ledger.ClearChanged();
}

std::span<const Decision> Engine::RunCycle(base::Time now) {
  Parts& p = *parts_;
  p.Sync();
  p.pending.AdvanceTo(now);
  p.UpdateLocalQueueUsage();
  const std::span<const Decision> decisions = p.cycle.Run(now);
  if (p.state.options.admission_fair_sharing) {
    for (const Decision& decision : decisions) {
      if (decision.outcome == Outcome::kAdmitted) p.AddPenalty(decision.workload);
    }
  }
  return decisions;
}

// --- Queries -------------------------------------------------------------------------------------

FlavorId Engine::Flavor(std::string_view name) { return parts_->state.forest.Flavor(name); }
ResourceId Engine::Resource(std::string_view name) { return parts_->state.forest.Resource(name); }
LocalQueueId Engine::LocalQueue(std::string_view name) {
  const LocalQueueId id = parts_->local_queues.Intern(name);
  std::vector<uint32_t>& names = parts_->state.local_queue_names;
  if (id.index() == names.size()) {
    const std::string_view bare = name.substr(name.find('/') + 1);  // all of it if there is no '/'
    names.push_back(parts_->local_queue_names.Intern(bare).value());
  }
  return id;
}
const std::string& Engine::FlavorName(FlavorId id) const {
  return parts_->state.forest.FlavorName(id);
}
const std::string& Engine::ResourceName(ResourceId id) const {
  return parts_->state.forest.ResourceName(id);
}
const std::string& Engine::LocalQueueName(LocalQueueId id) const {
  return parts_->local_queues.Name(id);
}
const std::string& Engine::ClusterQueueName(NodeId id) const {
  return parts_->state.forest.node(id).name;
}
NodeId Engine::FindClusterQueue(std::string_view name) const {
  return parts_->state.forest.FindQueue(name);
}

WorkloadId Engine::FindWorkload(std::string_view uid) const {
  const uint32_t value = parts_->workload_ids.Find(
      HashOf(uid), [&](uint32_t id) { return parts_->state.workload(WorkloadId(id)).uid == uid; });
  return value == base::HashIndex::kNone ? WorkloadId::None() : WorkloadId(value);
}

const std::string& Engine::Uid(WorkloadId id) const { return parts_->state.workload(id).uid; }
bool Engine::IsReserved(WorkloadId id) const {
  return parts_->state.workload(id).reservation != nullptr;
}
std::vector<PodSetAssignment> Engine::AssignmentOf(WorkloadId id) const {
  CHECK(IsReserved(id));
  return engine::AssignmentOf(*parts_->state.workload(id).reservation);
}
NodeId Engine::ClusterQueueOf(WorkloadId id) const {
  return parts_->state.workload(id).cluster_queue;
}
std::vector<WorkloadId> Engine::ReservedIn(NodeId queue) const {
  return parts_->state.queue(queue).reserved;
}
PendingCounts Engine::CountPending(NodeId queue) const {
  return {parts_->pending.ActiveCount(queue), parts_->pending.InadmissibleCount(queue)};
}
bool Engine::IsActive(WorkloadId id) const { return parts_->pending.IsActive(id); }
WorkloadId Engine::HeadOf(NodeId queue) const { return parts_->pending.Head(queue); }
bool Engine::IsInadmissible(NodeId queue, const EquivalenceKey& key) const {
  return parts_->pending.IsInadmissible(queue, key);
}
std::vector<WorkloadId> Engine::ActiveIn(NodeId queue) const {
  return parts_->pending.Active(queue);
}
std::vector<WorkloadId> Engine::WaitingIn(NodeId queue) const {
  return parts_->pending.Waiting(queue);
}
std::vector<WorkloadId> Engine::InadmissibleIn(NodeId queue) const {
  return parts_->pending.Inadmissible(queue);
}
Explanation Engine::Explain(WorkloadId id) const {
  parts_->Sync();
  parts_->UpdateLocalQueueUsage();
  return engine::Explain(parts_->state, parts_->pending, parts_->cycle.nominator(), id);
}
const State& Engine::state() const {
  parts_->Sync();
  return parts_->state;
}

}  // namespace berth::engine

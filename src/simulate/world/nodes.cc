// Nodes and places of pods in the virtual world.

#include <algorithm>
#include <utility>

#include "api/core/node.h"
#include "api/kueue/well_known.h"
#include "simulate/world/world.h"
#include "workload/convert/convert_topology.h"

namespace berth::simulate {

// --- Events --------------------------------------------------------------------------------------

bool World::ApplyNodeEvents(bool has_work, HostChanges& hosts) {
  bool has_event = false;
  while (const std::optional<uint32_t> node = failures_.TakeRepair(clock_.now())) {
    const api::Object* repaired = node_states_.Repair(*node);
    if (repaired == nullptr) continue;
    cluster_.Apply(*repaired);
    hosts.Repair(workload::HostOf(*repaired->As<api::Node>()));
    has_event = true;
  }
  if (!has_work) failures_.Postpone(clock_.now());
  while (const std::optional<uint32_t> node = failures_.TakeFailure(clock_.now())) {
    const std::optional<api::Object> failed = node_states_.Fail(*node);
    if (!failed) continue;
    cluster_.Apply(*failed);
    ++result_.node_failures;
    hosts.failed.push_back(workload::HostOf(*failed->As<api::Node>()));
    has_event = true;
  }
  if (!has_event) return false;
  cluster_.Sync(clock_.now());
  NodesChanged();
  return true;
}

bool World::EditNode(const api::Object& object, HostChanges& hosts) {
  const auto* node = object.As<api::Node>();
  if (node == nullptr) return false;
  const NodeStates::Effect effect = node_states_.Edit(object);
  if (effect == NodeStates::Effect::kFails) hosts.failed.push_back(workload::HostOf(*node));
  if (effect == NodeStates::Effect::kRepairs) hosts.Repair(workload::HostOf(*node));
  return true;
}

void World::NodesChanged() {
  meters_.topology.ReadNodes(engine().state(), clock_.now());
  needs_cycle_ = true;
}

void World::FailHost(const std::string& host) {
  if (!engine().state().topologies || !input_.gates.IsOn(api::Gate::kTASFailedNodeReplacement))
    return;
  const engine::DomainPathId place = engine().DomainPath(std::span(&host, 1));
  for (const uint32_t job : meters_.topology.JobsOn(place, engine().state())) {
    if (records_[job].is_stopping) continue;
    if (engine().SecondPassOf(records_[job].id) == engine::SecondPass::kFailedNode)
      Evict(job, EventKind::kEvicted, kNoIndex, api::reason::kNodeFailures, clock_.now());
    else
      PlaceAgain(job, engine::SecondPass::kFailedNode, {host});
  }
}

void World::RepairHost(const std::string& host) {
  if (!engine().state().topologies) return;
  const engine::DomainPathId place = engine().DomainPath(std::span(&host, 1));
  for (const uint32_t job : meters_.topology.JobsOn(place, engine().state())) {
    const std::vector<std::string> failed = engine().FailedNodesOf(records_[job].id);
    if (!records_[job].is_stopping && std::ranges::find(failed, host) != failed.end())
      PlaceAgain(job, engine::SecondPass::kNone, {});
  }
}

// --- Places --------------------------------------------------------------------------------------

bool World::IsDelayed(uint32_t job) const {
  const auto& topology = cluster_.engine().state().workload(records_[job].id).reservation->topology;
  return topology &&
         std::ranges::any_of(topology->placements, &engine::PodSetPlacement::is_delayed);
}

// As in a controller, the engine learns of the reservation afresh.
void World::PlaceAgain(uint32_t job, engine::SecondPass why,
                       std::vector<std::string> failed_nodes) {
  JobRecord& record = records_[job];
  const engine::Workload& held = engine().state().workload(record.id);
  engine::ReservedSpec spec{.uid = held.uid,
                            .local_queue = held.local_queue,
                            .cluster_queue = held.cluster_queue,
                            .queue_order_time = held.queue_order_time,
                            .priority = held.priority,
                            .reserved_at = held.reservation->reserved_at,
                            .pod_sets = engine().AssignmentOf(record.id),
                            .topology = *held.topology(),
                            .second_pass = why,
                            .failed_nodes = std::move(failed_nodes)};
  std::vector<engine::FlavorResourceUsage> usage =
      std::move(engine_records_[record.id.index()].usage);
  engine().Remove(record.id);
  record.id = engine().AddReserved(std::move(spec));
  Register(record.id, job);
  engine_records_[record.id.index()].usage = std::move(usage);
  needs_cycle_ = true;
}

void World::TakePlace(uint32_t job) {
  meters_.topology.Place(job, records_[job].id, engine().state(), clock_.now());
  if (records_[job].awaits_place) return Start(job, clock_.now());
  ++result_.jobs[job].moves;
  clock_.RecordEvent(clock_.now());
  Emit(clock_.now(), EventKind::kMoved, job);
}

// Only after rounds with an event: another attempt alone changes nothing.
void World::ScheduleSecondPass() {
  for (const engine::WorkloadId id : engine().state().second_pass) {
    const base::Time at = engine().state().workload(id).reservation->topology->not_before;
    if (at > clock_.now()) agenda_.Add({.at = at, .kind = TimerKind::kSecondPass});
  }
}

}  // namespace berth::simulate

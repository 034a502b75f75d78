#include "simulate/world/empty_world.h"

#include <utility>

#include "simulate/world/placement_mode.h"

namespace berth::simulate {

EmptyWorld::EmptyWorld(const Input& input, const WorldOptions& world)
    : now_(input.start),
      cluster_(world.configuration ? *world.configuration : input.configuration, input.gates,
               {.topology = PlacementModeOf(input, world.edits) == PlacementMode::kPlacesPods}) {
  for (const api::Object& object : input.objects) cluster_.Apply(object);
  for (const Edit& edit : world.edits) {
    for (const api::Object& object : *edit.objects) cluster_.Apply(object);
  }
  cluster_.Sync(now_);
}

std::optional<engine::PendingSpec> EmptyWorld::Describe(const api::Workload& workload) {
  return cluster_.DescribeWaiting(workload);
}

bool EmptyWorld::HasRoomFor(const api::Workload& workload) {
  std::optional<engine::PendingSpec> spec = Describe(workload);
  if (!spec) return false;
  spec->uid = "alone";
  spec->not_before.reset();
  spec->is_held = false;
  const engine::WorkloadId id = cluster_.engine().AddPending(std::move(*spec), now_);
  constexpr int kMaxCycles = 16;  // the flavor search may take several
  for (int i = 0; i < kMaxCycles && !cluster_.engine().IsReserved(id); ++i) {
    if (cluster_.engine().RunCycle(now_).empty()) break;
  }
  const bool has_room = cluster_.engine().IsReserved(id);
  cluster_.engine().Remove(id);
  return has_room;
}

}  // namespace berth::simulate

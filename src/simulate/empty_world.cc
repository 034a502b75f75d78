#include "simulate/empty_world.h"

#include <utility>

namespace berth::simulate {

EmptyWorld::EmptyWorld(const Input& input, const WorldOptions& world)
    : now_(input.start),
      feed_(world.configuration ? *world.configuration : input.configuration, input.gates) {
  for (const api::Object& object : input.objects) feed_.Apply(object);
  for (const Edit& edit : world.edits) {
    for (const api::Object& object : *edit.objects) feed_.Apply(object);
  }
  feed_.Sync(now_);
}

std::optional<engine::PendingSpec> EmptyWorld::Describe(const api::Workload& workload) {
  return feed_.DescribeWaiting(workload);
}

bool EmptyWorld::HasRoomFor(const api::Workload& workload) {
  std::optional<engine::PendingSpec> spec = Describe(workload);
  if (!spec) return false;
  spec->uid = "alone";
  spec->not_before.reset();
  spec->is_held = false;
  const engine::WorkloadId id = feed_.engine().AddPending(std::move(*spec), now_);
  constexpr int kMostCycles = 16;  // the search for flavors may take several
  for (int i = 0; i < kMostCycles && !feed_.engine().IsReserved(id); ++i) {
    if (feed_.engine().RunCycle(now_).empty()) break;
  }
  const bool has_room = feed_.engine().IsReserved(id);
  feed_.engine().Remove(id);
  return has_room;
}

}  // namespace berth::simulate

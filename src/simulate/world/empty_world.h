#pragma once

#include <optional>

#include "simulate/input.h"
#include "simulate/world/world.h"
#include "workload/state/cluster_state.h"

namespace berth::simulate {

// The queues of a world after all edits, without jobs. Tells whether a job could ever start.
class EmptyWorld {
 public:
  EmptyWorld(const Input& input, const WorldOptions& world);

  // Whether the job starts with all quota free.
  bool HasRoomFor(const api::Workload& workload);
  // Nullopt if one of its queues is missing or stopped.
  std::optional<engine::PendingSpec> Describe(const api::Workload& workload);
  const engine::State& state() const { return cluster_.engine().state(); }

 private:
  base::Time now_;
  workload::ClusterState cluster_;
};

}  // namespace berth::simulate

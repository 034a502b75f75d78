#pragma once

#include <optional>

#include "simulate/input.h"
#include "simulate/world.h"
#include "workload/engine_feed.h"

namespace berth::simulate {

// The queues of a world, as they are after all its edits, with nobody in them: to see what is
// possible at all.
class EmptyWorld {
 public:
  EmptyWorld(const Input& input, const WorldOptions& world);

  // Whether a job like this starts when it is alone.
  bool HasRoomFor(const api::Workload& workload);
  // Nullopt if one of its queues is missing or stopped.
  std::optional<engine::PendingSpec> Describe(const api::Workload& workload);
  const engine::State& state() const { return feed_.engine().state(); }

 private:
  base::Time now_;
  workload::EngineFeed feed_;
};

}  // namespace berth::simulate

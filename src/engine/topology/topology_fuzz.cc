// Any sequence of events of nodes and placements: usage agrees with the naive model after each,
// every pod has a place, and no node is overfull.

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "engine/testing/byte_choices.h"
#include "engine/testing/topology_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::engine::testing::ByteChoices choices(data, size);
  berth::engine::testing::TopologyWalk walk([&](uint64_t bound) { return choices.Next(bound); });
  while (!choices.empty()) {
    walk.Step();
    CHECK(walk.Difference().empty());
  }
  return 0;
}

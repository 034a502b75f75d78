// Any sequence of events: the engine's invariants hold after each.

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "engine/testing/byte_choices.h"
#include "engine/testing/engine_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::engine::testing::ByteChoices choices(data, size);
  berth::engine::testing::EngineWalk walk([&](uint64_t bound) { return choices.Next(bound); });
  while (!choices.empty()) {
    walk.Step();
    CHECK(walk.Violation().empty());
  }
  return 0;
}

// Any sequence of events: what must hold of the engine holds after each.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "engine/testing/engine_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const uint8_t> rest(data, size);
  const auto choose = [&](uint64_t bound) -> uint64_t {
    if (rest.empty()) return 0;
    const uint8_t byte = rest.front();
    rest = rest.subspan(1);
    return byte % bound;
  };
  berth::engine::testing::EngineWalk walk(choose);
  while (!rest.empty()) {
    walk.Step();
    CHECK(walk.Violation().empty());
  }
  return 0;
}

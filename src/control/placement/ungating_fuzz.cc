// Any life of placed pods: no domain gets more pods than assigned, each ungated pod has a domain,
// and plans neither repeat themselves nor depend on the order of pods.

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "control/testing/ungating_walk.h"
#include "engine/testing/byte_choices.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::engine::testing::ByteChoices choices(data, size);
  berth::control::testing::UngatingWalk walk([&](uint64_t bound) { return choices.Next(bound); });
  while (!choices.empty()) {
    walk.Step();
    CHECK(walk.problem().empty());
  }
  return 0;
}

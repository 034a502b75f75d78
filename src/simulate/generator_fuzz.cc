// Generator files and conditions: no text may break their readers.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "simulate/condition.h"
#include "simulate/distribution.h"
#include "simulate/generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::simulate;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr size_t kMostDigits = 200;  // a million queues are right, and take long
  if (size < kMostDigits) {
    Input input;
    if (!AddGenerated(text, "g.yaml", input).empty()) CHECK(input.objects.empty());
  }
  (void)Condition::Parse(text);
  (void)Distribution::Parse(text);
  return 0;
}

// Generator files and conditions: no input crashes their readers.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "simulate/condition.h"
#include "simulate/trace/distribution.h"
#include "simulate/trace/generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::simulate;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr size_t kMaxDigits = 200;  // a million queues are valid, but slow
  if (size < kMaxDigits) {
    Input input;
    if (!AddGenerated(text, "g.yaml", input).empty()) CHECK(input.objects.empty());
  }
  (void)Condition::Parse(text);
  (void)Distribution::Parse(text);
  return 0;
}

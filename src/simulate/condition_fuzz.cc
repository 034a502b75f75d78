// Any text is a condition, which keeps its text, or an error that says what to write.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "simulate/condition.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto condition = berth::simulate::Condition::Parse(text);
  if (!condition) {
    CHECK(!condition.error().message.empty());
    return 0;
  }
  CHECK(berth::simulate::Condition::Parse(condition->text()).has_value());
  return 0;
}

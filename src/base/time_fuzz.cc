// Any text is a time or a duration, which are the same after printing, or neither.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/time.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::base;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto time = ParseTime(text)) CHECK(ParseTime(FormatMicroTime(*time)) == time);
  if (const auto length = ParseDuration(text))
    CHECK(ParseDuration(FormatDuration(*length)) == length);
  return 0;
}

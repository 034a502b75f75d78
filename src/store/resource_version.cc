#include "store/resource_version.h"

#include <charconv>
#include <cstdint>

namespace berth::store {

bool IsOlderVersion(std::string_view a, std::string_view b) {
  uint64_t x = 0, y = 0;
  std::from_chars(a.data(), a.data() + a.size(), x);
  std::from_chars(b.data(), b.data() + b.size(), y);
  return x < y;
}

}  // namespace berth::store

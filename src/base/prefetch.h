#pragma once

#include <algorithm>
#include <cstddef>

namespace berth::base {

inline constexpr size_t kCacheLine = 64;

// Asks for the line of memory that is there, to be read soon. Any address will do.
inline void PrefetchLine(const void* address) { __builtin_prefetch(address); }

// The same for an object, or the first lines of a large one.
template <class T>
void Prefetch(const T& object, size_t lines = 4) {
  const auto* begin = reinterpret_cast<const char*>(&object);
  for (size_t at = 0; at < std::min(sizeof(T), lines * kCacheLine); at += kCacheLine)
    PrefetchLine(begin + at);
}

}  // namespace berth::base

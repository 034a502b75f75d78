#pragma once

#include <algorithm>
#include <cstddef>

namespace berth::base {

inline constexpr size_t kCacheLine = 64;

// Prefetches the cache line at this address for reading. Any address is valid.
inline void PrefetchLine(const void* address) { __builtin_prefetch(address); }

// Prefetches an object, or the first lines of a large one.
template <class T>
void Prefetch(const T& object, size_t lines = 4) {
  const auto* begin = reinterpret_cast<const char*>(&object);
  for (size_t at = 0; at < std::min(sizeof(T), lines * kCacheLine); at += kCacheLine)
    PrefetchLine(begin + at);
}

}  // namespace berth::base

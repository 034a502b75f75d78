// Counts the allocations of the benchmark program.

#include <cstdlib>
#include <new>

#include "engine/testing/bench_world.h"

namespace {

uint64_t allocations = 0;  // benchmarks have one thread

void* Allocate(size_t size, size_t alignment) {
  ++allocations;
  // aligned_alloc requires a multiple of the alignment.
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  ++allocations;
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new(size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace berth::engine::testing {

uint64_t CountAllocations() { return allocations; }

}  // namespace berth::engine::testing

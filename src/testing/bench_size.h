#pragma once

#include <cstdlib>

namespace berth::testing {

// Benchmarks run tiny with the tests, so that they cannot rot, and in full with `make bench`.
inline bool IsTinyBenchmark() { return std::getenv("BERTH_BENCH_TINY") != nullptr; }
// The size, or the small one.
inline int Size(int full, int tiny) { return IsTinyBenchmark() ? tiny : full; }

}  // namespace berth::testing

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "quantity/amount.h"
#include "quantity/quantity.h"

namespace berth::quantity {
namespace {

void ParseText(benchmark::State& state, std::string_view text) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    benchmark::DoNotOptimize(Quantity::Parse(text));
  }
}
BENCHMARK_CAPTURE(ParseText, Cpu, "1500m");
BENCHMARK_CAPTURE(ParseText, Memory, "16Gi");
BENCHMARK_CAPTURE(ParseText, Integer, "8");
BENCHMARK_CAPTURE(ParseText, BinaryFraction, "1.5Gi");
BENCHMARK_CAPTURE(ParseText, Exponent, "12e6");
BENCHMARK_CAPTURE(ParseText, KeptAsWritten, "1.125G");
BENCHMARK_CAPTURE(ParseText, BeyondInt64, "123456789012345678901234567890");

void PrintText(benchmark::State& state, std::string_view text) {
  const Quantity quantity = Quantity::Parse(text).value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    quantity.AppendTo(out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK_CAPTURE(PrintText, Cpu, "1500m");
BENCHMARK_CAPTURE(PrintText, Memory, "16Gi");
BENCHMARK_CAPTURE(PrintText, BeyondInt64, "123456789012345678901234567890");

void Compare(benchmark::State& state, std::string_view first, std::string_view second) {
  const Quantity a = Quantity::Parse(first).value(), b = Quantity::Parse(second).value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(&a);
    benchmark::DoNotOptimize(a < b);
  }
}
BENCHMARK_CAPTURE(Compare, SameScale, "16Gi", "17Gi");
BENCHMARK_CAPTURE(Compare, OtherScale, "1500m", "2");

void AddQuantities(benchmark::State& state) {
  const Quantity step = Quantity::FromMilli(250);
  Quantity sum;
  for (auto _ : state) {
    sum.Add(step);
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(AddQuantities);

// The engine's access pattern: usage added to a row of a flat array.
void AddAmounts(benchmark::State& state) {
  constexpr size_t kColumns = 1024;
  base::Random random(1);
  std::vector<Amount> quota(kColumns), usage(kColumns);
  for (Amount& amount : usage) amount = Amount(random.Between(0, 1'000'000));
  for (auto _ : state) {
    for (size_t i = 0; i < kColumns; ++i) quota[i] += usage[i];
    benchmark::DoNotOptimize(quota.data());
  }
  state.SetItemsProcessed(state.iterations() * kColumns);
}
BENCHMARK(AddAmounts);

}  // namespace
}  // namespace berth::quantity

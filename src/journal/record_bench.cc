// What the journal costs the controllers' thread, and how fast it is read.

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "http/testing/directory.h"
#include "journal/reader.h"
#include "journal/recorded_call.h"
#include "journal/writer.h"
#include "testing/bench_size.h"

namespace berth::journal {
namespace {

using berth::testing::Size;

api::Workload PendingWorkload(int number) {
  api::Workload w;
  w.metadata.name = "job-" + std::to_string(number);
  w.metadata.namespace_ = "team";
  w.metadata.uid = "01234567-89ab-cdef-0123-" + std::to_string(100'000'000'000 + number);
  w.spec.queue_name = "main";
  api::PodSet& pods = w.spec.pod_sets.emplace_back();
  pods.name = "main";
  pods.count = 1;
  api::Container& container = pods.template_.spec.containers.emplace_back();
  container.name = "main";
  container.resources.requests.Set("cpu", quantity::Quantity::FromInt(1));
  w.status.conditions.push_back({.type = "QuotaReserved",
                                 .status = "False",
                                 .reason = "Pending",
                                 .message = "couldn't assign flavors to pod set main: insufficient "
                                            "unused quota for cpu in flavor spot, 1 more needed"});
  return w;
}

std::unique_ptr<Writer> Open(const http::testing::Directory& folder) {
  auto writer = Writer::Open({.directory = folder.path(), .header = {}});
  CHECK(writer.has_value());
  return *std::move(writer);
}

// One update of a Workload: a new status, the same spec.
void RecordUpdate(benchmark::State& state) {
  const http::testing::Directory folder;
  const std::unique_ptr<Writer> writer = Open(folder);
  const api::Workload workload = PendingWorkload(1);
  for (auto _ : state)
    writer->Append(RecordOf(workload::WorkloadApplied{.workload = &workload, .before = &workload}));
  state.counters["is_stopped"] = writer->is_stopped() ? 1 : 0;
}
BENCHMARK(RecordUpdate)->Iterations(Size(100'000, 100));

void RecordNew(benchmark::State& state) {
  const http::testing::Directory folder;
  const std::unique_ptr<Writer> writer = Open(folder);
  const api::Workload workload = PendingWorkload(1);
  for (auto _ : state)
    writer->Append(RecordOf(workload::WorkloadApplied{.workload = &workload, .before = nullptr}));
}
BENCHMARK(RecordNew)->Iterations(Size(100'000, 100));

void ReadRecords(benchmark::State& state) {
  const http::testing::Directory folder;
  const int records = Size(100'000, 100);
  {
    const std::unique_ptr<Writer> writer = Open(folder);
    for (int i = 0; i < records; ++i) {
      const api::Workload workload = PendingWorkload(i);
      writer->Append(RecordOf(workload::WorkloadApplied{.workload = &workload, .before = nullptr}));
    }
  }
  double bytes = 0;
  for (auto _ : state) {
    auto reader = Reader::Open(folder.path());
    CHECK(reader.has_value());
    while (auto record = reader->Next()) benchmark::DoNotOptimize(record);
    bytes = static_cast<double>(reader->bytes());
  }
  state.counters["bytes_a_record"] = bytes / records;
  state.SetItemsProcessed(state.iterations() * records);
}
BENCHMARK(ReadRecords)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::journal

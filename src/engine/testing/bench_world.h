#pragma once

// Shared by the engine's benchmarks: a world of queues and workloads, a hash of the decisions, and
// allocation counts.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "base/hash_index.h"
#include "base/random.h"
#include "engine/engine.h"

namespace berth::engine::testing {

inline constexpr base::Time kStart = base::Time::FromSeconds(1'700'000'000);

// Of the same length as Kubernetes uids.
inline std::string Uid(base::Random& random) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string uid(36, '-');
  for (size_t i = 0; i < uid.size(); ++i)
    if (i != 8 && i != 13 && i != 18 && i != 23) uid[i] = kDigits[random.Below(16)];
  return uid;
}

// The number of calls to operator new so far.
uint64_t CountAllocations();

// CPU time of this process, independent of other load.
inline double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Job {
  int64_t amount = 1;  // of cpu and of memory
  int64_t priority = 0;
  uint64_t key = 1;  // of its shape
};

struct World {
  explicit World(EngineOptions options = {}) : engine(std::move(options)) {}

  ClusterQueueSpec QueueSpec(const std::string& name, const std::string& cohort, int64_t nominal,
                             Preemption preemption = {}) {
    const Quota quota{.nominal = Amount(nominal)};
    return {.name = name,
            .cohort = cohort,
            .groups = {{.resources = {cpu, memory},
                        .flavors = {{.flavor = flavor, .quotas = {quota, quota}}}}},
            .preemption = preemption};
  }
  NodeId AddQueue(const std::string& name, const std::string& cohort, int64_t nominal,
                  Preemption preemption = {}) {
    return engine.SetClusterQueue(QueueSpec(name, cohort, nominal, preemption));
  }

  // The number identifies workloads and orders them by age.
  WorkloadId AddPending(NodeId queue, int number, const Job& job) {
    return engine.AddPending(
        {.uid = "workload-" + std::to_string(number),
         .local_queue = local_queue,
         .cluster_queue = queue,
         .queue_order_time = kStart + base::Duration::Seconds(number),
         .shape = {.pod_sets = {{.count = 1,
                                 .full_count = 1,
                                 .requests = {{cpu, job.amount}, {memory, job.amount}}}},
                   .priority = job.priority,
                   .key = {1, job.key}}},
        kStart);
  }
  WorkloadId AddReserved(NodeId queue, int number, const Job& job) {
    return engine.AddReserved(
        {.uid = "reserved-" + std::to_string(number),
         .local_queue = local_queue,
         .cluster_queue = queue,
         .queue_order_time = kStart,
         .priority = job.priority,
         .reserved_at = kStart + base::Duration::Seconds(number),
         .pod_sets = {{.count = 1,
                       .resources = {{cpu, flavor, job.amount}, {memory, flavor, job.amount}}}}});
  }

  // Runs one cycle and measures its CPU time and allocations.
  std::span<const Decision> RunCycle(base::Time now) {
    const uint64_t allocations_before = CountAllocations();
    const double start = ProcessorSeconds();
    const std::span<const Decision> decisions = engine.RunCycle(now);
    last_seconds = ProcessorSeconds() - start;
    last_allocations = CountAllocations() - allocations_before;
    for (const Decision& decision : decisions) Note(decision);
    return decisions;
  }
  void Note(const Decision& decision) {
    hash = base::MixHash(hash, decision.workload.value());
    hash = base::MixHash(hash, static_cast<uint64_t>(decision.outcome));
    for (const PreemptionTarget& target : decision.targets)
      hash = base::MixHash(hash, target.workload.value());
  }

  Engine engine;
  ResourceId cpu = engine.Resource("cpu");
  ResourceId memory = engine.Resource("memory");
  FlavorId flavor = engine.Flavor("default");
  LocalQueueId local_queue = engine.LocalQueue("ns/lq");
  uint64_t hash = 0;
  double last_seconds = 0;
  uint64_t last_allocations = 0;
};

// Distinguishes a change of speed from a change of behaviour. Covers only the first iterations,
// since their number varies between runs.
inline void ReportHash(benchmark::State& state, uint64_t hash) {
  state.counters["decisions_hash"] = static_cast<double>(hash & 0xFFFFFFFF);
}

}  // namespace berth::engine::testing

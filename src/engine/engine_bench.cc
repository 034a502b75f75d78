// Benchmarks of whole cycles at scale.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using berth::testing::Size;
using testing::Job;
using testing::kStart;
using testing::ReportHash;
using testing::World;

constexpr int kCohorts = 10;
constexpr int kPendingPerQueue = 50;

std::vector<NodeId> AddQueuesInCohorts(World& world, int queues, int64_t nominal) {
  std::vector<NodeId> ids;
  for (int q = 0; q < queues; ++q)
    ids.push_back(
        world.AddQueue("q" + std::to_string(q), "co" + std::to_string(q % kCohorts), nominal));
  return ids;
}

Job SomeJob(base::Random& random) {
  return {
      .amount = random.Between(1, 20), .priority = random.Between(0, 3), .key = random.Below(40)};
}

// Fifty pending workloads per queue, all of which fit: each cycle admits one per queue.
void BM_AdmissionCycle(benchmark::State& state) {
  const int queues = Size(1000, 20);
  double seconds = 0;
  int64_t admitted = 0;
  uint64_t hash = 0;
  for (auto _ : state) {
    World world;
    const std::vector<NodeId> ids = AddQueuesInCohorts(world, queues, 1000);
    base::Random random(1);
    for (int i = 0; i < queues * kPendingPerQueue; ++i)
      world.AddPending(ids[static_cast<size_t>(i % queues)], i, SomeJob(random));
    world.engine.RequeueInadmissible(ids[0]);  // builds the trees
    double total = 0;
    for (int cycle = 0; cycle < kPendingPerQueue; ++cycle) {
      admitted += std::ssize(world.RunCycle(kStart + base::Duration::Seconds(cycle)));
      total += world.last_seconds;
    }
    state.SetIterationTime(total);
    seconds += total;
    hash = world.hash;
  }
  state.counters["us_per_cycle"] =
      seconds * 1e6 / static_cast<double>(state.iterations() * kPendingPerQueue);
  state.counters["admissions/s"] = static_cast<double>(admitted) / seconds;
  ReportHash(state, hash);
}
BENCHMARK(BM_AdmissionCycle)->UseManualTime()->Unit(benchmark::kMillisecond);

// Steady state: as many workloads finish and arrive as are admitted.
void BM_SteadyCycle(benchmark::State& state) {
  const int queues = Size(1000, 20);
  World world;
  const std::vector<NodeId> ids = AddQueuesInCohorts(world, queues, 1000);
  base::Random random(1);
  int next = 0;
  const auto arrive = [&](NodeId queue) { world.AddPending(queue, next++, SomeJob(random)); };
  for (int i = 0; i < queues * kPendingPerQueue; ++i) arrive(ids[static_cast<size_t>(i % queues)]);
  const auto run = [&] {
    std::vector<WorkloadId> admitted;
    for (const Decision& d : world.RunCycle(kStart)) admitted.push_back(d.workload);
    for (const WorkloadId id : admitted) {
      const NodeId queue = world.engine.ClusterQueueOf(id);
      world.engine.Remove(id);
      arrive(queue);
    }
  };
  for (int cycle = 0; cycle < kPendingPerQueue; ++cycle) run();
  uint64_t allocations = 0;
  const uint64_t hash = world.hash;
  for (auto _ : state) {
    run();
    state.SetIterationTime(world.last_seconds);
    allocations += world.last_allocations;
  }
  state.counters["allocations_per_cycle"] =
      benchmark::Counter(static_cast<double>(allocations), benchmark::Counter::kAvgIterations);
  ReportHash(state, hash);
}
BENCHMARK(BM_SteadyCycle)->UseManualTime()->Unit(benchmark::kMicrosecond);

// --- Contention ----------------------------------------------------------------------------------

// Runs the same cycle repeatedly and reverts its changes each time.
class Contest {
 public:
  explicit Contest(EngineOptions options) : world_(std::move(options)) {}

  World& world() { return world_; }
  void AddReserved(NodeId queue, const Job& job) {
    const int number = static_cast<int>(jobs_.size());
    jobs_.push_back(job);
    world_.AddReserved(queue, number, job);
  }

  void Run(benchmark::State& state) {
    for (int i = 0; i < 3; ++i) RunOnce();  // warm-up
    counts_ = {};
    const uint64_t hash = world_.hash;
    for (auto _ : state) {
      RunOnce();
      state.SetIterationTime(world_.last_seconds);
    }
    const auto report = [&](const char* name, uint64_t count) {
      state.counters[name] =
          benchmark::Counter(static_cast<double>(count), benchmark::Counter::kAvgIterations);
    };
    report("admitted", counts_.admitted);
    report("preempting", counts_.preempting);
    report("targets", counts_.targets);
    report("waiting", counts_.waiting);
    report("allocations_per_cycle", counts_.allocations);
    ReportHash(state, hash);
  }

 private:
  struct Counts {
    uint64_t admitted = 0, preempting = 0, targets = 0, waiting = 0, allocations = 0;
  };

  void RunOnce() {
    std::vector<WorkloadId> admitted, targets;
    for (const Decision& d : world_.RunCycle(kStart)) {
      if (d.outcome == Outcome::kAdmitted) admitted.push_back(d.workload);
      const bool is_preempting = d.outcome == Outcome::kPreempting;
      counts_.preempting += is_preempting ? 1 : 0;
      counts_.waiting += is_preempting || d.outcome == Outcome::kAdmitted ? 0 : 1;
      for (const PreemptionTarget& target : d.targets) targets.push_back(target.workload);
    }
    counts_.admitted += admitted.size();
    counts_.targets += targets.size();
    counts_.allocations += world_.last_allocations;
    for (const WorkloadId id : admitted) world_.engine.Undo(id);
    for (const WorkloadId id : targets) Unmark(id);
  }

  // Eviction marks are permanent, so a new workload replaces the preemption target.
  void Unmark(WorkloadId id) {
    const std::string uid = world_.engine.Uid(id);
    const NodeId queue = world_.engine.ClusterQueueOf(id);
    const int number = std::stoi(uid.substr(uid.find('-') + 1));
    world_.engine.Remove(id);
    world_.AddReserved(queue, number, jobs_[static_cast<size_t>(number)]);
  }

  World world_;
  std::vector<Job> jobs_;  // of reserved workloads, by number
  Counts counts_;
};

constexpr Preemption kReclaims{.within_cluster_queue = PreemptionPolicy::kLowerPriority,
                               .reclaim_within_cohort = PreemptionPolicy::kAny};

// One head that needs preemption targets among many reserved workloads of two queues.
void BM_PreemptionCycle(benchmark::State& state) {
  Contest contest({});
  const int candidates = Size(1000, 50);
  const NodeId a = contest.world().AddQueue("a", "co", candidates / 2, kReclaims);
  const NodeId b = contest.world().AddQueue("b", "co", candidates / 2, kReclaims);
  for (int i = 0; i < candidates; ++i)
    contest.AddReserved(i % 4 == 0 ? a : b, {.amount = 1, .priority = i % 7});
  contest.world().AddPending(a, 0, {.amount = 20, .priority = 10});
  contest.Run(state);
}
BENCHMARK(BM_PreemptionCycle)->UseManualTime()->Unit(benchmark::kMicrosecond);

// Fair sharing among a hundred queues in a nearly full tree of depth 3. A third of the queues lent
// their quota and reclaim it, a third borrow and request more, the rest request their nominal
// quota. Most heads must preempt, and many targets overlap.
void BM_FairSharingCycle(benchmark::State& state) {
  Contest contest({.fair_sharing = true});
  World& world = contest.world();
  const int queues = Size(100, 12);
  for (int c = 0; c < 3; ++c)
    world.engine.SetCohort({.name = "mid" + std::to_string(c), .parent = "root"});
  for (int c = 0; c < 10; ++c)
    world.engine.SetCohort(
        {.name = "team" + std::to_string(c), .parent = "mid" + std::to_string(c % 3)});
  base::Random random(3);
  int64_t is_free = 0;
  for (int q = 0; q < queues; ++q) {
    const bool lends = q % 3 == 0, borrows = q % 3 == 1;
    const NodeId queue =
        world.AddQueue("q" + std::to_string(q), "team" + std::to_string(q % 10), 20, kReclaims);
    const int held = lends ? 2 : borrows ? 21 : 7;
    for (int i = 0; i < held; ++i)
      contest.AddReserved(queue, {.amount = 2, .priority = random.Between(0, 2)});
    is_free += 20 - 2 * held;
    if (q == queues - 1) contest.AddReserved(queue, {.amount = is_free - 6});
    const int64_t amount = lends                   ? random.Between(8, 16)
                           : borrows && q % 2 != 0 ? random.Between(8, 12)
                           : borrows               ? random.Between(1, 3)
                                                   : random.Between(3, 6);
    world.AddPending(
        queue, q,
        {.amount = amount, .priority = random.Between(0, 3), .key = static_cast<uint64_t>(q)});
  }
  contest.Run(state);
}
BENCHMARK(BM_FairSharingCycle)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace berth::engine

// Cycles whose heads are placed on nodes: a thousand heads that fit, and one head that needs
// preemption targets among the pods of a full cluster.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using berth::testing::Size;
using testing::kStart;
using testing::ReportHash;
using testing::World;

constexpr int64_t kCpusOfNode = 8;
constexpr int kNodesOfRack = 32;

EngineOptions WithTopology() {
  EngineOptions options;
  options.topology = true;
  return options;
}

std::string Host(int node) { return "node-" + std::to_string(node); }

// Zones of 8,192 nodes, blocks of 512, racks of 32.
class PlacedWorld {
 public:
  explicit PlacedWorld(int nodes, EngineOptions options = WithTopology())
      : world(std::move(options)) {
    world.engine.SetTopology(
        {.name = "t", .levels = {"zone", "block", "rack", std::string(kHostnameLevel)}});
    world.engine.SetTopologyFlavor({.flavor = world.flavor, .topology = "t", .node_labels = {}});
    for (int i = 0; i < nodes; ++i)
      world.engine.SetNode({.name = Host(i),
                            .labels = {{"block", "b" + std::to_string(i / 512)},
                                       {std::string(kHostnameLevel), Host(i)},
                                       {"rack", "r" + std::to_string(i / kNodesOfRack)},
                                       {"zone", "z" + std::to_string(i / 8192)}},
                            .allocatable = {{world.cpu, kCpusOfNode},
                                            {world.memory, kCpusOfNode},
                                            {world.engine.Resource("pods"), 110}}});
  }

  // Pods of two cpus and as much memory, all in one domain of the level.
  WorkloadId AddPending(NodeId queue, int number, int32_t pods, const std::string& level,
                        int64_t priority = 0) {
    return world.engine.AddPending(
        {.uid = "workload-" + std::to_string(number),
         .local_queue = world.local_queue,
         .cluster_queue = queue,
         .queue_order_time = kStart + base::Duration::Seconds(number),
         .shape = {.pod_sets = {{.count = pods,
                                 .full_count = pods,
                                 .requests = {{world.cpu, 2 * pods}, {world.memory, 2 * pods}}}},
                   .priority = priority,
                   .key = {1, static_cast<uint64_t>(number)}},
         .topology = Topology(level)},
        kStart);
  }

  // Four pods of two cpus, which fill a node, on each of some nodes in a row.
  WorkloadId AddReserved(NodeId queue, int number, int first_node, int nodes) {
    PodSetAssignment pods{.count = 4 * nodes,
                          .resources = {{world.cpu, world.flavor, kCpusOfNode * nodes},
                                        {world.memory, world.flavor, kCpusOfNode * nodes}}};
    for (int i = first_node; i < first_node + nodes; ++i) {
      const std::string host = Host(i);
      pods.domains.push_back({world.engine.DomainPath({&host, 1}), 4});
    }
    return world.engine.AddReserved({.uid = "reserved-" + std::to_string(number),
                                     .local_queue = world.local_queue,
                                     .cluster_queue = queue,
                                     .queue_order_time = kStart,
                                     .reserved_at = kStart + base::Duration::Seconds(number),
                                     .pod_sets = {pods},
                                     .topology = Topology("rack")});
  }

  World world;

 private:
  WorkloadTopology Topology(const std::string& level) const {
    return {.pod_sets = {{.kind = TopologyKind::kRequired,
                          .level = level,
                          .slices = {},
                          .per_pod = {{world.cpu, 2}, {world.memory, 2}}}}};
  }
};

// A thousand heads of ten pods each, in a rack each.
void BM_TopologyCycle(benchmark::State& state) {
  const int nodes = IsTinyBenchmark() ? 100 : static_cast<int>(state.range(0));
  PlacedWorld placed(nodes);
  World& world = placed.world;
  const int heads = std::min(1000, nodes * static_cast<int>(kCpusOfNode) / 20);
  for (int i = 0; i < heads; ++i) {
    const NodeId queue =
        world.AddQueue("q" + std::to_string(i), "co" + std::to_string(i % 10), 100);
    placed.AddPending(queue, i, 10, "rack");
  }
  size_t admitted = 0;
  const auto run = [&] {
    std::vector<WorkloadId> ids;
    for (const Decision& decision : world.RunCycle(kStart))
      if (decision.outcome == Outcome::kAdmitted) ids.push_back(decision.workload);
    admitted = ids.size();
    for (const WorkloadId id : ids) world.engine.Undo(id);
  };
  run();
  const uint64_t hash = world.hash;
  for (auto _ : state) {
    run();
    state.SetIterationTime(world.last_seconds);
  }
  state.counters["admitted"] = static_cast<double>(admitted);
  ReportHash(state, hash);
}
BENCHMARK(BM_TopologyCycle)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(5'000)
    ->Arg(10'000)
    ->Arg(100'000);

// One head in a full cluster of 2,000 nodes with 700 workloads of lower priority. It must share one
// domain of the level, and takes that many of its nodes.
void PreemptOnNodes(benchmark::State& state, const std::string& level, int nodes_of_head,
                    bool takes_fewest = false) {
  const int workloads = Size(700, 20);
  constexpr int kNodesOfWorkload = 3;
  const int nodes = workloads * kNodesOfWorkload;
  EngineOptions options = WithTopology();
  options.tas_preempt_fewest_in_domain = takes_fewest;
  PlacedWorld placed(nodes, options);
  World& world = placed.world;
  const NodeId queue = world.AddQueue("q", "co", kCpusOfNode * nodes,
                                      {.within_cluster_queue = PreemptionPolicy::kLowerPriority});
  int number = 0;
  for (; number < workloads; ++number)
    placed.AddReserved(queue, number, number * kNodesOfWorkload, kNodesOfWorkload);
  placed.AddPending(queue, 0, 4 * std::min(nodes_of_head, nodes / 4), level, 10);
  std::vector<std::pair<WorkloadId, int>> targets;
  const auto run = [&] {
    targets.clear();
    for (const Decision& decision : world.RunCycle(kStart))
      for (const PreemptionTarget& target : decision.targets)
        targets.emplace_back(target.workload, 0);
    // Eviction marks are permanent, so a new workload replaces the preemption target.
    for (auto& [id, first_node] : targets) {
      const auto pods = world.engine.AssignmentOf(id);
      const std::string host = world.engine.DomainValues(pods[0].domains[0].path).back();
      first_node = std::stoi(host.substr(host.find('-') + 1));
      world.engine.Remove(id);
      placed.AddReserved(queue, first_node / kNodesOfWorkload, first_node, kNodesOfWorkload);
    }
  };
  run();
  const uint64_t hash = world.hash;
  for (auto _ : state) {
    run();
    state.SetIterationTime(world.last_seconds);
  }
  state.counters["targets"] = static_cast<double>(targets.size());
  ReportHash(state, hash);
}
void BM_TopologyPreemptionInARack(benchmark::State& state) { PreemptOnNodes(state, "rack", 32); }
void BM_TopologyPreemptionInABlock(benchmark::State& state) { PreemptOnNodes(state, "block", 500); }
void BM_TopologyFewestPreemptedInARack(benchmark::State& state) {
  PreemptOnNodes(state, "rack", 32, true);
}
void BM_TopologyFewestPreemptedInABlock(benchmark::State& state) {
  PreemptOnNodes(state, "block", 500, true);
}
BENCHMARK(BM_TopologyPreemptionInARack)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TopologyPreemptionInABlock)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TopologyFewestPreemptedInARack)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TopologyFewestPreemptedInABlock)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::engine

// Placements and node events in large clusters: 60,000 nodes in four levels.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/testing/topology_world.h"
#include "engine/topology/placement.h"
#include "engine/topology/topologies.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using testing::kCpu;
using testing::kFlavor;
using testing::kPods;

constexpr size_t kZone = 0, kBlock = 1, kRack = 2, kHost = 3;
constexpr NodeMatchId kMatch(0);

// Zones of 8,192 nodes, blocks of 512, racks of 32. Every seventh node does not match.
class BigCluster {
 public:
  explicit BigCluster(int nodes) : topologies(kPods, true) {
    topologies.SetTopology(
        {.name = "t", .levels = {"zone", "block", "rack", std::string(kHostnameLevel)}});
    topologies.SetFlavor({.flavor = kFlavor, .topology = "t", .node_labels = {}});
    topologies.SetMatcher([](NodeMatchId, FlavorId, ClusterNodeId node) {
      return NodeMatch{.why = node.value() % 7 == 0 ? NodeExclusion::kTaint : NodeExclusion::kNone};
    });
    for (int i = 0; i < nodes; ++i) topologies.SetNode(Node(i));
  }

  static ClusterNodeSpec Node(int i) {
    return {.name = "node-" + std::to_string(i),
            .labels = {{"block", "b" + std::to_string(i / 512)},
                       {std::string(kHostnameLevel), "node-" + std::to_string(i)},
                       {"rack", "r" + std::to_string(i / 32)},
                       {"zone", "z" + std::to_string(i / 8192)}},
            .allocatable = {{kCpu, 8 + i % 5}, {kPods, 110}}};
  }

  PlacementRequest Request(TopologyKind kind, size_t level, int32_t count) const {
    return {.flavor = kFlavor,
            .kind = kind,
            .count = count,
            .level = level,
            .slice_level = kHost,
            .inner_sizes = {},
            .worker = {{kPodsColumn, 1}, {topologies.ColumnOf(kCpu), 2}},
            .leader = {},
            .match = kMatch,
            .takes_least_free = kind == TopologyKind::kUnconstrained,
            .assumed = {}};
  }

  void Find(const PlacementRequest& request, Placement& out) {
    search.Find(topologies, request, out);
  }

  Topologies topologies;
  PlacementSearch search;
};

int Nodes(const benchmark::State& state) {
  return IsTinyBenchmark() ? 100 : static_cast<int>(state.range(0));
}
void FromHundredToAHundredThousand(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(10)->Range(100, 100'000)->Arg(60'000);
}

void Run(benchmark::State& state, TopologyKind kind, size_t level) {
  BigCluster cluster(Nodes(state));
  const int32_t count = std::min(1000, Nodes(state));
  const PlacementRequest request = cluster.Request(kind, level, count);
  Placement placement;
  for (auto _ : state) {
    cluster.Find(request, placement);
    benchmark::DoNotOptimize(placement);
  }
  state.counters["domains"] = static_cast<double>(placement.workers.size());
}

void BM_PlaceRequired(benchmark::State& state) { Run(state, TopologyKind::kRequired, kBlock); }
void BM_PlacePreferred(benchmark::State& state) { Run(state, TopologyKind::kPreferred, kRack); }
void BM_PlaceUnconstrained(benchmark::State& state) {
  Run(state, TopologyKind::kUnconstrained, kHost);
}
BENCHMARK(BM_PlaceRequired)->Apply(FromHundredToAHundredThousand);
BENCHMARK(BM_PlacePreferred)->Apply(FromHundredToAHundredThousand);
BENCHMARK(BM_PlaceUnconstrained)->Apply(FromHundredToAHundredThousand);

// Pods of a request that was not placed before: every node is counted.
void BM_PlaceNewRequest(benchmark::State& state) {
  BigCluster cluster(Nodes(state));
  PlacementRequest request =
      cluster.Request(TopologyKind::kRequired, kBlock, std::min(1000, Nodes(state)));
  Placement placement;
  int64_t number = 0;
  for (auto _ : state) {
    request.leader = {{kPodsColumn, ++number}};  // without a leader, distinguishes requests alone
    cluster.Find(request, placement);
    benchmark::DoNotOptimize(placement);
  }
}
BENCHMARK(BM_PlaceNewRequest)->Apply(FromHundredToAHundredThousand);

// A node becomes unusable or returns, and its match is asked for.
void BM_NodeEvent(benchmark::State& state) {
  const int nodes = Nodes(state);
  BigCluster cluster(nodes);
  cluster.topologies.MatchesOf(kFlavor, kMatch);
  int next = 0;
  for (auto _ : state) {
    ClusterNodeSpec node = BigCluster::Node(next / 2 % nodes);
    node.is_usable = next++ % 2 != 0;
    cluster.topologies.SetNode(node);
    const NodeMatchCache::Row* matches = cluster.topologies.MatchesOf(kFlavor, kMatch);
    benchmark::DoNotOptimize(matches);
  }
}
BENCHMARK(BM_NodeEvent)->Apply(FromHundredToAHundredThousand);

// The oldest node is replaced by one with a new name, as often as there are nodes before the
// placements that are measured: they do not see the nodes that are gone.
void BM_PlaceAfterChurn(benchmark::State& state) {
  const int nodes = Nodes(state);
  BigCluster cluster(nodes);
  for (int i = 0; i < 5 * nodes; ++i) {
    cluster.topologies.RemoveNode(BigCluster::Node(i).name);
    cluster.topologies.SetNode(BigCluster::Node(i + nodes));
  }
  PlacementRequest request = cluster.Request(TopologyKind::kRequired, kBlock, std::min(500, nodes));
  Placement placement;
  int64_t number = 0;
  for (auto _ : state) {
    request.leader = {{kPodsColumn, ++number}};
    cluster.Find(request, placement);
    benchmark::DoNotOptimize(placement);
  }
  state.counters["leaves"] = static_cast<double>(cluster.topologies.Find(kFlavor)->leaf_count());
}
BENCHMARK(BM_PlaceAfterChurn)->Apply(FromHundredToAHundredThousand);

// Large vectors are mapped on their own.
size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void BM_BytesPerNode(benchmark::State& state) {
  const int nodes = Nodes(state);
  for (auto _ : state) {
    const size_t before = BytesInUse();
    const auto cluster = std::make_unique<BigCluster>(nodes);
    state.counters["bytes_per_node"] = static_cast<double>(BytesInUse() - before) / nodes;
  }
}
BENCHMARK(BM_BytesPerNode)->Apply(FromHundredToAHundredThousand)->Iterations(1);

}  // namespace
}  // namespace berth::engine

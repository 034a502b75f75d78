#include <benchmark/benchmark.h>

#include "workload/flavor_match.h"

namespace berth::workload {
namespace {

// A pod with a selector, an affinity and a toleration against a flavor with labels and a taint.
void BM_MatchFlavor(benchmark::State& state) {
  api::ResourceFlavorSpec flavor;
  flavor.node_labels = {{"zone", "a"}, {"pool", "spot"}};
  flavor.node_taints.push_back({.key = "spot", .value = "true", .effect = "NoSchedule"});
  const FlavorMatcher matcher(flavor);
  api::PodSpec pod;
  pod.node_selector.Set("zone", "a");
  pod.tolerations.push_back({.key = "spot", .op = "Exists"});
  pod.affinity.emplace()
      .node_affinity.emplace()
      .required_during_scheduling_ignored_during_execution.emplace()
      .node_selector_terms.emplace_back()
      .match_expressions.push_back({.key = "pool", .op = "In", .values = {"reserved", "spot"}});
  for (auto _ : state) benchmark::DoNotOptimize(matcher.Match(pod));
}
BENCHMARK(BM_MatchFlavor);

}  // namespace
}  // namespace berth::workload

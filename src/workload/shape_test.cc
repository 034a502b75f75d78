#include "workload/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Amounts;
using testing::Pod;
using testing::PodSetOf;

struct Sample {
  ShapeParts parts;
  std::vector<api::PodSet> pod_sets = {PodSetOf("main", 2, Pod(R"({
      "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}},
                     "ports":[{"containerPort":80}]}],
      "tolerations":[{"key":"a","operator":"Exists"}]})"))};
  std::vector<PodSetTotals> totals = {{"main", 2, {{"cpu", 2000}}}};

  api::PodSpec& pod() { return pod_sets[0].template_.spec; }
  Shape Take() {
    parts.pod_sets = pod_sets;
    parts.totals = totals;
    return ShapeOf(parts);
  }
};

using Change = std::function<void(Sample&)>;

Shape ShapeAfter(const Change& change) {
  Sample sample;
  change(sample);
  return sample.Take();
}

TEST(Shape, IsTheSameForTheSameParts) { EXPECT_EQ(Sample().Take(), Sample().Take()); }

// Nothing but zeros: SHA-1 of 27 of them, from another implementation.
TEST(Shape, IsTheSameOnEveryMachine) {
  EXPECT_EQ(ShapeOf({}), (Shape{0xb8b17ad613463c3c, 0x9a1fe928819fb30c}));
}

TEST(Shape, ChangesWithEveryPartThatDecides) {
  const std::pair<const char*, Change> changes[] = {
      {"priority", [](Sample& s) { s.parts.priority = 1; }},
      {"cannot preempt", [](Sample& s) { s.parts.cannot_preempt = true; }},
      {"cannot borrow", [](Sample& s) { s.parts.cannot_borrow = true; }},
      {"allowed flavors", [](Sample& s) { s.parts.allowed_flavors = ""; }},
      {"name", [](Sample& s) { s.pod_sets[0].name = "other"; }},
      {"count", [](Sample& s) { s.totals[0].count = 3; }},
      {"total requests", [](Sample& s) { s.totals[0].requests.Set("cpu", 1); }},
      {"min count", [](Sample& s) { s.pod_sets[0].min_count = 1; }},
      {"topology", [](Sample& s) { s.pod_sets[0].topology_request.emplace().required = "rack"; }},
      {"container requests",
       [](Sample& s) { s.pod().containers[0].resources.requests = Amounts({{"cpu", "1500m"}}); }},
      {"ports", [](Sample& s) { s.pod().containers[0].ports[0].host_port = 80; }},
      {"init containers", [](Sample& s) { s.pod().init_containers.emplace_back(); }},
      {"node selector", [](Sample& s) { s.pod().node_selector.Set("a", "b"); }},
      {"affinity", [](Sample& s) { s.pod().affinity.emplace(); }},
      {"tolerations", [](Sample& s) { s.pod().tolerations[0].toleration_seconds = 5; }},
      {"runtime class", [](Sample& s) { s.pod().runtime_class_name = "kata"; }},
      {"pod priority", [](Sample& s) { s.pod().priority = 0; }},
      {"spread constraints",
       [](Sample& s) { s.pod().topology_spread_constraints.emplace_back().max_skew = 1; }},
      {"overhead", [](Sample& s) { s.pod().overhead = Amounts({{"cpu", "1"}}); }},
      {"resource claims", [](Sample& s) { s.pod().resource_claims.emplace_back().name = "g"; }},
      {"pod requests", [](Sample& s) { s.pod().resources.emplace(); }},
  };
  std::vector<Shape> seen = {Sample().Take()};
  for (const auto& [what, change] : changes) {
    const Shape shape = ShapeAfter(change);
    EXPECT_EQ(std::ranges::find(seen, shape), seen.end()) << what;
    seen.push_back(shape);
  }
}

TEST(Shape, IgnoresWhatDoesNotDecide) {
  const std::pair<const char*, Change> changes[] = {
      {"container name", [](Sample& s) { s.pod().containers[0].name = "other"; }},
      {"image", [](Sample& s) { s.pod().containers[0].image = "other"; }},
      {"environment", [](Sample& s) { s.pod().containers[0].env.emplace_back(); }},
      {"limits",
       [](Sample& s) { s.pod().containers[0].resources.limits = Amounts({{"cpu", "9"}}); }},
      {"labels", [](Sample& s) { s.pod_sets[0].template_.metadata.labels.Set("a", "b"); }},
      {"count before reclaim", [](Sample& s) { s.pod_sets[0].count = 7; }},
      {"restart policy", [](Sample& s) { s.pod().restart_policy = "Never"; }},
      {"scheduler", [](Sample& s) { s.pod().scheduler_name = "other"; }},
  };
  for (const auto& [what, change] : changes) EXPECT_EQ(ShapeAfter(change), Sample().Take()) << what;
}

TEST(Shape, IgnoresTheOrderInWhichAffinityIsWritten) {
  const auto with = [](std::string_view terms) {
    return ShapeAfter([&](Sample& sample) {
      sample.pod() = Pod(R"({"containers":[],"affinity":{)" + std::string(terms) + "}}");
    });
  };
  const std::string_view term =
      R"("podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)";
  EXPECT_EQ(with(std::string(term) + R"({"topologyKey":"a","namespaces":["x"]}]})"),
            with(std::string(term) + R"({"namespaces":["x"],"topologyKey":"a"}]})"));
  EXPECT_NE(with(std::string(term) + R"({"topologyKey":"a"}]})"),
            with(std::string(term) + R"({"topologyKey":"b"}]})"));
}

// Lengths precede texts, so that a boundary cannot move.
TEST(ShapeBytes, KeepNeighbouringTextsApart) {
  const auto with = [](std::string_view key, std::string_view value) {
    Sample sample;
    sample.pod().node_selector.Set(key, std::string(value));
    sample.parts.pod_sets = sample.pod_sets;
    return ShapeBytes(sample.parts);
  };
  EXPECT_NE(with("ab", "c"), with("a", "bc"));
}

}  // namespace
}  // namespace berth::workload

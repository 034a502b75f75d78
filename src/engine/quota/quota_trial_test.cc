#include "engine/quota/quota_trial.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace berth::engine {
namespace {

constexpr const char* kQueues[] = {"a", "b", "c", "d"};
constexpr const char* kParents[] = {"left", "left", "right", "root"};

// Four queues below a root with two cohorts; two flavors of one resource. Equal quotas and usage
// give an equal forest.
struct World {
  std::map<std::string, std::vector<Quota>> quotas;  // by node: one per flavor
  std::map<std::string, std::vector<int64_t>> usage;

  QuotaForest Build() const {
    QuotaForest forest;
    const auto groups = [&](const std::string& name) -> std::vector<ResourceGroup> {
      const std::vector<Quota>& q = quotas.at(name);
      return {{.resources = {forest.Resource("cpu")},
               .flavors = {{.flavor = forest.Flavor("f0"), .quotas = {q[0]}},
                           {.flavor = forest.Flavor("f1"), .quotas = {q[1]}}}}};
    };
    for (const char* cohort : {"left", "right"})
      forest.SetCohort({.name = cohort, .parent = "root", .groups = groups(cohort)});
    std::vector<QueueUsage> used;
    for (size_t i = 0; i < std::size(kQueues); ++i) {
      const NodeId queue = forest.SetQueue(
          {.name = kQueues[i], .cohort = kParents[i], .groups = groups(kQueues[i])});
      for (const char* flavor : {"f0", "f1"})
        used.push_back({queue, forest.FlavorResource(forest.Flavor(flavor), forest.Resource("cpu")),
                        Amount(usage.at(kQueues[i])[flavor[1] - '0'])});
    }
    forest.Rebuild(used);
    return forest;
  }
};

World RandomWorld(base::Random& random) {
  const auto limit = [&] {
    return random.Below(2) == 0 ? Amount::Unlimited()
                                : Amount(static_cast<int64_t>(random.Below(8)));
  };
  World world;
  for (const char* name : {"a", "b", "c", "d", "left", "right"}) {
    for (int flavor = 0; flavor < 2; ++flavor) {
      world.quotas[name].push_back({.nominal = Amount(static_cast<int64_t>(random.Below(10))),
                                    .borrowing_limit = limit(),
                                    .lending_limit = limit()});
      world.usage[name].push_back(static_cast<int64_t>(random.Below(8)));
    }
  }
  return world;
}

std::string Dump(const QuotaForest& forest) {
  std::string out;
  for (const NodeId id : NodesOfTree(forest, forest.FindQueue("a"))) {
    out += forest.node(id).name;
    for (ColumnIndex c = 0; c < 2; ++c) {
      const Cell& cell = forest.cell(id, c);
      for (const Amount amount : {cell.nominal, cell.borrowing_limit, cell.lending_limit,
                                  cell.local_quota, cell.subtree_quota, cell.potential, cell.usage,
                                  forest.Available(id, c), forest.Lendable(id, c)})
        out += " " + ToString(amount);
    }
    out += "\n";
  }
  return out;
}

TEST(QuotaTrial, MatchesARebuildWithTheSameQuota) {
  base::Random random(7);
  for (int run = 0; run < 300; ++run) {
    World world = RandomWorld(random);
    QuotaForest forest = world.Build();
    const std::string before = Dump(forest);
    const std::string name =
        std::vector<std::string>{"a", "b", "c", "d", "left", "right"}[random.Below(6)];
    const size_t flavor = random.Below(2);
    const Quota changed = RandomWorld(random).quotas["a"][0];
    world.quotas[name][flavor] = changed;
    const NodeId node = name.size() == 1 ? forest.FindQueue(name) : forest.FindCohort(name);
    {
      QuotaTrial trial(forest);
      trial.Set(node, static_cast<ColumnIndex>(flavor), changed);
      ASSERT_EQ(Dump(forest), Dump(world.Build())) << "run " << run;
    }
    ASSERT_EQ(Dump(forest), before) << "run " << run;
  }
}

TEST(QuotaTrial, NestsAndHoldsTrialsOfUsage) {
  base::Random random(8);
  QuotaForest forest = RandomWorld(random).Build();
  const NodeId a = forest.FindQueue("a");
  const std::string before = Dump(forest);
  {
    UsageTrial around(forest);
    forest.AddUsage(a, 0, Amount(3));
    const std::string used = Dump(forest);
    {
      QuotaTrial outer(forest);
      outer.Set(a, 0, {.nominal = Amount(50)});
      QuotaTrial inner(forest);
      inner.Set(a, 0, {.nominal = Amount(70), .lending_limit = Amount(1)});
      UsageTrial usage(forest);
      forest.AddUsage(a, 0, Amount(60));
    }
    EXPECT_EQ(Dump(forest), used);
  }
  EXPECT_EQ(Dump(forest), before);
}

}  // namespace
}  // namespace berth::engine

#include "simulate/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/strongly_connected.h"
#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::QueueYaml;
using ::testing::SizeIs;
using testing::SmallWorld;

Warnings InspectPlayed(const Input& input, WorldOptions options = {},
                       base::Duration age = base::Duration::Seconds(86400)) {
  return Inspect(input, options, Play(input, options), {.starvation_age = age});
}

TEST(Circles, AreFoundHoweverLong) {
  using Edges = std::vector<std::pair<uint32_t, uint32_t>>;
  EXPECT_THAT(StronglyConnected(3, Edges{{0, 1}, {1, 2}}),
              ElementsAre(kNoComponent, kNoComponent, kNoComponent));
  EXPECT_THAT(StronglyConnected(4, Edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}}),
              ElementsAre(0, 0, 0, kNoComponent));
  EXPECT_THAT(StronglyConnected(4, Edges{{0, 1}, {1, 0}, {2, 3}, {3, 2}}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(StronglyConnected(1, Edges{{0, 0}}), ElementsAre(kNoComponent));
}

TEST(Circles, DoNotNeedAStackAsDeepAsTheyAreLong) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  constexpr uint32_t kCount = 300'000;
  for (uint32_t i = 0; i < kCount; ++i) edges.emplace_back(i, (i + 1) % kCount);
  EXPECT_EQ(StronglyConnected(kCount, edges).back(), 0u);
}

TEST(Guard, FindsJobsThatEvictEachOther) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  for (int i = 0; i < 3; ++i) world.Add({});
  Result result = Play(world.input(), {});
  result.preemptions = {{.by = 0, .target = 1}, {.by = 1, .target = 0}, {.by = 0, .target = 2}};
  const Warnings warnings = Inspect(world.input(), {}, result, {});
  ASSERT_THAT(warnings.loops, SizeIs(1));
  EXPECT_THAT(warnings.loops[0].jobs, ElementsAre(0, 1));
  EXPECT_EQ(warnings.loops[0].preemptions, 2u);
}

TEST(Guard, FindsJobsThatWaitTooLong) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.at = 0, .cpu = 4, .seconds = 1000});
  const uint32_t second = world.Add({.at = 1, .cpu = 4, .seconds = 10});
  EXPECT_THAT(InspectPlayed(world.input()).starved, IsEmpty());
  const Warnings warnings = InspectPlayed(world.input(), {}, base::Duration::Seconds(500));
  ASSERT_THAT(warnings.starved, SizeIs(1));
  EXPECT_EQ(warnings.starved[0].queue, "q");
  EXPECT_EQ(warnings.starved[0].oldest, second);
}

TEST(Guard, FindsJobsThatCanNeverStart) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.at = 0, .cpu = 4});
  const uint32_t large = world.Add({.at = 0, .cpu = 5});
  const uint32_t lost = world.Add({.queue = "nowhere", .at = 0});
  EXPECT_THAT(InspectPlayed(world.input()).infeasible, ElementsAre(large, lost));
}

TEST(Guard, FindsQuotaThatNobodyCanUse) {
  SmallWorld world(QueueYaml({.name = "a", .cohort = "x", .cpu = 4}) +
                   QueueYaml({.name = "b", .cohort = "x", .cpu = 4}) +
                   QueueYaml({.name = "c", .cpu = 4}));
  world.Add({.queue = "a"});
  const Warnings warnings = InspectPlayed(world.input());
  ASSERT_THAT(warnings.unusable, SizeIs(1));  // a can borrow what b has
  EXPECT_EQ(warnings.unusable[0].queue, "c");
  EXPECT_EQ(warnings.unusable[0].nominal, 4);
}

TEST(Guard, NamesQueuesThatAdmitNothing) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4, .stop = "Hold"}));
  world.Add({});
  EXPECT_THAT(InspectPlayed(world.input()).inactive, SizeIs(1));
}

}  // namespace
}  // namespace berth::simulate

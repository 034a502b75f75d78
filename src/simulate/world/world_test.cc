// Time, preemption, readiness, edits and usage in the virtual world.

#include "simulate/world/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using testing::At;
using testing::EditAt;
using testing::QueueYaml;
using testing::SmallWorld;

constexpr base::Duration kSecond = base::Duration::Seconds(1);

WorldOptions Exact() {
  WorldOptions options;
  options.cycle_time = base::Duration{};
  return options;
}

TEST(SimulatedTime, AJobStartsWhenItArrivesIfThereIsRoom) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t job = world.Add({.at = 5, .cpu = 3, .seconds = 10});
  const Result result = Play(world.input(), Exact());
  EXPECT_EQ(result.jobs[job].first_start, At(5));
  EXPECT_EQ(result.jobs[job].end, At(15));
  EXPECT_EQ(result.end, At(15));
  EXPECT_TRUE(result.is_complete);
}

TEST(SimulatedTime, AJobWaitsUntilAnotherEnds) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.at = 0, .cpu = 3, .seconds = 10});
  const uint32_t second = world.Add({.at = 1, .cpu = 3, .seconds = 10});
  const Result result = Play(world.input(), Exact());
  EXPECT_EQ(result.jobs[second].first_start, At(10));
  EXPECT_EQ(WaitOf(result.jobs[second], result.end), base::Duration::Seconds(9));
}

TEST(SimulatedTime, WhoCannotEverStartWaitsUntilTheEnd) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t large = world.Add({.at = 0, .cpu = 5, .seconds = 1});
  world.Add({.at = 1, .cpu = 1, .seconds = 9});
  const Result result = Play(world.input(), Exact());
  EXPECT_EQ(result.jobs[large].state, JobState::kPending);
  EXPECT_EQ(WaitOf(result.jobs[large], result.end), base::Duration::Seconds(10));
}

TEST(SimulatedTime, RoundsAreNotCloserThanTheCycleTime) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.at = 0, .cpu = 1, .seconds = 100});
  const uint32_t second = world.Add({.at = 1, .cpu = 1, .seconds = 100});
  WorldOptions options;
  options.cycle_time = base::Duration::Seconds(3);
  EXPECT_EQ(Play(world.input(), options).jobs[second].first_start, At(3));
}

TEST(SimulatedTime, StopsAtTheGivenMoment) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t job = world.Add({.at = 5, .cpu = 3, .seconds = 10});
  WorldOptions options = Exact();
  options.until = base::Duration::Seconds(7);
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].state, JobState::kRunning);
  EXPECT_EQ(result.end, At(7));
  EXPECT_FALSE(result.is_complete);
}

TEST(SimulatedPreemption, TheTargetBeginsAnew) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4, .within = "LowerPriority"}));
  const uint32_t low = world.Add({.at = 0, .cpu = 3, .seconds = 10});
  const uint32_t high = world.Add({.at = 4, .cpu = 3, .seconds = 10, .priority = 9});
  WorldOptions options = Exact();
  options.stop_time = kSecond;
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[high].first_start, At(5));
  EXPECT_EQ(result.jobs[low].preemptions, 1u);
  EXPECT_EQ(result.jobs[low].starts, 2u);
  EXPECT_EQ(result.jobs[low].end, At(25));
  ASSERT_EQ(result.preemptions.size(), 1u);
  EXPECT_EQ(result.preemptions[0].by, high);
}

TEST(SimulatedReadiness, WhoIsNotReadyInTimeComesBackLaterAndGivesUp) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.input().configuration.wait_for_pods_ready.emplace();
  world.input().configuration.wait_for_pods_ready->timeout = base::Duration::Seconds(5);
  auto& strategy = world.input().configuration.wait_for_pods_ready->requeuing_strategy.emplace();
  strategy.backoff_base_seconds = 10;
  strategy.backoff_limit_count = 1;
  const uint32_t job = world.Add({.at = 0, .cpu = 1, .seconds = 1});
  WorldOptions options = Exact();
  options.ready_after = Distribution::Fixed(base::Duration::Seconds(60));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].state, JobState::kDeactivated);
  EXPECT_EQ(result.jobs[job].starts, 2u);
  EXPECT_EQ(result.jobs[job].other_evictions, 2u);
  EXPECT_EQ(result.end.seconds(), At(20).seconds());  // 5 s, back-off of 10 s, 5 s
}

TEST(SimulatedReadiness, RunTimeBeginsWhenPodsAreReady) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t job = world.Add({.at = 0, .cpu = 1, .seconds = 10});
  WorldOptions options = Exact();
  options.ready_after = Distribution::Fixed(base::Duration::Seconds(3));
  EXPECT_EQ(Play(world.input(), options).jobs[job].end, At(13));
}

TEST(SimulatedEdits, MoreQuotaStartsWhoWaits) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t job = world.Add({.at = 0, .cpu = 6, .seconds = 1});
  WorldOptions options = Exact();
  options.edits.push_back(EditAt(30, QueueYaml({.name = "q", .cpu = 8})));
  EXPECT_EQ(Play(world.input(), options).jobs[job].first_start, At(30));
}

TEST(SimulatedEdits, AQueueThatIsDrainedEvictsAndLetsNobodyBack) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  const uint32_t job = world.Add({.at = 0, .cpu = 1, .seconds = 100});
  WorldOptions options = Exact();
  options.edits.push_back(EditAt(30, QueueYaml({.name = "q", .cpu = 4, .stop = "HoldAndDrain"})));
  options.edits.push_back(EditAt(60, QueueYaml({.name = "q", .cpu = 4})));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].other_evictions, 1u);
  EXPECT_EQ(result.jobs[job].end, At(160));
}

// Queues that edits add: counts, trees and meters grow.
TEST(SimulatedEdits, AQueueThatComesIntoBeingTakesWhoWaitedForIt) {
  SmallWorld world(QueueYaml({.name = "q", .cohort = "team", .cpu = 4}));
  const uint32_t early = world.Add({.queue = "late", .at = 0, .cpu = 3, .seconds = 10});
  const uint32_t later = world.Add({.queue = "later", .at = 40, .cpu = 2, .seconds = 10});
  const uint32_t again = world.Add({.queue = "late", .at = 50, .cpu = 6, .seconds = 10});
  WorldOptions options = Exact();
  options.keeps_samples = true;
  options.edits.push_back(EditAt(30, QueueYaml({.name = "late", .cohort = "team", .cpu = 4})));
  options.edits.push_back(EditAt(60, QueueYaml({.name = "later", .cohort = "new", .cpu = 4})));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[early].first_start, At(30));
  EXPECT_EQ(result.jobs[later].first_start, At(60));
  EXPECT_EQ(result.jobs[again].first_start, At(50));  // with what q lends
  EXPECT_TRUE(result.is_complete);
  ASSERT_EQ(result.queues.size(), 3u);
  EXPECT_EQ(result.queues[0].name, "late");  // by name
  EXPECT_DOUBLE_EQ(result.queues[0].usage[0].peak, 6);
}

TEST(SimulatedUsage, IsAMeanOverTime) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.at = 0, .cpu = 4, .seconds = 10});
  world.Add({.at = 20, .cpu = 2, .seconds = 20});
  const Result result = Play(world.input(), Exact());
  const UsageOutcome& usage = result.queues[0].usage[0];
  EXPECT_EQ(usage.flavor, "default");
  EXPECT_EQ(usage.resource, "cpu");
  EXPECT_DOUBLE_EQ(usage.used, 2);  // (4 * 10 + 2 * 20) / 40
  EXPECT_DOUBLE_EQ(usage.utilisation(), 0.5);
  EXPECT_DOUBLE_EQ(usage.peak, 4);
}

TEST(SimulatedUsage, WhatOneBorrowsAnotherLends) {
  SmallWorld world(QueueYaml({.name = "a", .cohort = "team", .cpu = 4}) +
                   QueueYaml({.name = "b", .cohort = "team", .cpu = 4}));
  world.Add({.queue = "a", .at = 0, .cpu = 6, .seconds = 10});
  world.Add({.queue = "b", .at = 0, .cpu = 1, .seconds = 20});
  const Result result = Play(world.input(), Exact());
  EXPECT_DOUBLE_EQ(result.queues[0].usage[0].borrowed, 1);  // 2 cpu for half of the time
  EXPECT_DOUBLE_EQ(result.queues[1].usage[0].lent, 1);
  EXPECT_DOUBLE_EQ(result.queues[0].usage[0].lent, 0);
  EXPECT_DOUBLE_EQ(result.queues[0].seconds_above_nominal, 10);
}

TEST(Determinism, TheSameSeedGivesTheSameTimes) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  for (int i = 0; i < 50; ++i) world.Add({.at = i, .cpu = 1, .seconds = std::nullopt});
  WorldOptions options = Exact();
  options.run_time = *Distribution::Parse("exponential(30s)");
  const auto ends = [&](uint64_t seed) {
    options.seed = seed;
    std::vector<int64_t> times;
    for (const JobOutcome& job : Play(world.input(), options).jobs) times.push_back(job.end.micros);
    return times;
  };
  EXPECT_EQ(ends(7), ends(7));
  EXPECT_NE(ends(7), ends(8));
}

}  // namespace
}  // namespace berth::simulate

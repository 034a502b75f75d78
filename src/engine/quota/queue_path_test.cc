#include "engine/quota/queue_path.h"

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

TEST(QueuePath, StartsAtTheRootAndEndsAtTheQueue) {
  QuotaForest forest;
  forest.SetCohort({.name = "research", .parent = "company"});
  const NodeId vision = forest.SetQueue({.name = "vision", .cohort = "research"});
  const NodeId alone = forest.SetQueue({.name = "alone"});
  forest.Rebuild({});
  EXPECT_EQ(QueuePathOf(forest, vision), "/company/research/vision");
  EXPECT_EQ(QueuePathOf(forest, alone), "/alone");
}

TEST(QueuePath, EndsWhereCohortsFormACycle) {
  QuotaForest forest;
  forest.SetCohort({.name = "a", .parent = "b"});
  forest.SetCohort({.name = "b", .parent = "a"});
  const NodeId queue = forest.SetQueue({.name = "q", .cohort = "a"});
  forest.Rebuild({});
  EXPECT_EQ(QueuePathOf(forest, queue), "/b/a/q");
}

}  // namespace
}  // namespace berth::engine

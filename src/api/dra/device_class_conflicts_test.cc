#include "api/dra/device_class_conflicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

using Classes = std::vector<std::string>;

// One flavor with one resource.
std::vector<ResourceGroup> Group(std::string resource, const Classes& classes) {
  ResourceGroup group;
  group.covered_resources = {resource};
  ResourceQuota& quota = group.flavors.emplace_back().resources.emplace_back();
  quota.name = std::move(resource);
  if (!classes.empty()) {
    quota.kind = std::string(kDeviceClass);
    quota.device_class_names = classes;
  }
  return {group};
}

ClusterQueue Queue(std::string name, std::optional<std::string> cohort, const Classes& classes,
                   std::string resource = "gpus") {
  ClusterQueue queue;
  queue.metadata.name = std::move(name);
  queue.spec.cohort_name = std::move(cohort);
  queue.spec.resource_groups = Group(std::move(resource), classes);
  return queue;
}

Cohort Above(std::string name, std::string parent, const Classes& classes = {}) {
  Cohort cohort;
  cohort.metadata.name = std::move(name);
  if (!parent.empty()) cohort.spec.parent_name = std::move(parent);
  if (!classes.empty()) cohort.spec.resource_groups = Group("gpus", classes);
  return cohort;
}

auto Conflicts(std::initializer_list<ClusterQueue> queues,
               std::initializer_list<Cohort> cohorts = {}) {
  std::vector<const ClusterQueue*> all;
  std::vector<const Cohort*> above;
  for (const ClusterQueue& queue : queues) all.push_back(&queue);
  for (const Cohort& cohort : cohorts) above.push_back(&cohort);
  return FindDeviceClassConflicts(all, above);
}

TEST(DeviceClassConflict, IsBetweenQueuesOfOneCohort) {
  const auto conflicts = Conflicts({Queue("b", "all", {"y"}), Queue("a", "all", {"x"})});
  EXPECT_THAT(conflicts, ElementsAre(Key("a"), Key("b")));
  EXPECT_EQ(
      ToString(conflicts.at("a")),
      R"("gpus" counts device class "x" here and device class "y" in ClusterQueue "b" of the )"
      "same cohort tree");
}

TEST(DeviceClassConflict, IsNotBetweenQueuesThatAgree) {
  EXPECT_THAT(Conflicts({Queue("a", "all", {"x", "y"}), Queue("b", "all", {"y", "x"})}), IsEmpty());
}

TEST(DeviceClassConflict, IsNotBetweenTrees) {
  EXPECT_THAT(Conflicts({Queue("a", "one", {"x"}), Queue("b", "two", {"y"})}), IsEmpty());
  EXPECT_THAT(Conflicts({Queue("a", std::nullopt, {"x"}), Queue("b", std::nullopt, {"y"})}),
              IsEmpty());
}

TEST(DeviceClassConflict, IsNotBetweenResourcesOfDifferentNames) {
  EXPECT_THAT(Conflicts({Queue("a", "all", {"x"}), Queue("b", "all", {"x"}, "accelerators")}),
              IsEmpty());
}

TEST(DeviceClassConflict, ReachesAcrossLevels) {
  EXPECT_THAT(Conflicts({Queue("a", "left", {"x"}), Queue("b", "right", {"y"})},
                        {Above("left", "root"), Above("right", "root")}),
              ElementsAre(Key("a"), Key("b")));
}

TEST(DeviceClassConflict, IsAlsoWithACohort) {
  const auto conflicts = Conflicts({Queue("a", "left", {"x"})}, {Above("left", "", {"y"})});
  EXPECT_EQ(conflicts.at("a").other, "left");
  EXPECT_TRUE(conflicts.at("a").is_other_cohort);
}

// Quota of a core resource must not be lent as quota of devices.
TEST(DeviceClassConflict, IsAlsoWithACoreResource) {
  const auto conflicts = Conflicts({Queue("a", "all", {"x"}), Queue("b", "all", {})});
  EXPECT_THAT(conflicts, ElementsAre(Key("a"), Key("b")));
  EXPECT_THAT(conflicts.at("a").other_classes, IsEmpty());
}

TEST(DeviceClassConflict, DoesNotAffectOtherQueues) {
  EXPECT_THAT(
      Conflicts({Queue("a", "all", {"x"}), Queue("b", "all", {"y"}), Queue("c", "all", {}, "cpu")}),
      ElementsAre(Key("a"), Key("b")));
}

TEST(DeviceClassConflict, IsFoundInACycleOfCohorts) {
  EXPECT_THAT(Conflicts({Queue("a", "one", {"x"}), Queue("b", "two", {"y"})},
                        {Above("one", "two"), Above("two", "one")}),
              ElementsAre(Key("a"), Key("b")));
}

}  // namespace
}  // namespace berth::api

#include "api/kueue/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

std::string Json(std::initializer_list<std::string_view> labels) {
  std::string levels;
  for (std::string_view label : labels)
    levels.append(levels.empty() ? "" : ",")
        .append(R"({"nodeLabel":")")
        .append(label)
        .append("\"}");
  return R"({"spec":{"levels":[)" + levels + "]}}";
}

constexpr std::string_view kHost = "kubernetes.io/hostname";

TEST(TopologyLevels, AreDistinct) {
  EXPECT_THAT(Faults<Topology>(Json({"a", "b"})), IsEmpty());
  EXPECT_THAT(Faults<Topology>(Json({"a", "a"})), ElementsAre("spec.levels: FieldValueInvalid"));
}

TEST(TopologyLevels, AreAtLeastOneAndHaveLabelsAsNames) {
  EXPECT_THAT(Faults<Topology>(Json({})), ElementsAre("spec.levels: FieldValueInvalid"));
  EXPECT_THAT(Faults<Topology>(Json({"a b"})),
              ElementsAre("spec.levels[0].nodeLabel: FieldValueInvalid"));
}

TEST(TopologyLevels, HaveHostsLast) {
  EXPECT_THAT(Faults<Topology>(Json({"a", kHost})), IsEmpty());
  EXPECT_THAT(Faults<Topology>(Json({kHost, "a"})), ElementsAre("spec.levels: FieldValueInvalid"));
}

TEST(TopologyLevels, ChangeOnlyAboveHosts) {
  EXPECT_THAT(Faults<Topology>(Json({"a"}), Json({"a"})), IsEmpty());
  EXPECT_THAT(Faults<Topology>(Json({"a", kHost}), Json({"b", kHost})), IsEmpty());
  EXPECT_THAT(Faults<Topology>(Json({"a", "b"}), Json({"a"})),
              ElementsAre("spec.levels: FieldValueInvalid"));
  EXPECT_THAT(Faults<Topology>(Json({"a", kHost}), Json({"a"})),
              ElementsAre("spec.levels: FieldValueInvalid"));
}

}  // namespace
}  // namespace berth::api

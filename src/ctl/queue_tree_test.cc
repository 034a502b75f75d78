#include "ctl/queue_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "schema/thread_decoder.h"

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

api::ClusterQueue Queue(const std::string& name, const std::string& cohort, const char* nominal,
                        const char* used, const char* borrowed) {
  const std::string json =
      R"({"metadata":{"name":")" + name + R"("},"spec":{"cohortName":")" + cohort +
      R"(","resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[)" +
      R"({"name":"cpu","nominalQuota":")" + nominal +
      R"("}]}]}]},"status":{"pendingWorkloads":2,"admittedWorkloads":1,)"
      R"("conditions":[{"type":"Active","status":"True"}],)" +
      R"("flavorsReservation":[{"name":"f","resources":[{"name":"cpu","total":")" + used +
      R"(","borrowed":")" + borrowed + R"("}]}]}})";
  return *schema::DecodeHere<api::ClusterQueue>(json);
}

api::Cohort Cohort(const std::string& name, const std::string& parent) {
  api::Cohort cohort;
  cohort.metadata.name = name;
  if (!parent.empty()) cohort.spec.parent_name = parent;
  return cohort;
}

TEST(QueueTree, SumsEachCohort) {
  const std::vector<api::ClusterQueue> queues{Queue("b", "team", "4", "6", "2"),
                                              Queue("a", "team", "4", "500m", "0")};
  const std::vector<api::Cohort> cohorts{Cohort("team", "all")};
  EXPECT_EQ(
      QueueTreeTable(MakeQueueTree(queues, cohorts)).ToText(),
      "NAME               FLAVOR   RESOURCE   NOMINAL   USED    BORROWED   PENDING   ADMITTED\n"
      "all (cohort)       f        cpu        8         6500m   -          4         2\n"
      "└─ team (cohort)   f        cpu        8         6500m   -          4         2\n"
      "   ├─ a            f        cpu        4         500m    -          2         1\n"
      "   └─ b            f        cpu        4         6       2          2         1\n");
}

TEST(QueueTree, ShowsWhatACohortBorrowsFromItsParent) {
  const std::vector<api::ClusterQueue> queues{Queue("a", "team", "1", "3", "2")};
  const std::vector<api::Cohort> cohorts{Cohort("team", "all")};
  const auto tree = MakeQueueTree(queues, cohorts);
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].uses.at({"f", "cpu"}).borrowed.ToString(), "0");
  EXPECT_EQ(tree[0].children[0].uses.at({"f", "cpu"}).borrowed.ToString(), "2");
}

TEST(QueueTree, EndsAtACycle) {
  const std::vector<api::Cohort> cohorts{Cohort("x", "y"), Cohort("y", "x")};
  const auto tree = MakeQueueTree({}, cohorts);
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].name, "x");
  EXPECT_EQ(tree[0].children[0].name, "y");
}

TEST(QueueTree, PrintsJson) {
  const std::vector<api::ClusterQueue> queues{Queue("a", "", "1", "0", "0")};
  EXPECT_EQ(QueueTreeJson(MakeQueueTree(queues, {})),
            R"([{"kind":"ClusterQueue","name":"a","active":true,"pending":2,"admitted":1,)"
            R"("quotas":[{"flavor":"f","resource":"cpu","nominal":"1","used":"0","borrowed":"0"}],)"
            R"("children":[]}])"
            "\n");
}

}  // namespace
}  // namespace berth::ctl

#include "observe/pending_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/json.h"
#include "observe/testing/feed.h"

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kGroup = "/apis/visibility.kueue.x-k8s.io/";

std::optional<PendingQuery> Parse(std::string_view rest) {
  return ParsePendingQuery(std::string(kGroup) + std::string(rest));
}

TEST(PendingQueries, AreParsedFromPaths) {
  EXPECT_EQ(Parse("v1beta2/clusterqueues/team/pendingworkloads"), PendingQuery{.name = "team"});
  EXPECT_EQ(
      Parse("v1beta1/namespaces/space/localqueues/main/pendingworkloads?limit=5&offset=2"),
      (PendingQuery{
          .version = "v1beta1", .namespace_ = "space", .name = "main", .limit = 5, .offset = 2}));
  EXPECT_EQ(Parse("v1beta2/clusterqueues/team/pendingworkloads?limit=999999999&offset=-3"),
            (PendingQuery{.name = "team", .limit = 100'000, .offset = 0}));
  for (const char* other :
       {"v1beta2", "v1beta3/clusterqueues/team/pendingworkloads", "v1beta2/clusterqueues/team",
        "v1beta2/localqueues/main/pendingworkloads", "v1beta2/clusterqueues//pendingworkloads",
        "v1beta2/namespaces//localqueues/main/pendingworkloads"})
    EXPECT_EQ(Parse(other), std::nullopt) << other;
  EXPECT_EQ(ParsePendingQuery("/metrics"), std::nullopt);
}

class PendingTest : public testing::ClusterStateTest {
 protected:
  void SetUp() override {
    Apply(testing::kQueues);
    Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: side, namespace: space}
spec: {clusterQueue: team}
)");
    Add("small", "main", 0);
    Add("urgent", "side", 9);
    Add("late", "main", -1);
    Cluster().Sync(testing::kNow);
  }

  void Add(const std::string& name, const std::string& queue, int32_t priority) {
    Apply(testing::WorkloadText(name, 1));
    api::Workload w = *Cluster().FindWorkload("space/" + name);
    w.spec.queue_name = queue;
    w.spec.priority = priority;
    Cluster().Apply(w);
  }

  // "name priority position-in-cluster-queue position-in-local-queue".
  std::vector<std::string> List(const PendingQuery& query) {
    const auto tree = json::Parse(PendingSummary(query, Cluster()).value_or("{}"));
    const json::value* items = tree ? json::Find(*tree, {"items"}) : nullptr;
    if (items == nullptr) return {"no such queue"};
    std::vector<std::string> lines;
    for (const json::value& item : items->as_array()) {
      std::string line(json::StringAt(item, {"metadata", "name"}));
      for (const char* key : {"priority", "positionInClusterQueue", "positionInLocalQueue"})
        line += " " + std::to_string(item.at(key).as_int64());
      lines.push_back(line);
    }
    return lines;
  }
};

TEST_F(PendingTest, AreListedInTheirOrder) {
  EXPECT_THAT(List({.name = "team"}), ElementsAre("urgent 9 0 0", "small 0 1 0", "late -1 2 1"));
  EXPECT_THAT(List({.namespace_ = "space", .name = "main"}),
              ElementsAre("small 0 1 0", "late -1 2 1"));
}

TEST_F(PendingTest, AreListedInPages) {
  EXPECT_THAT(List({.name = "team", .limit = 1, .offset = 1}), ElementsAre("small 0 1 0"));
  EXPECT_THAT(List({.namespace_ = "space", .name = "main", .offset = 1}),
              ElementsAre("late -1 2 1"));
  EXPECT_THAT(List({.name = "team", .offset = 9}), IsEmpty());
}

TEST_F(PendingTest, OfMissingQueuesAreNotListed) {
  EXPECT_THAT(List({.name = "missing"}), ElementsAre("no such queue"));
  EXPECT_THAT(List({.namespace_ = "elsewhere", .name = "main"}), ElementsAre("no such queue"));
}

}  // namespace
}  // namespace berth::observe

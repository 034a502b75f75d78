// Webhooks called by the API server.

#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::cluster {
namespace {

using embedded::testing::Job;
using embedded::testing::LiveCluster;
using embedded::testing::StartCluster;
using embedded::testing::Team;
using ::testing::AllOf;
using ::testing::HasSubstr;

store::Resource Queues(std::string_view version) {
  return {.group = "kueue.x-k8s.io",
          .version = std::string(version),
          .plural = "clusterqueues",
          .kind = "ClusterQueue",
          .is_namespaced = false};
}

json::value ReadQueue(std::string_view version, const std::string& name) {
  const auto got = ControlPlane::Get().Do(
      store::Get{.resource = Queues(version), .namespace_ = "", .name = name});
  EXPECT_TRUE(got) << store::ToString(got.error());
  return got ? json::Parse(got->object.text()).value_or(nullptr) : json::value();
}

TEST(CalledWebhooks, SuspendAJobWhenItIsCreated) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "Hold"}})");
  cluster.Apply(Job({.name = "train"}));
  EXPECT_TRUE(cluster.IsSuspended("Job team/train"));
  cluster.Apply(Job({.name = "free", .queue = ""}));
  EXPECT_FALSE(cluster.IsSuspended("Job team/free"));
}

TEST(CalledWebhooks, RejectAnInvalidQueueWithAReason) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  const auto answer = cluster.TryPatch(
      "ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors":
          [{"name": "standard", "resources": [{"name": "cpu", "nominalQuota": "-1"}]}]}]}})");
  EXPECT_THAT(answer.refusal,
              AllOf(HasSubstr("vclusterqueue.kb.io"),
                    HasSubstr("spec.resourceGroups[0].flavors[0].resources[0].nominalQuota")));
}

TEST(CalledWebhooks, RejectMovingARunningJob) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  cluster.Apply(Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  const auto answer = cluster.TryPatch(
      "Job team/train", R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"}}})");
  EXPECT_THAT(answer.refusal, AllOf(HasSubstr("vjob.kb.io"), HasSubstr("queue-name")));
}

TEST(CalledWebhooks, ConvertBothWaysBetweenVersions) {
  LiveCluster cluster = StartCluster();
  const auto created = ControlPlane::Get().Do(
      store::Create{.resource = Queues("v1beta1"),
                    .namespace_ = "",
                    .object = R"({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue",
        "metadata": {"name": "old"}, "spec": {"cohort": "company", "namespaceSelector": {},
        "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name": "standard",
        "resources": [{"name": "cpu", "nominalQuota": 3}]}]}]}})",
                    .options = {}});
  ASSERT_TRUE(created) << store::ToString(created.error());
  EXPECT_EQ(json::TextAt(ReadQueue("v1beta2", "old"), "spec.cohortName"), "company");
  EXPECT_FALSE(json::IsSetAt(ReadQueue("v1beta2", "old"), "spec.cohort"));

  cluster.Apply(Team("new", 1, "  cohortName: company\n"));
  EXPECT_EQ(json::TextAt(ReadQueue("v1beta1", "new"), "spec.cohort"), "company");
  EXPECT_FALSE(json::IsSetAt(ReadQueue("v1beta1", "new"), "spec.cohortName"));
}

TEST(NamespaceSelectors, RestrictTheUseOfAQueueAndFollowChanges) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  cluster.Patch("ClusterQueue team",
                R"({"spec": {"namespaceSelector": {"matchLabels": {"tier": "gold"}}}})");
  cluster.Apply(Job({.name = "train"}));
  cluster.AwaitPending("Job team/train", "Misconfigured");
  cluster.Patch("Namespace team", R"({"metadata": {"labels": {"tier": "gold"}}})");
  cluster.AwaitRunning("Job team/train");
}

}  // namespace
}  // namespace berth::cluster

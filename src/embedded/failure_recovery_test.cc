// Pods that are stuck in deletion on unreachable nodes, end to end.

#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::StartCluster;

constexpr std::string_view kGate = "featureGates: {FailureRecoveryPolicy: true}\n";
constexpr std::string_view kPod = "Pod team/p";
constexpr std::string_view kSafe = "kueue.x-k8s.io/safe-to-forcefully-delete: 'true'";
constexpr std::string_view kUnreachable =
    R"({"spec": {"taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]}})";

// A pod that runs on a node, and was deleted with a grace period of 30 seconds.
LiveCluster StartWithTerminatingPod(std::string_view configuration, std::string_view annotation) {
  LiveCluster cluster = StartCluster(configuration);
  cluster.Apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n");
  cluster.Apply("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
  cluster.Apply("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team, annotations: {" +
                std::string(annotation) +
                "}}\nspec: {nodeName: n1, containers: [{name: c, image: example.com/c}]}\n");
  cluster.Patch(kPod, R"({"status": {"phase": "Running"}})", "status");
  cluster.Delete(kPod);
  cluster.AwaitIdle();
  return cluster;
}

void AwaitGone(LiveCluster& cluster) {
  cluster.Await("the pod is gone", [&] { return !cluster.Find(kPod); });
}

TEST(FailureRecovery, DeletesAPodByForceAMinuteAfterItsGracePeriod) {
  LiveCluster cluster = StartWithTerminatingPod(kGate, kSafe);
  cluster.Patch("Node n1", kUnreachable);
  cluster.Pass(base::Duration::Seconds(60));
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.Find(kPod)) << "thirty seconds are left";
  cluster.Pass(base::Duration::Seconds(31));
  AwaitGone(cluster);
  cluster.Await("an Event", [&] {
    return ::testing::Value(
        cluster.EventsAbout("p"),
        Contains(HasSubstr("Warning KueueForcefullyDeleted: Node n1 unreachable")));
  });
}

TEST(FailureRecovery, DeletesAPodAtOnceIfItsNodeBecomesUnreachableLater) {
  LiveCluster cluster = StartWithTerminatingPod(kGate, kSafe);
  cluster.Pass(base::Duration::Seconds(120));
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.Find(kPod)) << "the node can be reached";
  cluster.Patch("Node n1", kUnreachable);
  AwaitGone(cluster);
}

TEST(FailureRecovery, LeavesPodsThatDoNotStateThatItIsSafeAndAllWithoutTheGate) {
  struct Case {
    std::string_view configuration, annotation;
  };
  for (const Case& c : {Case{kGate, ""}, Case{"", kSafe}}) {
    LiveCluster cluster = StartWithTerminatingPod(c.configuration, c.annotation);
    cluster.Patch("Node n1", kUnreachable);
    cluster.Pass(base::Duration::Seconds(120));
    cluster.AwaitIdle();
    EXPECT_TRUE(cluster.Find(kPod)) << c.configuration << c.annotation;
  }
}

}  // namespace
}  // namespace berth::embedded

#include "control/report/behind_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

constexpr std::string_view kQueues = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  queueingStrategy: StrictFIFO
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";

std::string Workload(std::string_view name, int cpu) {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, generation: 1, name: )" +
         std::string(name) + ", uid: " + std::string(name) + R"(}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: )" +
         std::to_string(cpu) + "}}}]}}}]\n";
}

// Workload "a" is too large and the head of a StrictFIFO queue; "b" is behind it.
class BehindHeadTest : public ::testing::Test {
 protected:
  BehindHeadTest() {
    for (const std::string& yaml : {std::string(kQueues), Workload("a", 9), Workload("b", 1)})
      workload::testing::ApplyYaml(yaml, cluster_);
    cluster_.Sync(kNow);
    RunCycle(cluster_, kNow);
  }

  std::optional<WorkloadChange> For(std::string_view name, bool is_blocked = false) {
    return BehindHead(*cluster_.FindWorkload("team/" + std::string(name)), cluster_, is_blocked);
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
};

TEST_F(BehindHeadTest, WorkloadsThatWereNotEvaluatedSayWhy) {
  const auto change = For("b");
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->reason, api::reason::kPendingEvaluation);
  EXPECT_EQ(change->message,
            "Workload is behind the head of ClusterQueue q (StrictFIFO), not evaluated yet");
  EXPECT_TRUE(change->is_silent);
}

TEST_F(BehindHeadTest, WhileAdmissionIsBlockedThatIsTheReason) {
  EXPECT_EQ(For("b", true)->reason, api::reason::kWaitingForPodsReady);
}

TEST_F(BehindHeadTest, TheHeadAndWorkloadsWithAReasonGetNone) {
  EXPECT_FALSE(For("a"));
  api::Workload b = *cluster_.FindWorkload("team/b");
  workload::MarkUnreserved(b, api::reason::kWaitingForQuota, "", kNow);
  EXPECT_FALSE(BehindHead(b, cluster_, false));
}

}  // namespace
}  // namespace berth::control

// Which changes of claims and device classes reach the engine and which do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/dra/device_class.h"
#include "workload/state/cluster_state.h"
#include "workload/testing/apply_yaml.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

constexpr std::string_view kQueues = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";

std::string Queue(std::string_view name, std::string_view device_class,
                  std::string_view more = "") {
  return "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " +
         std::string(name) + "}\nspec:\n  cohortName: all\n  namespaceSelector: {}\n" +
         "  resourceGroups:\n  - coveredResources: [gpus]\n    flavors: [{name: f, resources: "
         "[{name: gpus, nominalQuota: 4, kind: DeviceClass, deviceClassNames: [" +
         std::string(device_class) + "]}]}]\n" + std::string(more);
}

std::string Claim(int count, std::string_view status = "{}") {
  return "\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: team, name: "
         "pool}\nspec: {devices: {requests: [{name: g, exactly: {deviceClassName: a.com, count: " +
         std::to_string(count) + "}}]}}\nstatus: " + std::string(status) + "\n";
}

constexpr std::string_view kJob = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  queueName: main
  podSets:
  - name: main
    count: 2
    template:
      spec:
        resourceClaims: [{name: g, resourceClaimName: pool}]
        containers: [{name: c}]
)";

class DeviceStateTest : public ::testing::Test {
 protected:
  DeviceStateTest() {
    Apply(kQueues);
    Apply(Queue("q", "a.com"));
    Apply(kJob);
  }

  void Apply(std::string_view yaml) {
    testing::ApplyYaml(yaml, cluster_);
    cluster_.Sync(kNow);
  }

  bool IsInLine() {
    return cluster_.engine().CountPending(cluster_.engine().FindClusterQueue("q")).active > 0;
  }
  const api::Workload& Job() { return *cluster_.FindWorkload("team/w"); }

  static api::FeatureGates Gates() {
    api::FeatureGates gates;
    gates.Set(api::Gate::kKueueDynamicResourceAllocation, true);
    // Otherwise the new spec stays inadmissible with workloads of its shape.
    gates.Set(api::Gate::kSchedulingEquivalenceHashing, false);
    return gates;
  }

  ClusterState cluster_{api::Configuration(), Gates()};
};

TEST_F(DeviceStateTest, IgnoresTheStatusOfClaims) {
  Apply(Claim(9));
  cluster_.engine().RunCycle(kNow);
  ASSERT_FALSE(IsInLine());
  Apply(Claim(9, "{reservedFor: [{resource: pods, name: p, uid: u}]}"));
  EXPECT_FALSE(IsInLine());
  Apply(Claim(3));
  EXPECT_TRUE(IsInLine());
}

TEST_F(DeviceStateTest, IgnoresTheStatusOfClusterQueues) {
  Apply(Claim(9));
  cluster_.engine().RunCycle(kNow);
  Apply(Queue("q", "a.com", "status: {pendingWorkloads: 1}"));
  EXPECT_FALSE(IsInLine());
}

TEST_F(DeviceStateTest, IgnoresWorkloadCountsOfLocalQueues) {
  Apply(Claim(9));
  cluster_.engine().RunCycle(kNow);
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
status: {pendingWorkloads: 1}
)");
  EXPECT_FALSE(IsInLine());
}

TEST_F(DeviceStateTest, ReportsMissingClaims) {
  const schema::Problems problems = cluster_.ClaimProblems(Job());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message, R"(ResourceClaim "pool" not found in namespace "team")");
  Apply(Claim(1));
  EXPECT_THAT(cluster_.ClaimProblems(Job()), IsEmpty());
}

TEST_F(DeviceStateTest, CountsClaimedDevices) {
  Apply(Claim(3));
  EXPECT_THAT(cluster_.CountRequests(Job()).devices,
              ElementsAre(CountedDevices{"main", "ResourceClaim pool", "a.com", "gpus", 3}));
}

TEST_F(DeviceStateTest, FindsConflictsOfDeviceClasses) {
  EXPECT_EQ(cluster_.FindConflict("q"), nullptr);
  Apply(Queue("other", "b.com"));
  EXPECT_EQ(cluster_.InactiveReason("q"), "DeviceClassConflict");
  EXPECT_EQ(cluster_.FindConflict("q")->other, "other");
  cluster_.Delete(api::ClusterQueue::KindInfo(), "", "other");
  cluster_.Sync(kNow);
  EXPECT_EQ(cluster_.InactiveReason("q"), "");
}

TEST_F(DeviceStateTest, UnlinksClaimsOfDeletedWorkloads) {
  cluster_.Delete(api::Workload::KindInfo(), "team", "w");
  Apply(Claim(1));
  EXPECT_FALSE(IsInLine());
}

// --- Extended resources --------------------------------------------------------------------------

std::string Class(std::string_view extended_resource) {
  return "\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a.com}\nspec: "
         "{extendedResourceName: " +
         std::string(extended_resource) + "}\n";
}

constexpr std::string_view kExtendedJob = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  queueName: main
  podSets:
  - name: main
    count: 2
    template: {spec: {containers: [{name: c, resources: {limits: {x.com/gpu: 1}}}]}}
)";

TEST_F(DeviceStateTest, CountsExtendedResourcesWhileTheirClassIsThere) {
  Apply(kExtendedJob);
  cluster_.engine().RunCycle(kNow);
  ASSERT_FALSE(IsInLine());
  Apply(Class("x.com/nic"));
  EXPECT_FALSE(IsInLine());
  Apply(Class("x.com/gpu"));
  EXPECT_TRUE(IsInLine());
  EXPECT_THAT(
      cluster_.CountRequests(Job()).devices,
      ElementsAre(CountedDevices{"main", "extended resource x.com/gpu", "a.com", "gpus", 2}));
  cluster_.Delete(api::DeviceClass::KindInfo(), "", "a.com");
  cluster_.Sync(kNow);
  EXPECT_THAT(cluster_.CountRequests(Job()).devices, IsEmpty());
}

TEST_F(DeviceStateTest, ReportsClassesWithoutAResource) {
  Apply(Claim(1));
  Apply(Queue("q", "b.com"));
  const schema::Problems problems = cluster_.ClaimProblems(Job());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message,
            R"(DeviceClass "a.com" has no resource in ClusterQueue "q", 1 requested)");
}

}  // namespace
}  // namespace berth::workload

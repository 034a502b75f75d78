// Objects of kueue.x-k8s.io/v1beta1 are upgraded when read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/multi_kueue.h"
#include "api/kueue/workload.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::api {
namespace {

// The upgraded object without apiVersion and kind. Decoded strictly.
template <class T>
std::string Upgraded(std::string_view members) {
  const std::string json = R"({"apiVersion":"kueue.x-k8s.io/v1beta1","kind":")" +
                           std::string(T::KindInfo().kind) + R"(","metadata":{"name":"x"},)" +
                           std::string(members) + "}";
  auto object = schema::Decode<T>(json, {.is_strict = true, .is_previous = true});
  if (!object) return schema::ToString(object.error().front());
  std::string text;
  schema::EncodeTo(text, T::Description(), &*object);
  return text;
}

std::string Today(std::string_view members) {
  return R"({"metadata":{"name":"x"},)" + std::string(members) + "}";
}

TEST(V1Beta1ClusterQueue, RenamesTheCohortField) {
  EXPECT_EQ(Upgraded<ClusterQueue>(R"("spec":{"cohort":"c"})"),
            Today(R"("spec":{"cohortName":"c"})"));
}

TEST(V1Beta1ClusterQueue, AppliesListedChecksToAllFlavors) {
  EXPECT_EQ(Upgraded<ClusterQueue>(R"("spec":{"admissionChecks":["a","b"]})"),
            Today(R"("spec":{"admissionChecksStrategy":{"admissionChecks":[{"name":"a"},)"
                  R"({"name":"b"}]}})"));
}

TEST(V1Beta1ClusterQueue, KeepsAStrategyOfChecks) {
  const std::string_view members =
      R"("spec":{"admissionChecksStrategy":{"admissionChecks":[{"name":"a","onFlavors":["f"]}]}})";
  EXPECT_EQ(Upgraded<ClusterQueue>(members), Today(members));
}

TEST(V1Beta1ClusterQueue, MapsBorrowAndPreemptToMayStopSearch) {
  EXPECT_EQ(
      Upgraded<ClusterQueue>(
          R"("spec":{"flavorFungibility":{"whenCanBorrow":"Borrow","whenCanPreempt":"Preempt"}})"),
      Today(R"("spec":{"flavorFungibility":{"whenCanBorrow":"MayStopSearch",)"
            R"("whenCanPreempt":"MayStopSearch"}})"));
}

TEST(V1Beta1ClusterQueue, KeepsTheOtherFungibilityValues) {
  const std::string_view members =
      R"("spec":{"flavorFungibility":{"whenCanBorrow":"TryNextFlavor",)"
      R"("whenCanPreempt":"MayStopSearch"}})";
  EXPECT_EQ(Upgraded<ClusterQueue>(members), Today(members));
}

TEST(V1Beta1ClusterQueue, DropsRemovedFields) {
  EXPECT_EQ(
      Upgraded<ClusterQueue>(
          R"("status":{"pendingWorkloadsStatus":{"lastChangeTime":"2026-01-01T00:00:00Z"},)"
          R"("fairSharing":{"weightedShare":3,"admissionFairSharingStatus":{"consumedResources":{}}}})"),
      Today(R"("status":{"fairSharing":{"weightedShare":3}})"));
}

TEST(V1Beta1ClusterQueue, SupportsDeviceClassesAndExclusions) {
  const std::string_view members =
      R"("spec":{"resourceGroups":[{"coveredResources":["g"],"flavors":[{"name":"f","resources":)"
      R"([{"name":"g","nominalQuota":"2","kind":"DeviceClass","deviceClassNames":["a.b"]}]}]}],)"
      R"("excludeResourcePrefixes":["hugepages-"]})";
  EXPECT_EQ(Upgraded<ClusterQueue>(members), Today(members));
}

TEST(V1Beta1Cohort, IsUnchanged) {
  const std::string_view members =
      R"("spec":{"parentName":"p"},"status":{"fairSharing":{"weightedShare":0}})";
  EXPECT_EQ(Upgraded<Cohort>(members), Today(members));
}

TEST(V1Beta1LocalQueue, RenamesTheUsageFields) {
  EXPECT_EQ(Upgraded<LocalQueue>(R"("status":{"flavorUsage":[{"name":"f","resources":[]}],)"
                                 R"("flavors":[{"name":"f"}]})"),
            Today(R"("status":{"flavorsUsage":[{"name":"f","resources":[]}]})"));
}

TEST(V1Beta1LocalQueue, KeepsItsPastUsage) {
  const std::string_view members =
      R"("status":{"fairSharing":{"weightedShare":1,"admissionFairSharingStatus":)"
      R"({"consumedResources":{"cpu":"2"},"lastUpdate":"2026-01-01T00:00:00Z"}}})";
  EXPECT_EQ(Upgraded<LocalQueue>(members), Today(members));
}

TEST(V1Beta1AdmissionCheck, DropsTheRetryDelay) {
  EXPECT_EQ(Upgraded<AdmissionCheck>(R"("spec":{"controllerName":"c","retryDelayMinutes":15})"),
            Today(R"("spec":{"controllerName":"c"})"));
}

TEST(V1Beta1MultiKueueCluster, HasItsKubeConfigInTheClusterSource) {
  EXPECT_EQ(Upgraded<MultiKueueCluster>(
                R"("spec":{"kubeConfig":{"location":"s","locationType":"Path"}})"),
            Today(R"("spec":{"clusterSource":{"kubeConfig":{"location":"s",)"
                  R"("locationType":"Path"}}})"));
}

TEST(V1Beta1MultiKueueCluster, HasItsProfileInTheClusterSource) {
  EXPECT_EQ(
      Upgraded<MultiKueueCluster>(R"("spec":{"kubeConfig":{"location":"","locationType":"Secret"},)"
                                  R"("clusterProfileRef":{"name":"p"}})"),
      Today(R"("spec":{"clusterSource":{"clusterProfileRef":{"name":"p"}}})"));
}

std::string UpgradedSpec(std::string_view fields) {
  return Upgraded<Workload>(R"("spec":{"podSets":[],)" + std::string(fields) + R"(})");
}
std::string TodaySpec(std::string_view fields) {
  return Today(R"("spec":{"podSets":[],)" + std::string(fields) + R"(})");
}

TEST(V1Beta1Workload, RefersToItsPriorityClass) {
  EXPECT_EQ(UpgradedSpec(R"("priority":1,"priorityClassName":"p",)"
                         R"("priorityClassSource":"kueue.x-k8s.io/workloadpriorityclass")"),
            TodaySpec(R"("priorityClassRef":{"group":"kueue.x-k8s.io",)"
                      R"("kind":"WorkloadPriorityClass","name":"p"},"priority":1)"));
  EXPECT_EQ(UpgradedSpec(R"("priority":1,"priorityClassName":"p",)"
                         R"("priorityClassSource":"scheduling.k8s.io/priorityclass")"),
            TodaySpec(R"("priorityClassRef":{"group":"scheduling.k8s.io",)"
                      R"("kind":"PriorityClass","name":"p"},"priority":1)"));
}

TEST(V1Beta1Workload, HasNoPriorityClassWithoutItsSource) {
  EXPECT_EQ(UpgradedSpec(R"("priority":1,"priorityClassName":"p","priorityClassSource":"")"),
            TodaySpec(R"("priority":1)"));
}

TEST(V1Beta1Workload, FixesTheMisspeltExecutionTime) {
  EXPECT_EQ(Upgraded<Workload>(
                R"("spec":{"podSets":[]},"status":{"accumulatedPastExexcutionTimeSeconds":7})"),
            Today(R"("spec":{"podSets":[]},"status":{"accumulatedPastExecutionTimeSeconds":7})"));
}

TEST(V1Beta1Workload, PacksItsTopologyAssignment) {
  EXPECT_EQ(
      Upgraded<Workload>(
          R"("spec":{"podSets":[]},"status":{"admission":{"clusterQueue":"q","podSetAssignments":)"
          R"([{"name":"a","topologyAssignment":{"levels":["block","host"],"domains":[)"
          R"({"values":["b1","h1"],"count":2},{"values":["b1","h2"],"count":2}]}}]}})"),
      Today(
          R"("spec":{"podSets":[]},"status":{"admission":{"clusterQueue":"q",)"
          R"("podSetAssignments":[{"name":"a","topologyAssignment":{"levels":["block","host"],)"
          R"("slices":[{"domainCount":2,"valuesPerLevel":[{"universal":"b1"},)"
          R"({"individual":{"prefix":"h","roots":["1","2"]}}],"podCounts":{"universal":2}}]}}]}})"));
}

}  // namespace
}  // namespace berth::api

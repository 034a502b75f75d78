// Every kind of kueue.x-k8s.io with all its fields is decoded strictly and encoded unchanged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/multi_kueue.h"
#include "api/kueue/provisioning_request_config.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/workload.h"
#include "api/kueue/workload_priority_class.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "schema/validate.h"

namespace berth::api {
namespace {

constexpr std::string_view kConditions =
    R"("conditions":[{"type":"Active","status":"True","observedGeneration":2,)"
    R"("lastTransitionTime":"2026-01-02T03:04:05Z","reason":"Ready","message":"m"}])";
constexpr std::string_view kGroups =
    R"("resourceGroups":[{"coveredResources":["cpu","gpus"],"flavors":[{"name":"f","resources":[)"
    R"({"name":"cpu","nominalQuota":"4","borrowingLimit":"1","lendingLimit":"2"},)"
    R"({"name":"gpus","nominalQuota":"8","kind":"DeviceClass","deviceClassNames":["a","b"]}]}]}])";
constexpr std::string_view kTolerations =
    R"("tolerations":[{"key":"k","operator":"Equal","value":"v","effect":"NoExecute",)"
    R"("tolerationSeconds":5}])";

// Checks the round trip of a valid object with these members besides apiVersion, kind and metadata.
template <class T>
void ExpectKept(const std::string& members) {
  const std::string json = R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":")" +
                           std::string(T::KindInfo().kind) + R"(","metadata":{"name":"x"},)" +
                           members + "}";
  const auto object = schema::Decode<T>(json, {.is_strict = true});
  ASSERT_TRUE(object.has_value()) << schema::ToString(object.error().front());
  EXPECT_EQ(schema::Encode(*object), json);
  for (const schema::Problem& problem : schema::Validate(*object))
    ADD_FAILURE() << schema::ToString(problem);
}

std::string Join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

TEST(KueueKinds, ClusterQueueKeepsEveryField) {
  ExpectKept<ClusterQueue>(Join(
      {R"("spec":{)", kGroups,
       R"(,"cohortName":"c","queueingStrategy":"StrictFIFO","namespaceSelector":{"matchLabels":)"
       R"({"a":"b"}},"flavorFungibility":{"whenCanBorrow":"TryNextFlavor","whenCanPreempt":)"
       R"("TryNextFlavor","preference":"PreemptionOverBorrowing"},"preemption":)"
       R"({"reclaimWithinCohort":"Any","borrowWithinCohort":{"policy":"LowerPriority",)"
       R"("maxPriorityThreshold":0},"withinClusterQueue":"LowerOrNewerEqualPriority"},)"
       R"("admissionChecksStrategy":{"admissionChecks":[{"name":"a","onFlavors":["f"]}]},)"
       R"("stopPolicy":"Hold","fairSharing":{"weight":"2"},"admissionScope":{"admissionMode":)"
       R"("UsageBasedAdmissionFairSharing"},"concurrentAdmissionPolicy":{"migration":{"mode":)"
       R"("TryPreferredFlavors","constraints":{"lastAcceptableFlavorName":"f"}}},)"
       R"("excludeResourcePrefixes":["hugepages-"]},"status":{)",
       kConditions,
       R"(,"flavorsReservation":[{"name":"f","resources":[{"name":"cpu","total":"2",)"
       R"("borrowed":"0"}]}],"flavorsUsage":[{"name":"f","resources":[]}],"pendingWorkloads":0,)"
       R"("reservingWorkloads":1,"admittedWorkloads":2,"fairSharing":{"weightedShare":3}})"}));
}

TEST(KueueKinds, CohortKeepsEveryField) {
  ExpectKept<Cohort>(Join({R"("spec":{"parentName":"p",)", kGroups,
                           R"(,"fairSharing":{"weight":"500m"}},)"
                           R"("status":{"fairSharing":{"weightedShare":0}})"}));
}

TEST(KueueKinds, LocalQueueKeepsEveryField) {
  ExpectKept<LocalQueue>(
      Join({R"("spec":{"clusterQueue":"q","stopPolicy":"None","fairSharing":{"weight":"1"}},)"
            R"("status":{)",
            kConditions,
            R"(,"pendingWorkloads":0,"reservingWorkloads":0,"admittedWorkloads":0,)"
            R"("flavorsReservation":[{"name":"f","resources":[{"name":"cpu","total":"1"}]}],)"
            R"("flavorsUsage":[{"name":"f","resources":[{"name":"cpu","total":"0"}]}],)"
            R"("fairSharing":{"weightedShare":4,"admissionFairSharingStatus":)"
            R"({"consumedResources":{"cpu":"1500m"},"lastUpdate":"2026-01-02T03:04:05Z"}}})"}));
}

TEST(KueueKinds, ResourceFlavorKeepsEveryField) {
  ExpectKept<ResourceFlavor>(
      Join({R"("spec":{"nodeLabels":{"a":"b"},"nodeTaints":[{"key":"k","value":"v","effect":)"
            R"("NoSchedule"}],)",
            kTolerations, R"(,"topologyName":"t"})"}));
}

TEST(KueueKinds, WorkloadPriorityClassKeepsEveryField) {
  ExpectKept<WorkloadPriorityClass>(R"("value":0,"description":"d")");
}

TEST(KueueKinds, AdmissionCheckKeepsEveryField) {
  ExpectKept<AdmissionCheck>(
      Join({R"("spec":{"controllerName":"c","parameters":{"apiGroup":"g","kind":"K","name":"n"}},)"
            R"("status":{)",
            kConditions, "}"}));
}

TEST(KueueKinds, TopologyKeepsEveryField) {
  ExpectKept<Topology>(
      R"("spec":{"levels":[{"nodeLabel":"a/b"},{"nodeLabel":"kubernetes.io/hostname"}]})");
}

TEST(KueueKinds, ProvisioningRequestConfigKeepsEveryField) {
  ExpectKept<ProvisioningRequestConfig>(
      R"("spec":{"provisioningClassName":"c","parameters":{"a":"b"},"managedResources":["cpu"],)"
      R"("retryStrategy":{"backoffLimitCount":0,"backoffBaseSeconds":1,"backoffMaxSeconds":2},)"
      R"("podSetUpdates":{"nodeSelector":[{"key":"k","valueFromProvisioningClassDetail":"d"}]},)"
      R"("podSetMergePolicy":"IdenticalPodTemplates"})");
}

TEST(KueueKinds, MultiKueueClusterKeepsEveryField) {
  ExpectKept<MultiKueueCluster>(Join({R"("spec":{"clusterSource":{"kubeConfig":{"location":"s",)"
                                      R"("locationType":"Secret"}}},"status":{)",
                                      kConditions, "}"}));
  ExpectKept<MultiKueueCluster>(R"("spec":{"clusterSource":{"clusterProfileRef":{"name":"p"}}})");
}

TEST(KueueKinds, MultiKueueConfigKeepsEveryField) {
  ExpectKept<MultiKueueConfig>(R"("spec":{"clusters":["a"],"quotaManagement":"Automated"})");
}

TEST(KueueKinds, WorkloadKeepsEveryFieldOfItsSpec) {
  ExpectKept<Workload>(
      R"("spec":{"podSets":[{"name":"a","template":{"metadata":{"labels":{"l":"v"}},"spec":)"
      R"({"containers":[{"name":"c"}]}},"count":0,"topologyRequest":{"required":"r",)"
      R"("preferred":"p","unconstrained":false,"podIndexLabel":"i","subGroupIndexLabel":"s",)"
      R"("subGroupCount":0,"podSetGroupName":"g","podSetSliceRequiredTopology":"t",)"
      R"("podSetSliceSize":1,"podsetSliceRequiredTopologyConstraints":[{"topology":"t","size":1}]}},)"
      R"({"name":"b","template":{"spec":{"containers":[]}},"count":3,"minCount":2}],"queueName":"q","priorityClassRef":)"
      R"({"group":"kueue.x-k8s.io","kind":"WorkloadPriorityClass","name":"p"},"priority":0,)"
      R"("active":false,"maximumExecutionTimeSeconds":1,"preemptionGates":[{"name":"g"}],)"
      R"("admissionConstraints":{"preemption":"Never","borrowing":"Never"}})");
}

TEST(KueueKinds, WorkloadKeepsEveryFieldOfItsStatus) {
  ExpectKept<Workload>(Join(
      {R"("spec":{"podSets":[{"name":"a","template":{"spec":{"containers":[]}}}]},"status":{)",
       kConditions,
       R"(,"admission":{"clusterQueue":"q","podSetAssignments":[{"name":"a","flavors":)"
       R"({"cpu":"f"},"resourceUsage":{"cpu":"1"},"count":0,"topologyAssignment":)"
       R"({"levels":["h"],"slices":[{"domainCount":2,"valuesPerLevel":[{"individual":)"
       R"({"prefix":"p","suffix":"s","roots":["1","2"]}}],"podCounts":{"individual":[1,2]}},)"
       R"({"domainCount":1,"valuesPerLevel":[{"universal":"h"}],"podCounts":{"universal":3}}]},)"
       R"("delayedTopologyRequest":"Ready"}]},"requeueState":{"count":0,"requeueAt":)"
       R"("2026-01-02T03:04:05Z"},"reclaimablePods":[{"name":"a","count":0}],"admissionChecks":)"
       R"([{"name":"c","state":"Retry","lastTransitionTime":"2026-01-02T03:04:05Z","message":"",)"
       R"("requeueAfterSeconds":0,"retryCount":0,"podSetUpdates":[{"name":"a","labels":{"a":"b"},)"
       R"("annotations":{"a":"b"},"nodeSelector":{"a":"b"},)",
       kTolerations,
       R"(}]}],"resourceRequests":[{"name":"a","resources":{"cpu":"1"}}],)"
       R"("accumulatedPastExecutionTimeSeconds":0,"schedulingStats":{"evictions":[{"reason":"r",)"
       R"("underlyingCause":"","count":0}]},"nominatedClusterNames":["n"],)"
       R"("unhealthyNodes":[{"name":"n"}],"preemptionGates":[{"name":"g","position":"Open",)"
       R"("lastTransitionTime":"2026-01-02T03:04:05Z"}]})"}));
  ExpectKept<Workload>(
      R"("spec":{"podSets":[{"name":"a","template":{"spec":{"containers":[]}}}]},"status":{"clusterName":"c"})");
}

}  // namespace
}  // namespace berth::api

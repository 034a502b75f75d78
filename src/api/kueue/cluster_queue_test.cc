#include "api/kueue/cluster_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cohort.h"
#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;
using testing::Stored;

std::string Queue(std::string_view spec) {
  return R"({"metadata":{"name":"q"},"spec":{)" + std::string(spec) + "}}";
}

std::vector<std::string> QueueFaults(std::string_view spec) {
  return Faults<ClusterQueue>(Queue(spec));
}

// A group with one flavor; `covered` and `resources` are JSON lists.
std::string Group(std::string_view covered, std::string_view resources) {
  return R"("cohortName":"c","resourceGroups":[{"coveredResources":)" + std::string(covered) +
         R"(,"flavors":[{"name":"f","resources":)" + std::string(resources) + "}]}]";
}

std::string Repeat(std::string_view item, size_t count) {
  std::string list = "[";
  for (size_t i = 0; i < count; ++i) list.append(i == 0 ? "" : ",").append(item);
  return list + "]";
}

TEST(ClusterQueueDefaults, FillAbsentPolicies) {
  const auto spec = Stored<ClusterQueue>(Queue("")).spec;
  EXPECT_EQ(spec.queueing_strategy, kBestEffortFifo);
  EXPECT_EQ(spec.stop_policy, kStopPolicyNone);
  EXPECT_EQ(spec.flavor_fungibility->when_can_borrow, kMayStopSearch);
  EXPECT_EQ(spec.flavor_fungibility->when_can_preempt, kTryNextFlavor);
  EXPECT_EQ(spec.preemption->reclaim_within_cohort, kPreemptNever);
  EXPECT_EQ(spec.preemption->borrow_within_cohort->policy, kPreemptNever);
  EXPECT_EQ(spec.preemption->within_cluster_queue, kPreemptNever);
  EXPECT_FALSE(spec.fair_sharing);
}

TEST(ClusterQueueDefaults, GiveWeightOneToAnEmptyFairSharing) {
  const auto spec = Stored<ClusterQueue>(Queue(R"("fairSharing":{})")).spec;
  EXPECT_EQ(spec.fair_sharing->weight, Stored<FairSharing>(R"({"weight":"1"})").weight);
}

TEST(ClusterQueueDefaults, KeepExplicitValues) {
  const auto spec =
      Stored<ClusterQueue>(Queue(R"("preemption":{"withinClusterQueue":"LowerPriority"})")).spec;
  EXPECT_EQ(spec.preemption->within_cluster_queue, kPreemptLowerPriority);
  EXPECT_EQ(spec.preemption->reclaim_within_cohort, kPreemptNever);
}

TEST(ClusterQueueEnums, AcceptOnlyTheirValues) {
  struct Case {
    std::string_view spec, field;
  };
  const Case cases[] = {
      {R"("queueingStrategy":"FIFO")", "spec.queueingStrategy"},
      {R"("queueingStrategy":"")", "spec.queueingStrategy"},
      {R"("stopPolicy":"Drain")", "spec.stopPolicy"},
      {R"("preemption":{"reclaimWithinCohort":"LowerOrNewerEqualPriority"})",
       "spec.preemption.reclaimWithinCohort"},
      {R"("preemption":{"withinClusterQueue":"Any"})", "spec.preemption.withinClusterQueue"},
      {R"("preemption":{"reclaimWithinCohort":"Any","borrowWithinCohort":{"policy":"Any"}})",
       "spec.preemption.borrowWithinCohort.policy"},
      {R"("flavorFungibility":{"whenCanBorrow":"Borrow"})", "spec.flavorFungibility.whenCanBorrow"},
      {R"("flavorFungibility":{"whenCanPreempt":"Preempt"})",
       "spec.flavorFungibility.whenCanPreempt"},
      {R"("admissionScope":{"admissionMode":"x"})", "spec.admissionScope.admissionMode"},
      {R"("concurrentAdmissionPolicy":{"migration":{"mode":"x"}})",
       "spec.concurrentAdmissionPolicy.migration.mode"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(QueueFaults(c.spec), ElementsAre(std::string(c.field) + ": FieldValueNotSupported"))
        << c.spec;
}

TEST(ClusterQueueNames, MustBeDnsSubdomains) {
  EXPECT_THAT(QueueFaults(R"("cohortName":"a.b-1")"), IsEmpty());
  EXPECT_THAT(QueueFaults(R"("cohortName":"")"), ElementsAre("spec.cohortName: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults(R"("cohortName":"A_b")"),
              ElementsAre("spec.cohortName: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults(R"("cohortName":")" + std::string(254, 'a') + "\""),
              ElementsAre("spec.cohortName: FieldValueTooLong"));
}

TEST(BorrowingLimit, NeedsACohort) {
  const std::string_view groups =
      R"("resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":)"
      R"([{"name":"cpu","nominalQuota":"1","borrowingLimit":"0"}]}]}])";
  EXPECT_THAT(QueueFaults(groups), ElementsAre("spec: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults(R"("cohortName":"c",)" + std::string(groups)), IsEmpty());
}

TEST(ResourceGroups, HaveOneQuotaForEachCoveredResource) {
  const std::string_view cpu = R"({"name":"cpu","nominalQuota":"1"})";
  const std::string_view memory = R"({"name":"memory","nominalQuota":"1Gi"})";
  const std::string both = "[" + std::string(cpu) + "," + std::string(memory) + "]";
  EXPECT_THAT(QueueFaults(Group(R"(["cpu","memory"])", both)), IsEmpty());
  EXPECT_THAT(QueueFaults(Group(R"(["cpu","memory"])", "[" + std::string(cpu) + "]")),
              ElementsAre("spec.resourceGroups[0]: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults(Group(R"(["cpu"])", both)),
              ElementsAre("spec.resourceGroups[0]: FieldValueInvalid"));
}

TEST(ResourceGroups, NameFlavorsAndResourcesOnce) {
  EXPECT_THAT(
      QueueFaults(Group(R"(["cpu","cpu"])", Repeat(R"({"name":"cpu","nominalQuota":1})", 2))),
      ElementsAre("spec.resourceGroups[0].flavors[0].resources[1]: FieldValueDuplicate"));
  const std::string flavors =
      Repeat(R"({"name":"f","resources":[{"name":"cpu","nominalQuota":1}]})", 2);
  EXPECT_THAT(
      QueueFaults(R"("resourceGroups":[{"coveredResources":["cpu"],"flavors":)" + flavors + "}]"),
      ElementsAre("spec.resourceGroups[0].flavors[1]: FieldValueDuplicate"));
}

TEST(ResourceGroups, AreNotEmptyAndAtMost16) {
  EXPECT_THAT(QueueFaults(R"("resourceGroups":[])"), IsEmpty());
  EXPECT_THAT(QueueFaults(R"("resourceGroups":[{"coveredResources":["cpu"],"flavors":[]}])"),
              ElementsAre("spec.resourceGroups[0].flavors: FieldValueInvalid"));
  const std::string group =
      R"({"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":1}]}]})";
  EXPECT_THAT(QueueFaults("\"resourceGroups\":" + Repeat(group, 16)), IsEmpty());
  EXPECT_THAT(QueueFaults("\"resourceGroups\":" + Repeat(group, 17)),
              ElementsAre("spec.resourceGroups: FieldValueTooMany"));
}

TEST(FlavorFungibilityPreference, NeedsBothToTryTheNextFlavor) {
  const auto with = [](std::string_view policies) {
    return QueueFaults(R"("flavorFungibility":{"preference":"BorrowingOverPreemption")" +
                       std::string(policies) + "}");
  };
  EXPECT_THAT(with(R"(,"whenCanBorrow":"TryNextFlavor","whenCanPreempt":"TryNextFlavor")"),
              IsEmpty());
  EXPECT_THAT(with(R"(,"whenCanBorrow":"TryNextFlavor")"), IsEmpty());  // default of the other
  EXPECT_THAT(with(""), ElementsAre("spec.flavorFungibility: FieldValueInvalid"));
  EXPECT_THAT(with(R"(,"whenCanBorrow":"TryNextFlavor","whenCanPreempt":"MayStopSearch")"),
              ElementsAre("spec.flavorFungibility: FieldValueInvalid"));
}

TEST(BorrowWithinCohort, NeedsReclaimWithinCohort) {
  EXPECT_THAT(QueueFaults(R"("preemption":{"borrowWithinCohort":{"policy":"LowerPriority"}})"),
              ElementsAre("spec.preemption: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults(R"("preemption":{"reclaimWithinCohort":"Any",)"
                          R"("borrowWithinCohort":{"policy":"LowerPriority"}})"),
              IsEmpty());
}

TEST(AdmissionChecksStrategy, NamesAtLeastOneCheckAndEachOnce) {
  EXPECT_THAT(QueueFaults(R"("admissionChecksStrategy":{"admissionChecks":[]})"),
              ElementsAre("spec.admissionChecksStrategy.admissionChecks: FieldValueInvalid"));
  EXPECT_THAT(
      QueueFaults(R"("admissionChecksStrategy":{"admissionChecks":[{"name":"a"},{"name":"a"}]})"),
      ElementsAre("spec.admissionChecksStrategy.admissionChecks[1]: FieldValueDuplicate"));
  EXPECT_THAT(
      QueueFaults(
          R"("admissionChecksStrategy":{"admissionChecks":[{"name":"a","onFlavors":["f","f"]}]})"),
      ElementsAre(
          "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[1]: FieldValueDuplicate"));
}

TEST(ExcludeResourcePrefixes, AreNotEmptyAndAtMost64) {
  EXPECT_THAT(QueueFaults(R"("excludeResourcePrefixes":[])"), IsEmpty());
  EXPECT_THAT(QueueFaults(R"("excludeResourcePrefixes":["hugepages-","example.com"])"), IsEmpty());
  EXPECT_THAT(QueueFaults(R"("excludeResourcePrefixes":["a",""])"),
              ElementsAre("spec.excludeResourcePrefixes[1]: FieldValueInvalid"));
  EXPECT_THAT(QueueFaults("\"excludeResourcePrefixes\":" + Repeat(R"("a")", 64)), IsEmpty());
  EXPECT_THAT(QueueFaults("\"excludeResourcePrefixes\":" + Repeat(R"("a")", 65)),
              ElementsAre("spec.excludeResourcePrefixes: FieldValueTooMany"));
}

TEST(DeviceClassResources, NeedKindAndNamesTogether) {
  const auto with = [](std::string_view fields) {
    return QueueFaults(
        Group(R"(["gpus"])", R"([{"name":"gpus","nominalQuota":2)" + std::string(fields) + "}]"));
  };
  const std::string resource = "spec.resourceGroups[0].flavors[0].resources[0]";
  EXPECT_THAT(with(R"(,"kind":"DeviceClass","deviceClassNames":["gpu.example.com"])"), IsEmpty());
  EXPECT_THAT(with(R"(,"kind":"DeviceClass")"), ElementsAre(resource + ": FieldValueInvalid"));
  EXPECT_THAT(with(R"(,"deviceClassNames":["gpu.example.com"])"),
              ElementsAre(resource + ": FieldValueInvalid"));
  EXPECT_THAT(with(R"(,"kind":"DeviceClass","deviceClassNames":[])"),
              ElementsAre(resource + ".deviceClassNames: FieldValueInvalid"));
  EXPECT_THAT(with(R"(,"kind":"DeviceClass","deviceClassNames":["Gpu"])"),
              ElementsAre(resource + ".deviceClassNames[0]: FieldValueInvalid"));
  EXPECT_THAT(with(R"(,"kind":"Core","deviceClassNames":["a"])"),
              ElementsAre(resource + ".kind: FieldValueNotSupported"));
}

TEST(CohortParent, MustBeADnsSubdomain) {
  EXPECT_THAT(Faults<Cohort>(R"({"spec":{"parentName":"root"}})"), IsEmpty());
  EXPECT_THAT(Faults<Cohort>(R"({"spec":{"parentName":""}})"),
              ElementsAre("spec.parentName: FieldValueInvalid"));
}

TEST(CohortQuota, MayHaveBorrowingLimitsWithoutParent) {
  EXPECT_THAT(Faults<Cohort>(R"({"spec":{"resourceGroups":[{"coveredResources":["cpu"],"flavors":[)"
                             R"({"name":"f","resources":[{"name":"cpu","nominalQuota":"1",)"
                             R"("borrowingLimit":"1"}]}]}]}})"),
              IsEmpty());
}

}  // namespace
}  // namespace berth::api

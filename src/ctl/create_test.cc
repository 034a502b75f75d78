#include "ctl/create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/encode.h"

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

std::string ClusterQueueOf(const ClusterQueueFlags& flags) {
  const auto made = MakeClusterQueue(flags);
  return made ? schema::Encode(*made) : base::ToString(made.error());
}

std::string FlavorOf(const ResourceFlavorFlags& flags) {
  const auto made = MakeResourceFlavor(flags);
  return made ? schema::Encode(*made) : base::ToString(made.error());
}

TEST(CreateClusterQueue, HasKueuectlsDefaults) {
  EXPECT_EQ(
      ClusterQueueOf({.name = "a"}),
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"a"},)"
      R"("spec":{"queueingStrategy":"BestEffortFIFO","namespaceSelector":{},)"
      R"("preemption":{"reclaimWithinCohort":"Never","withinClusterQueue":"Never"}}})");
}

TEST(CreateClusterQueue, TakesPoliciesAndSelector) {
  const std::string queue = ClusterQueueOf({.name = "a",
                                            .cohort = "all",
                                            .queueing_strategy = "StrictFIFO",
                                            .namespace_selector = {"fooX=barX,fooY=barY"},
                                            .reclaim_within_cohort = "Any",
                                            .preemption_within_cluster_queue = "LowerPriority"});
  EXPECT_THAT(queue, HasSubstr(R"("cohortName":"all","queueingStrategy":"StrictFIFO")"));
  EXPECT_THAT(queue, HasSubstr(R"("matchLabels":{"fooX":"barX","fooY":"barY"})"));
  EXPECT_THAT(queue,
              HasSubstr(R"({"reclaimWithinCohort":"Any","withinClusterQueue":"LowerPriority"})"));
}

TEST(CreateClusterQueue, GroupsFlavorsWithTheSameResources) {
  const std::string queue = ClusterQueueOf(
      {.name = "a",
       .quotas = {.nominal_quota = {"alpha:cpu=9;memory=36Gi,beta:memory=72Gi;cpu=18",
                                    "gpus:nvidia.com/gpu=10"},
                  .borrowing_limit = {"alpha:cpu=1;memory=1Gi"}}});
  EXPECT_THAT(
      queue,
      HasSubstr(
          R"([{"coveredResources":["cpu","memory"],"flavors":[{"name":"alpha","resources":[)"
          R"({"name":"cpu","nominalQuota":"9","borrowingLimit":"1"},)"
          R"({"name":"memory","nominalQuota":"36Gi","borrowingLimit":"1Gi"}]},)"
          R"({"name":"beta","resources":[{"name":"cpu","nominalQuota":"18"},)"
          R"({"name":"memory","nominalQuota":"72Gi"}]}]},{"coveredResources":["nvidia.com/gpu"],)"));
}

TEST(CreateClusterQueue, RefusesQuotaThatFitsNoGroup) {
  const auto with = [](QuotaFlags quotas) {
    return ClusterQueueOf({.name = "a", .quotas = std::move(quotas)});
  };
  EXPECT_THAT(with({.nominal_quota = {"cpu=9"}}), HasSubstr("it names no flavor"));
  EXPECT_THAT(with({.nominal_quota = {"alpha:cpu"}}), HasSubstr("is not RESOURCE=QUANTITY"));
  EXPECT_THAT(with({.nominal_quota = {"alpha:cpu=many"}}), HasSubstr("no valid quantity"));
  EXPECT_THAT(with({.nominal_quota = {"alpha:cpu=1"}, .lending_limit = {"alpha:memory=1"}}),
              HasSubstr("different resources for \"alpha\""));
  EXPECT_THAT(with({.nominal_quota = {"alpha:cpu=1;memory=1,beta:cpu=1"}}),
              HasSubstr("flavors share \"cpu\""));
}

TEST(CreateResourceFlavor, ReadsTaintsAndTolerations) {
  const std::string flavor = FlavorOf(
      {.name = "f",
       .node_labels = {"kubernetes.io/arch=arm64,kubernetes.io/os=linux"},
       .node_taints = {"key1=value:NoSchedule,key2:NoExecute"},
       .tolerations = {"key1=value:NoSchedule,key2:NoExecute,key3=value,key4,:PreferNoSchedule"}});
  EXPECT_THAT(flavor, HasSubstr(R"("nodeLabels":{"kubernetes.io/arch":"arm64",)"));
  EXPECT_THAT(flavor, HasSubstr(R"("nodeTaints":[{"key":"key1","value":"value",)"
                                R"("effect":"NoSchedule"},{"key":"key2","effect":"NoExecute"}])"));
  EXPECT_THAT(
      flavor,
      HasSubstr(R"("tolerations":[{"key":"key1","operator":"Equal","value":"value",)"
                R"("effect":"NoSchedule"},{"key":"key2","operator":"Exists","effect":"NoExecute"},)"
                R"({"key":"key3","operator":"Equal","value":"value"},)"
                R"({"key":"key4","operator":"Exists"},)"
                R"({"operator":"Exists","effect":"PreferNoSchedule"}])"));
}

TEST(CreateResourceFlavor, RefusesBadTaints) {
  const auto taints = [](std::string text) {
    return FlavorOf({.name = "f", .node_taints = {std::move(text)}});
  };
  EXPECT_THAT(taints("key"), HasSubstr("it has no effect"));
  EXPECT_THAT(taints(":NoSchedule"), HasSubstr("it has no key"));
  EXPECT_THAT(taints("key:Sometimes"), HasSubstr("the effect is NoSchedule"));
  EXPECT_THAT(taints("a:b:NoSchedule"), HasSubstr("invalid taint spec: \"a:b:NoSchedule\""));
  EXPECT_THAT(taints("k=a:NoSchedule,k=b:NoSchedule"), HasSubstr("duplicated taints"));
  EXPECT_THAT(FlavorOf({.name = "f", .tolerations = {"=v:NoSchedule"}}),
              HasSubstr("a value without a key"));
  EXPECT_THAT(FlavorOf({.name = "f", .node_labels = {"zone"}}),
              HasSubstr("must be formatted as key=value"));
}

}  // namespace
}  // namespace berth::ctl

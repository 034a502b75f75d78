#include "workload/requests/resource_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "schema/decode.h"
#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using api::Gate;
using testing::Amounts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::PodAsking;
using testing::PodSetOf;

// The `resources` section of the Configuration, and gates that are on beside the default ones.
std::shared_ptr<const ResourceOptions> Options(std::string_view resources_json,
                                               std::vector<Gate> gates = {}) {
  api::Configuration configuration;
  configuration.resources =
      schema::Decode<api::ResourcesSettings>(resources_json, {.is_strict = true}).value();
  api::FeatureGates all;
  for (Gate gate : gates) all.Set(gate, true);
  return std::make_shared<const ResourceOptions>(ResourceOptions::From(configuration, all));
}

struct Queue {
  std::vector<std::string> covers;
  std::vector<std::string> excludes = {};
};

CountedRequests Count(const PodSetDemand& demand, const Queue& queue,
                      std::shared_ptr<const ResourceOptions> options = Options("{}")) {
  api::ClusterQueueSpec spec;
  spec.resource_groups.emplace_back().covered_resources = queue.covers;
  spec.exclude_resource_prefixes = queue.excludes;
  ResourcePrefixPool pool;
  return ResourceFilter(std::move(options), spec, pool).Count({&demand, 1});
}

TEST(CountedRequests, AreRoundedPerPodThenMultiplied) {
  const auto counted = Count({"main", 10, Amounts({{"cpu", "1500u"}}), {}}, {.covers = {"cpu"}});
  EXPECT_EQ(counted.pod_sets[0], (PodSetTotals{"main", 10, {{"cpu", 20}}}));
}

TEST(CountedRequests, AreNeverNegative) {
  const auto counted = Count({"main", 3, Amounts({{"cpu", "-1"}}), {}}, {.covers = {"cpu"}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 0}}));
}

TEST(CountedRequests, StopAtTheLargestNumber) {
  const auto counted = Count({"main", 3, Amounts({{"gpu", "5E"}}), {}}, {.covers = {"gpu"}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"gpu", std::numeric_limits<int64_t>::max()}}));
}

TEST(CountedRequests, OfNoPodsAreExplicitZeros) {
  const auto counted = Count({"main", 0, Amounts({{"cpu", "1"}}), {}}, {.covers = {"cpu"}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 0}}));
}

TEST(CountedPods, AreAddedWhereTheQueueCoversThem) {
  const PodSetDemand demand{"main", 4, Amounts({{"cpu", "1"}}), {}};
  EXPECT_EQ(Count(demand, {.covers = {"cpu", "pods"}}).pod_sets[0].requests,
            (Requests{{"cpu", 4000}, {"pods", 4}}));
  EXPECT_EQ(Count(demand, {.covers = {"cpu"}}).pod_sets[0].requests, (Requests{{"cpu", 4000}}));
}

TEST(CountedPods, CanBeExcludedOnceQueuesExcludeResources) {
  const PodSetDemand demand{"main", 4, {}, {}};
  const Queue queue{.covers = {"pods"}, .excludes = {"pods"}};
  EXPECT_EQ(Count(demand, queue).pod_sets[0].requests, (Requests{{"pods", 4}}));
  const auto counted = Count(demand, queue, Options("{}", {Gate::kClusterQueueResourceExclusion}));
  EXPECT_EQ(counted.pod_sets[0].requests, Requests());
  EXPECT_THAT(counted.skipped,
              ElementsAre(SkippedResource{"pods", NotCounted::kExcludedByClusterQueue, "pods"}));
}

// KEP-5800 rule 1.
TEST(Exclusions, AreThoseOfTheConfigurationAndOfTheQueue) {
  const auto options = Options(R"({"excludeResourcePrefixes":["example.com"]})",
                               {Gate::kClusterQueueResourceExclusion});
  const auto counted = Count(
      {"main", 1, Amounts({{"cpu", "1"}, {"example.com/a", "1"}, {"hugepages-2Mi", "2Mi"}}), {}},
      {.covers = {"cpu", "hugepages-2Mi"}, .excludes = {"hugepages-"}}, options);
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 1000}}));
  EXPECT_THAT(
      counted.skipped,
      ElementsAre(
          SkippedResource{"example.com/a", NotCounted::kExcludedByConfiguration, "example.com"},
          SkippedResource{"hugepages-2Mi", NotCounted::kExcludedByClusterQueue, "hugepages-"}));
}

TEST(Exclusions, OfQueuesHaveNoEffectWithoutTheirGate) {
  const auto counted =
      Count({"main", 1, Amounts({{"cpu", "1"}}), {}}, {.covers = {"cpu"}, .excludes = {"cpu"}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 1000}}));
  EXPECT_THAT(counted.skipped, IsEmpty());
}

// KEP-5800 rule 3.
TEST(Exclusions, MayLeaveNothing) {
  const auto counted =
      Count({"main", 2, Amounts({{"cpu", "1"}, {"memory", "1"}}), {}}, {.covers = {"cpu"}},
            Options(R"({"excludeResourcePrefixes":["cpu","memory"]})"));
  EXPECT_EQ(counted.pod_sets[0], (PodSetTotals{"main", 2, {}}));
}

TEST(Exclusions, ComeBeforeTransformationsAndDoNotReachOutputs) {
  const auto options = Options(R"({"excludeResourcePrefixes":["g","credit"],"transformations":[
      {"input":"g","outputs":{"x":"1"}},
      {"input":"cpu","strategy":"Replace","multiplyBy":"g","outputs":{"credit":"3"}}]})");
  const auto counted =
      Count({"main", 1, Amounts({{"cpu", "2"}, {"g", "4"}}), {}}, {.covers = {"credit"}}, options);
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"credit", 6}}));
  EXPECT_THAT(counted.skipped,
              ElementsAre(SkippedResource{"cpu", NotCounted::kReplaced, ""},
                          SkippedResource{"g", NotCounted::kExcludedByConfiguration, "g"}));
}

// KEP-7513 rule 1.
TEST(QuotaCheckAll, KeepsUndeclaredRequestsUnlessTheyAreZero) {
  const auto counted =
      Count({"main", 1, Amounts({{"gpu", "1"}, {"disk", "0"}}), {}}, {.covers = {"cpu"}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"gpu", 1}}));
  EXPECT_THAT(counted.skipped, ElementsAre(SkippedResource{"disk", NotCounted::kNotDeclared, ""}));
}

// KEP-7513 rule 2.
TEST(QuotaCheckOnlyDeclared, SkipsUndeclaredRequests) {
  const auto options = Options(R"({"quotaCheck":"OnlyDeclared"})", {Gate::kQuotaCheck});
  const auto counted =
      Count({"main", 1, Amounts({{"cpu", "1"}, {"gpu", "1"}}), {}}, {.covers = {"cpu"}}, options);
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 1000}}));
  EXPECT_THAT(counted.skipped, ElementsAre(SkippedResource{"gpu", NotCounted::kNotDeclared, ""}));
}

TEST(QuotaCheckOnlyDeclared, AppliesToOutputsOfTransformations) {
  const auto options = Options(
      R"({"quotaCheck":"OnlyDeclared","transformations":[{"input":"gpu","outputs":{"credit":"2"}}]})",
      {Gate::kQuotaCheck});
  const auto counted =
      Count({"main", 1, Amounts({{"gpu", "1"}}), {}}, {.covers = {"credit"}}, options);
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"credit", 2}}));
}

// KEP-7513 rule 3.
TEST(QuotaCheckOnlyDeclared, MakesExclusionsIneffective) {
  const auto options = Options(R"({"quotaCheck":"OnlyDeclared","excludeResourcePrefixes":["cpu"]})",
                               {Gate::kQuotaCheck, Gate::kClusterQueueResourceExclusion});
  const auto counted =
      Count({"main", 1, Amounts({{"cpu", "1"}, {"memory", "1"}}), {}},
            {.covers = {"cpu", "memory", "pods"}, .excludes = {"memory", "pods"}}, options);
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"cpu", 1000}, {"memory", 1}, {"pods", 1}}));
  EXPECT_THAT(counted.skipped, IsEmpty());
}

// --- Devices, KEP-2941 ---------------------------------------------------------------------------

constexpr Gate kDevices = Gate::kKueueDynamicResourceAllocation;

// A queue that counts class "big.example.com" as gpus, and covers nics as well.
CountedRequests CountDevices(std::vector<DeviceDemand> devices,
                             std::shared_ptr<const ResourceOptions> options = Options("{}",
                                                                                      {kDevices}),
                             int32_t count = 3) {
  api::ClusterQueueSpec spec;
  api::ResourceGroup& group = spec.resource_groups.emplace_back();
  group.covered_resources = {"gpus", "nics"};
  api::ResourceQuota& gpus = group.flavors.emplace_back().resources.emplace_back();
  gpus.name = "gpus";
  gpus.kind = "DeviceClass";
  gpus.device_class_names = {"big.example.com"};
  ResourcePrefixPool pool;
  const PodSetDemand demand{"main", count, Amounts({{"nics", "1"}}), std::move(devices)};
  return ResourceFilter(std::move(options), spec, pool).Count({&demand, 1});
}

// Rules 1, 4 and 7.
TEST(Devices, CountUnderTheResourceNameOfTheQueue) {
  const auto counted =
      CountDevices({{.claim = "t", .device_class = "big.example.com", .per_pod = 2},
                    {.claim = "u", .device_class = "big.example.com", .per_pod = 1}});
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"gpus", 9}, {"nics", 3}}));
  EXPECT_THAT(counted.devices,
              ElementsAre(CountedDevices{"main", "t", "big.example.com", "gpus", 6},
                          CountedDevices{"main", "u", "big.example.com", "gpus", 3}));
}

// Rule 3.
TEST(Devices, OfASharedClaimDoNotGrowWithThePods) {
  const auto counted =
      CountDevices({{.claim = "t", .device_class = "big.example.com", .per_pod = 2},
                    {.claim = "c", .device_class = "big.example.com", .shared = 4}});
  EXPECT_EQ(*counted.pod_sets[0].requests.Find("gpus"), 10);
  EXPECT_EQ(counted.pod_sets[0].shared, (Requests{{"gpus", 4}}));
}

// Rule 4.
TEST(Devices, ForAdminAccessDoNotCount) {
  const auto counted = CountDevices(
      {{.claim = "t", .device_class = "big.example.com", .per_pod = 9, .is_admin_access = true}});
  EXPECT_FALSE(counted.pod_sets[0].requests.Contains("gpus"));
  EXPECT_THAT(counted.skipped, ElementsAre(SkippedResource{"gpus", NotCounted::kAdminAccess, ""}));
}

TEST(Devices, StopAtTheLargestNumber) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto counted =
      CountDevices({{.claim = "t", .device_class = "big.example.com", .per_pod = kMost / 2},
                    {.claim = "u", .device_class = "big.example.com", .shared = 7}});
  EXPECT_EQ(*counted.pod_sets[0].requests.Find("gpus"), kMost);
}

// Rule 6.
TEST(Devices, OfAnUnmappedClassCountAsUndeclared) {
  const std::vector<DeviceDemand> strange{{.claim = "t", .device_class = "nics", .per_pod = 1}};
  EXPECT_EQ(CountDevices(strange).pod_sets[0].requests,
            (Requests{{"DeviceClass nics", 3}, {"nics", 3}}));
  const auto counted = CountDevices(
      strange, Options(R"({"quotaCheck":"OnlyDeclared"})", {kDevices, Gate::kQuotaCheck}));
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"nics", 3}}));
  EXPECT_THAT(counted.devices, IsEmpty());
  EXPECT_THAT(counted.skipped,
              ElementsAre(SkippedResource{"DeviceClass nics", NotCounted::kNotDeclared, ""}));
}

// Rule 6.
TEST(Devices, AreExcludedByTheirResourceName) {
  const std::vector<DeviceDemand> devices{
      {.claim = "t", .device_class = "big.example.com", .per_pod = 1}};
  EXPECT_TRUE(CountDevices(devices, Options(R"({"excludeResourcePrefixes":["big.example.com"]})",
                                            {kDevices}))
                  .pod_sets[0]
                  .requests.Contains("gpus"));
  const auto counted =
      CountDevices(devices, Options(R"({"excludeResourcePrefixes":["gpus"]})", {kDevices}));
  EXPECT_EQ(counted.pod_sets[0].requests, (Requests{{"nics", 3}}));
  EXPECT_THAT(counted.skipped,
              ElementsAre(SkippedResource{"gpus", NotCounted::kExcludedByConfiguration, "gpus"}));
}

TEST(Devices, AreNotTransformed) {
  const auto counted = CountDevices(
      {{.claim = "t", .device_class = "big.example.com", .per_pod = 1}},
      Options(R"({"transformations":[{"input":"gpus","strategy":"Replace","outputs":{"x":"1"}}]})",
              {kDevices}));
  EXPECT_EQ(*counted.pod_sets[0].requests.Find("gpus"), 3);
}

TEST(Devices, AreMappedByTheConfigurationIfTheQueueDoesNot) {
  const std::string mappings = R"({"deviceClassMappings":[
      {"name":"nics","deviceClassNames":["small.example.com","big.example.com"]},
      {"name":"cores","deviceClassNames":["part.example.com"],"sources":[{"counter":{"name":"c"}}]}]})";
  const std::vector<DeviceDemand> devices{
      {.claim = "t", .device_class = "big.example.com", .per_pod = 1},
      {.claim = "u", .device_class = "small.example.com", .per_pod = 2},
      {.claim = "v", .device_class = "part.example.com", .per_pod = 1}};
  EXPECT_EQ(CountDevices(devices, Options(mappings, {kDevices})).pod_sets[0].requests,
            (Requests{{"DeviceClass part.example.com", 3}, {"gpus", 3}, {"nics", 9}}));
  // Without its gate the queue says nothing.
  EXPECT_EQ(CountDevices(devices, Options(mappings)).pod_sets[0].requests,
            (Requests{{"DeviceClass part.example.com", 3}, {"nics", 12}}));
}

// The demand is 3 pods with 2 of the extended resource each.
CountedRequests CountExtended(const std::string& device_class,
                              const std::shared_ptr<const ResourceOptions>& options) {
  const std::vector<PodSetDemand> demands{
      {"main",
       3,
       Amounts({{"x.com/gpu", "2"}}),
       {{.device_class = device_class, .per_pod = 2, .extended_resource = "x.com/gpu"}}}};
  return ResourceFilter(options).Count(demands);
}

TEST(Devices, OfAnExtendedResourceCountUnderTheNameOfTheirClass) {
  const auto options = Options(R"({"deviceClassMappings":[
      {"name":"gpus","deviceClassNames":["big.example.com"]},
      {"name":"cores","deviceClassNames":["part.example.com"],"sources":[{"counter":{"name":"c"}}]}]})");
  EXPECT_TRUE(options->counts_extended_resources);
  EXPECT_EQ(CountExtended("big.example.com", options).pod_sets[0].requests,
            (Requests{{"gpus", 6}}));
  EXPECT_EQ(CountExtended("other.example.com", options).pod_sets[0].requests,
            (Requests{{"x.com/gpu", 6}}));
  EXPECT_THAT(CountExtended("part.example.com", options).unmapped_devices,
              ElementsAre(Pair("part.example.com", 6)));
}

TEST(Devices, CountIfTheirGateIsOnOrTheConfigurationMapsThem) {
  EXPECT_FALSE(Options("{}")->counts_devices);
  EXPECT_TRUE(Options("{}", {kDevices})->counts_devices);
  EXPECT_TRUE(Options(R"({"deviceClassMappings":[{"name":"a","deviceClassNames":["b"]}]})")
                  ->counts_devices);
}

TEST(SkippedResources, AreNamedOncePerWorkload) {
  const std::vector<PodSetDemand> demands{{"a", 1, Amounts({{"cpu", "1"}}), {}},
                                          {"b", 1, Amounts({{"cpu", "1"}}), {}}};
  const ResourceFilter filter(Options(R"({"excludeResourcePrefixes":["cpu"]})"));
  EXPECT_THAT(filter.Count(demands).skipped,
              ElementsAre(SkippedResource{"cpu", NotCounted::kExcludedByConfiguration, "cpu"}));
}

TEST(SkippedResources, NameTheirReason) {
  EXPECT_EQ(ToString({"a/b", NotCounted::kExcludedByConfiguration, "a"}, "q"),
            "a/b: excluded by prefix \"a\" in the Configuration");
  EXPECT_EQ(ToString({"a/b", NotCounted::kExcludedByClusterQueue, "a"}, "q"),
            "a/b: excluded by prefix \"a\" in ClusterQueue \"q\"");
  EXPECT_EQ(ToString({"a/b", NotCounted::kNotDeclared, ""}, "q"),
            "a/b: not declared in ClusterQueue \"q\"");
  EXPECT_EQ(ToString({"a/b", NotCounted::kAdminAccess, ""}, "q"), "a/b: admin access");
  EXPECT_EQ(ToString({"a/b", NotCounted::kReplaced, ""}, "q"),
            "a/b: counted as other resources by a transformation in the Configuration");
}

TEST(Demand, IsWithoutReclaimablePodsUnlessTheirGateIsOff) {
  const std::vector<api::PodSet> pod_sets{PodSetOf("main", 5, PodAsking(Amounts({{"cpu", "1"}}))),
                                          PodSetOf("other", 2, {})};
  const std::vector<api::ReclaimablePod> reclaimable{{.name = "main", .count = 2}};
  ResourceOptions options;
  EXPECT_EQ(DemandOf(pod_sets, reclaimable, options)[0].count, 3);
  EXPECT_EQ(DemandOf(pod_sets, reclaimable, options)[1].count, 2);
  options.reclaims_pods = false;
  EXPECT_EQ(DemandOf(pod_sets, reclaimable, options)[0].count, 5);
}

}  // namespace
}  // namespace berth::workload

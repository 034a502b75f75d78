#include "workload/requests/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "api/meta/manifest.h"
#include "schema/decode.h"
#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Pod;
using testing::PodSetOf;

// KEP-2941 rules 3 to 5.

std::vector<ClassCount> Counts(std::string_view requests) {
  const std::string json = R"({"devices":{"requests":[)" + std::string(requests) + "]}}";
  return CountDevices(schema::Decode<api::ResourceClaimSpec>(json).value());
}

TEST(ClaimedDevices, AreOneByDefault) {
  EXPECT_THAT(Counts(R"({"name":"a","exactly":{"deviceClassName":"x"}})"),
              ElementsAre(ClassCount{"x", 1}));
}

TEST(ClaimedDevices, AreAsManyAsTheCount) {
  EXPECT_THAT(Counts(R"({"name":"a","exactly":{"deviceClassName":"x","count":4}})"),
              ElementsAre(ClassCount{"x", 4}));
}

TEST(ClaimedDevices, AreTheMaximumOfAClaimInModeAll) {
  EXPECT_THAT(Counts(R"({"name":"a","exactly":{"deviceClassName":"x","allocationMode":"All"}})"),
              ElementsAre(ClassCount{"x", 32}));
}

TEST(ClaimedDevices, OfAlternativesAllCount) {
  EXPECT_THAT(Counts(R"({"name":"a","firstAvailable":[
                  {"name":"big","deviceClassName":"x"},
                  {"name":"small","deviceClassName":"y","count":2},
                  {"name":"any","deviceClassName":"z","allocationMode":"All"}]})"),
              ElementsAre(ClassCount{"x", 1}, ClassCount{"y", 2}, ClassCount{"z", 32}));
}

TEST(ClaimedDevices, ForAdminAccessAreCountedSeparately) {
  EXPECT_THAT(Counts(R"({"name":"a","exactly":{"deviceClassName":"x","adminAccess":true}},
                        {"name":"b","exactly":{"deviceClassName":"x","adminAccess":false}})"),
              ElementsAre(ClassCount{"x", 1, false}, ClassCount{"x", 1, true}));
}

TEST(ClaimedDevices, OfSeveralRequestsAddUp) {
  EXPECT_THAT(Counts(R"({"name":"a","exactly":{"deviceClassName":"x","count":2}},
                        {"name":"b","exactly":{"deviceClassName":"y"}},
                        {"name":"c","exactly":{"deviceClassName":"x","count":3}})"),
              ElementsAre(ClassCount{"x", 5}, ClassCount{"y", 1}));
}

TEST(ClaimedDevices, StopAtTheLargestNumber) {
  const std::string huge =
      R"({"name":"a","exactly":{"deviceClassName":"x","count":9223372036854775807}})";
  EXPECT_THAT(Counts(huge + "," + huge),
              ElementsAre(ClassCount{"x", std::numeric_limits<int64_t>::max()}));
}

// The template of a claim in any version.
api::ResourceClaimTemplate Template(std::string_view version, std::string_view request) {
  const std::string json = R"({"apiVersion":"resource.k8s.io/)" + std::string(version) +
                           R"(","kind":"ResourceClaimTemplate","metadata":{"name":"t",)" +
                           R"("namespace":"ns"},"spec":{"spec":{"devices":{"requests":[)" +
                           std::string(request) + "]}}}}";
  const std::vector<api::Manifest> manifests = api::ReadManifests(json);
  EXPECT_TRUE(manifests.at(0).problems.empty()) << version;
  return *manifests.at(0).object->As<api::ResourceClaimTemplate>();
}

TEST(ClaimedDevices, AreReadInEveryVersion) {
  constexpr std::string_view kNested =
      R"({"name":"a","exactly":{"deviceClassName":"x","count":3}})";
  constexpr std::string_view kFlat = R"({"name":"a","deviceClassName":"x","count":3})";
  for (const auto& [version, request] : {std::pair{"v1", kNested}, std::pair{"v1beta2", kNested},
                                         std::pair{"v1beta1", kFlat}, std::pair{"v1alpha3", kFlat}})
    EXPECT_THAT(CountDevices(Template(version, request).spec.spec), ElementsAre(ClassCount{"x", 3}))
        << version;
}

class PodClaims : public ::testing::Test {
 protected:
  PodClaims() {
    claims_.Set(Template("v1", R"({"name":"a","exactly":{"deviceClassName":"x","count":2}})"));
    api::ResourceClaim claim;
    claim.metadata.name = "c";
    claim.metadata.namespace_ = "ns";
    claim.spec = schema::Decode<api::ResourceClaimSpec>(
                     R"({"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"y"}}]}})")
                     .value();
    claims_.Set(claim);
  }

  schema::Problems Add(std::vector<api::PodSet> pod_sets, std::string_view space = "ns") {
    demands_ = DemandOf(pod_sets, {}, {});
    return AddDevices(pod_sets, space, claims_, demands_);
  }

  static api::PodSpec Naming(std::string_view claims) {
    return Pod(R"({"containers":[],"resourceClaims":[)" + std::string(claims) + "]}");
  }

  ClaimStore claims_;
  std::vector<PodSetDemand> demands_;
};

constexpr std::string_view kTemplate = R"({"name":"a","resourceClaimTemplateName":"t"})";
constexpr std::string_view kShared = R"({"name":"b","resourceClaimName":"c"})";

TEST_F(PodClaims, OfATemplateAreOneForEachPod) {
  EXPECT_THAT(Add({PodSetOf("main", 3, Naming(kTemplate))}), IsEmpty());
  ASSERT_EQ(demands_[0].devices.size(), 1u);
  EXPECT_EQ(demands_[0].devices[0].per_pod, 2);
  EXPECT_EQ(demands_[0].devices[0].shared, 0);
  EXPECT_EQ(demands_[0].devices[0].claim, "ResourceClaimTemplate t");
}

TEST_F(PodClaims, ThatAreNamedCountOnceInAWorkload) {
  const std::string twice = std::string(kShared) + "," + std::string(kShared);
  EXPECT_THAT(Add({PodSetOf("none", 0, Naming(kShared)), PodSetOf("a", 3, Naming(twice)),
                   PodSetOf("b", 2, Naming(kShared))}),
              IsEmpty());
  EXPECT_THAT(demands_[0].devices, IsEmpty());
  ASSERT_EQ(demands_[1].devices.size(), 1u);
  EXPECT_EQ(demands_[1].devices[0].per_pod, 0);
  EXPECT_EQ(demands_[1].devices[0].shared, 1);
  EXPECT_THAT(demands_[2].devices, IsEmpty());
}

// Rule 6.
TEST_F(PodClaims, ThatAreMissingAreReported) {
  const schema::Problems problems = Add({PodSetOf("main", 1, Naming(kTemplate))}, "other");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field,
            "spec.podSets[0].template.spec.resourceClaims[0].resourceClaimTemplateName");
  EXPECT_EQ(problems[0].message, R"(ResourceClaimTemplate "t" not found in namespace "other")");
}

TEST_F(PodClaims, WithoutATargetAreIgnored) {
  EXPECT_THAT(Add({PodSetOf("main", 1, Naming(R"({"name":"a"})"))}), IsEmpty());
  EXPECT_THAT(demands_[0].devices, IsEmpty());
}

TEST_F(PodClaims, ChangeOnlyWithTheirCounts) {
  EXPECT_FALSE(
      claims_.Set(Template("v1beta1", R"({"name":"other","deviceClassName":"x","count":2})")));
  EXPECT_TRUE(claims_.Set(Template("v1beta1", R"({"name":"a","deviceClassName":"x","count":1})")));
}

// --- Extended resources --------------------------------------------------------------------------

api::DeviceClass Class(std::string_view name, std::string_view resource, int64_t created_at = 0) {
  api::DeviceClass device_class;
  device_class.metadata.name = name;
  device_class.metadata.creation_timestamp = base::Time::FromSeconds(created_at);
  if (!resource.empty()) device_class.spec.extended_resource_name = resource;
  return device_class;
}

std::string ClassOf(const ExtendedResources& classes, std::string_view resource) {
  const std::string* found = classes.ClassOf(resource);
  return found == nullptr ? "none" : *found;
}

TEST(ExtendedResourceOfClasses, IsOfTheClassCreatedLastThenTheFirstByName) {
  ExtendedResources classes;
  classes.Set(Class("b", "x.com/gpu", 2));
  classes.Set(Class("c", "x.com/gpu", 1));
  EXPECT_EQ(ClassOf(classes, "x.com/gpu"), "b");
  classes.Set(Class("a", "x.com/gpu", 2));
  EXPECT_EQ(ClassOf(classes, "x.com/gpu"), "a");
  classes.Erase("a");
  EXPECT_EQ(ClassOf(classes, "x.com/gpu"), "b");
  EXPECT_EQ(ClassOf(classes, "x.com/nic"), "none");
}

TEST(ExtendedResourceOfClasses, ChangesAreReportedOnce) {
  ExtendedResources classes;
  EXPECT_THAT(classes.Set(Class("a", "")), IsEmpty());
  EXPECT_THAT(classes.Set(Class("a", "x.com/gpu")), ElementsAre("x.com/gpu"));
  EXPECT_THAT(classes.Set(Class("a", "x.com/gpu")), IsEmpty());
  EXPECT_THAT(classes.Set(Class("a", "x.com/nic")), ElementsAre("x.com/gpu", "x.com/nic"));
  EXPECT_EQ(ClassOf(classes, "x.com/gpu"), "none");
  EXPECT_THAT(classes.Set(Class("a", "")), ElementsAre("x.com/nic"));
  EXPECT_THAT(classes.Erase("a"), IsEmpty());
}

TEST_F(PodClaims, IncludeExtendedResourcesOfClasses) {
  claims_.extended_resources().Set(Class("x", "x.com/gpu"));
  const api::PodSpec pod = Pod(
      R"({"containers":[{"name":"c","resources":{"requests":{"x.com/gpu":"2","y.com/nic":"1"}}}]})");
  EXPECT_THAT(Add({PodSetOf("main", 3, pod)}), IsEmpty());
  ASSERT_EQ(demands_[0].devices.size(), 1u);
  EXPECT_EQ(demands_[0].devices[0].device_class, "x");
  EXPECT_EQ(demands_[0].devices[0].per_pod, 2);
  EXPECT_EQ(demands_[0].devices[0].extended_resource, "x.com/gpu");
}

// Every text of a claim that keeps a workload pending. Scripts match these shapes.
// clang-format off
TEST_F(PodClaims, HaveTheseMessages) {
  const auto text = [](const schema::Problem& problem) { return problem.message + " (" + problem.hint + ")"; };
  EXPECT_EQ(text(Add({PodSetOf("main", 1, Naming(kTemplate))}, "other").at(0)),
            R"(ResourceClaimTemplate "t" not found in namespace "other" (create it, or name another))");
  EXPECT_EQ(text(Add({PodSetOf("main", 1, Naming(kShared))}, "other").at(0)),
            R"(ResourceClaim "c" not found in namespace "other" (create it, or name another))");
  EXPECT_EQ(text(RejectedClaims(std::vector{PodSetOf("main", 1, Naming(kShared))}).at(0)),
            "devices cannot be claimed: the feature gate KueueDRAIntegration is off (turn it on, or turn off KueueDRARejectWorkloadsWhenDRADisabled)");
  EXPECT_EQ(text(UnmappedClass("gpu.x", 2, "q")),
            R"(DeviceClass "gpu.x" has no resource in ClusterQueue "q", 2 requested (add a resource with kind: DeviceClass and deviceClassNames: [gpu.x] to the queue, or map the class in the Configuration))");
}
// clang-format on

}  // namespace
}  // namespace berth::workload

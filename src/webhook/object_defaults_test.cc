#include "webhook/object_defaults.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::webhook {
namespace {

std::string Defaulted(std::string_view kind, std::string_view object, bool is_create = true,
                      const api::FeatureGates& gates = {}) {
  json::value tree = *json::Parse(object);
  ApplyObjectDefaults(kind, is_create, gates, tree);
  return json::Print(tree);
}

constexpr std::string_view kProtected =
    R"({"metadata":{"finalizers":["kueue.x-k8s.io/resource-in-use"]}})";

TEST(InUseFinalizer, IsSetOnCreationOfQueuesAndFlavors) {
  EXPECT_EQ(Defaulted("ClusterQueue", R"({"metadata":{}})"), kProtected);
  EXPECT_EQ(Defaulted("ResourceFlavor", R"({})"), kProtected);
  EXPECT_EQ(Defaulted("Cohort", R"({"metadata":{}})"), R"({"metadata":{}})");
}

TEST(InUseFinalizer, IsSetOnceBesideOthers) {
  EXPECT_EQ(Defaulted("ClusterQueue", kProtected), kProtected);
  EXPECT_EQ(Defaulted("ClusterQueue", R"({"metadata":{"finalizers":["a/b"]}})"),
            R"({"metadata":{"finalizers":["a/b","kueue.x-k8s.io/resource-in-use"]}})");
}

TEST(InUseFinalizer, IsNotSetOnUpdate) {
  EXPECT_EQ(Defaulted("ClusterQueue", R"({"metadata":{}})", false), R"({"metadata":{}})");
}

TEST(InUseFinalizer, LeavesMalformedMetadataToDecoding) {
  EXPECT_EQ(Defaulted("ClusterQueue", R"({"metadata":{"finalizers":"x"}})"),
            R"({"metadata":{"finalizers":"x"}})");
  EXPECT_EQ(Defaulted("ClusterQueue", R"({"metadata":1})"), R"({"metadata":1})");
}

TEST(WorkloadDefaults, DropMinCountsUnlessPartialAdmissionIsOn) {
  constexpr std::string_view kWorkload = R"({"spec":{"podSets":[{"name":"a","minCount":1}]}})";
  api::FeatureGates off;
  off.Set(api::Gate::kPartialAdmission, false);
  EXPECT_EQ(Defaulted("Workload", kWorkload, true, off), R"({"spec":{"podSets":[{"name":"a"}]}})");
  EXPECT_EQ(Defaulted("Workload", kWorkload, false, off), kWorkload);
  EXPECT_EQ(Defaulted("Workload", kWorkload), kWorkload);
}

}  // namespace
}  // namespace berth::webhook

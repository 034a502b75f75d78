#include "store/previous_version.h"

#include <gtest/gtest.h>

#include "api/meta/object.h"
#include "api/meta/registry.h"
#include "schema/decode.h"

namespace berth::store {
namespace {

// The object with these members, converted to a previous version; without apiVersion and kind.
std::string Previous(std::string_view kind, std::string_view members,
                     std::string_view api_version = "kueue.x-k8s.io/v1beta1") {
  const api::FoundKind found = api::FindKind(api_version, kind);
  json::value object = *json::Parse("{" + std::string(members) + "}");
  ConvertToPrevious(*found.kind, api_version.substr(api_version.find('/') + 1), object);
  EXPECT_EQ(json::StringAt(object, {"apiVersion"}), api_version);
  object.get_object().erase("apiVersion");
  const std::string text = json::Print(object);
  return text.substr(1, text.size() - 2);
}

TEST(PreviousVersion, RenamesFields) {
  EXPECT_EQ(Previous("ClusterQueue", R"("spec":{"cohortName":"c"})"), R"("spec":{"cohort":"c"})");
  EXPECT_EQ(Previous("LocalQueue", R"("status":{"flavorsUsage":[]})"),
            R"("status":{"flavorUsage":[]})");
  EXPECT_EQ(Previous("Workload", R"("status":{"accumulatedPastExecutionTimeSeconds":7})"),
            R"("status":{"accumulatedPastExexcutionTimeSeconds":7})");
}

TEST(PreviousVersion, SplitsThePriorityClassReference) {
  EXPECT_EQ(Previous("Workload", R"("spec":{"priorityClassRef":{"group":"kueue.x-k8s.io",)"
                                 R"("kind":"WorkloadPriorityClass","name":"p"}})"),
            R"("spec":{"priorityClassName":"p",)"
            R"("priorityClassSource":"kueue.x-k8s.io/workloadpriorityclass"})");
  EXPECT_EQ(Previous("Workload", R"("spec":{"priorityClassRef":{"group":"scheduling.k8s.io",)"
                                 R"("kind":"PriorityClass","name":"p"}})"),
            R"("spec":{"priorityClassName":"p",)"
            R"("priorityClassSource":"scheduling.k8s.io/priorityclass"})");
}

TEST(PreviousVersion, MovesTheKubeConfigOfAMultiKueueCluster) {
  EXPECT_EQ(
      Previous("MultiKueueCluster", R"("spec":{"clusterSource":{"kubeConfig":{"location":"s"}}})"),
      R"("spec":{"kubeConfig":{"location":"s"}})");
}

TEST(PreviousVersion, ExpandsTopologyDomains) {
  EXPECT_EQ(Previous("Workload", R"("status":{"admission":{"podSetAssignments":[{"name":"main",)"
                                 R"("topologyAssignment":{"levels":["host"],"slices":[{)"
                                 R"("domainCount":2,"valuesPerLevel":[{"individual":{"prefix":"h",)"
                                 R"("roots":["1","2"]}}],"podCounts":{"universal":3}}]}}]}})"),
            R"("status":{"admission":{"podSetAssignments":[{"name":"main",)"
            R"("topologyAssignment":{"levels":["host"],"domains":[{"values":["h1"],"count":3},)"
            R"({"values":["h2"],"count":3}]}}]}})");
}

TEST(PreviousVersion, RestoresPreviousDeviceShapes) {
  const std::string_view claim =
      R"("spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu"}}]}})";
  EXPECT_EQ(Previous("ResourceClaim", claim, "resource.k8s.io/v1beta1"),
            R"("spec":{"devices":{"requests":[{"name":"r","deviceClassName":"gpu"}]}})");
  EXPECT_EQ(Previous("ResourceClaim", claim, "resource.k8s.io/v1beta2"), claim);
  EXPECT_EQ(Previous("ResourceSlice", R"("spec":{"devices":[{"name":"d","nodeName":"n"}]})",
                     "resource.k8s.io/v1beta1"),
            R"("spec":{"devices":[{"name":"d","basic":{"nodeName":"n"}}]})");
}

// Round trip: converting to a previous version and back keeps every field that the version has.
TEST(PreviousVersion, SurvivesARoundTrip) {
  for (const auto& [kind, members] : std::initializer_list<std::pair<const char*, const char*>>{
           {"ClusterQueue", R"("spec":{"cohortName":"c","queueingStrategy":"StrictFIFO"})"},
           {"MultiKueueCluster", R"("spec":{"clusterSource":{"clusterProfileRef":{"name":"p"}}})"},
           {"Workload", R"("spec":{"podSets":[],"priorityClassRef":{"group":"kueue.x-k8s.io",)"
                        R"("kind":"WorkloadPriorityClass","name":"p"},"priority":1})"}}) {
    const schema::Kind& described = *api::FindKind("kueue.x-k8s.io/v1beta1", kind).kind;
    api::Object today(described), back(described);
    schema::Decoder decoder;
    const std::string head = R"({"metadata":{"name":"x"},)";
    ASSERT_TRUE(decoder.Decode(head + members + "}", described, today.value()).empty());
    const std::string previous = "{" + Previous(kind, (head + members).substr(1)) + "}";
    ASSERT_TRUE(decoder.Decode(previous, described, back.value(), {.is_previous = true}).empty())
        << previous;
    EXPECT_EQ(back.Encode(), today.Encode());
  }
}

}  // namespace
}  // namespace berth::store

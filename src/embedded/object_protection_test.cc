// ClusterQueues and ResourceFlavors are protected from their creation on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/testing/live_cluster.h"
#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using testing::LiveCluster;
using testing::StartCluster;

constexpr std::string_view kFlavor =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: spot}\n";
constexpr std::string_view kQueue =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: all}\n"
    "spec: {resourceGroups: [{coveredResources: [cpu], flavors: [{name: spot, resources: "
    "[{name: cpu, nominalQuota: 1}]}]}]}\n";
std::string FinalizersOf(const json::value& object) {
  const json::value* finalizers = json::Find(object, {"metadata", "finalizers"});
  return finalizers == nullptr ? "" : json::Print(*finalizers);
}

constexpr std::string_view kInUse = R"(["kueue.x-k8s.io/resource-in-use"])";

TEST(ObjectProtection, IsInTheAnswerToTheCreation) {
  LiveCluster cluster = StartCluster();
  EXPECT_EQ(FinalizersOf(cluster.Create(kFlavor)), kInUse);
  EXPECT_EQ(FinalizersOf(cluster.Create(kQueue)), kInUse);
}

TEST(ObjectProtection, LeavesTheVersionOfTheCreationCurrent) {
  LiveCluster cluster = StartCluster();
  const json::value created = cluster.Create(kFlavor);
  cluster.AwaitIdle();
  const std::string version(json::StringAt(created, {"metadata", "resourceVersion"}));
  cluster.Patch("ResourceFlavor spot", R"({"metadata":{"resourceVersion":")" + version +
                                           R"("},"spec":{"nodeLabels":{"tier":"spot"}}})");
}

TEST(ObjectProtection, LeavesTimeToUpdateAQueueThatWasJustCreated) {
  LiveCluster cluster = StartCluster();
  const json::value created = cluster.Create(kQueue);
  const std::string version(json::StringAt(created, {"metadata", "resourceVersion"}));
  cluster.Patch("ClusterQueue all", R"({"metadata":{"resourceVersion":")" + version +
                                        R"("},"spec":{"queueingStrategy":"StrictFIFO"}})");
}

TEST(ObjectProtection, KeepsAFlavorThatIsDeletedAtOnceWhileAQueueUsesIt) {
  LiveCluster cluster = StartCluster();
  cluster.Create(kQueue);
  cluster.AwaitIdle();
  cluster.Create(kFlavor);
  cluster.Delete("ResourceFlavor spot");
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.Find("ResourceFlavor spot"));
}

TEST(ObjectProtection, SurvivesALaterApplyWithoutIt) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(kFlavor);
  cluster.Apply(std::string(kFlavor) + "spec: {nodeLabels: {tier: spot}}\n");
  EXPECT_EQ(FinalizersOf(*cluster.Find("ResourceFlavor spot")), kInUse);
}

TEST(ObjectProtection, IsAddedToObjectsThatLackIt) {
  LiveCluster cluster = StartCluster();
  cluster.Create(kFlavor);
  cluster.Patch("ResourceFlavor spot", R"({"metadata":{"finalizers":null}})");
  cluster.Await("the finalizer is back",
                [&] { return FinalizersOf(*cluster.Find("ResourceFlavor spot")) == kInUse; });
}

}  // namespace
}  // namespace berth::embedded

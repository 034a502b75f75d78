// Usage of LocalQueues: in their status, and consumed resources for admission fair sharing.

#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "quantity/quantity.h"

namespace berth::embedded {
namespace {

using testing::LiveCluster;
using testing::StartCluster;

double ConsumedCpu(LiveCluster& cluster) {
  const auto queue = cluster.Find("LocalQueue team/main");
  const std::string text =
      queue ? json::TextAt(*queue,
                           "status.fairSharing.admissionFairSharingStatus.consumedResources.cpu")
            : "";
  const auto cpu = quantity::Quantity::Parse(text);
  return cpu ? cpu->ToDouble() : 0;
}

TEST(ConsumedResources, GrowWhileJobsRunAndDecayAfterwards) {
  LiveCluster cluster =
      StartCluster("admissionFairSharing: {usageHalfLifeTime: 1s, usageSamplingInterval: 1s}\n");
  cluster.Apply(testing::Team("team", 4));
  cluster.Await("the first sample", [&] {
    const auto queue = cluster.Find("LocalQueue team/main");
    return queue &&
           json::IsSetAt(*queue, "status.fairSharing.admissionFairSharingStatus.lastUpdate");
  });
  EXPECT_EQ(ConsumedCpu(cluster), 0);
  cluster.Apply(testing::Job({.name = "train", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/train");
  cluster.Await("usage is counted", [&] { return ConsumedCpu(cluster) > 1; });
  cluster.Delete("Job team/train");
  cluster.Await("usage fades", [&] { return ConsumedCpu(cluster) < 0.5; });
}

TEST(ConsumedResources, AreNotSampledWithoutAdmissionFairSharing) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(testing::Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  cluster.AwaitIdle();
  const auto queue = cluster.Find("LocalQueue team/main");
  ASSERT_TRUE(queue.has_value());
  EXPECT_FALSE(json::IsSetAt(*queue, "status.fairSharing"));
}

TEST(LocalQueueUsage, IsZeroForEveryFlavorAndResourceOfAnIdleQueue) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(testing::Team("team", 4));
  const auto is_zero = [&](const std::string& list) {
    const auto queue = cluster.Find("LocalQueue team/main");
    const json::value* flavors = queue ? json::FindAt(*queue, "status." + list) : nullptr;
    return flavors != nullptr &&
           json::Print(*flavors) ==
               R"([{"name":"standard","resources":[{"name":"cpu","total":"0"}]}])";
  };
  cluster.Await("usage of zero", [&] { return is_zero("flavorsUsage"); });
  EXPECT_TRUE(is_zero("flavorsReservation"));
}

}  // namespace
}  // namespace berth::embedded

// Events as users see them.

#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using testing::LiveCluster;
using testing::StartCluster;

TEST(RepeatedEvents, AreASeriesOfOneEvent) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(testing::Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  const std::string name = cluster.WorkloadOf("Job team/train")->metadata.name;
  for (int i = 0; i < 2; ++i) {
    cluster.Patch("Workload team/" + name, R"({"spec": {"active": false}})");
    cluster.Await("the job stops", [&] { return cluster.IsSuspended("Job team/train"); });
    cluster.Patch("Workload team/" + name, R"({"spec": {"active": true}})");
    cluster.AwaitRunning("Job team/train");
  }
  cluster.Await("a count of 2",
                [&] { return cluster.EventCount(name, "EvictedDueToDeactivated") == 2; });
}

}  // namespace
}  // namespace berth::embedded

#include "ctl/top_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/thread_decoder.h"

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

api::Workload Pending(const std::string& name, int32_t priority, int64_t waited_seconds) {
  api::Workload workload;
  workload.metadata.name = name;
  workload.metadata.namespace_ = "ns";
  workload.metadata.creation_timestamp = base::Time::FromSeconds(1'000'000 - waited_seconds);
  workload.spec.queue_name = "lq";
  workload.spec.priority = priority;
  return workload;
}

TopState State() {
  TopState state;
  state.cluster_queues.push_back(*schema::DecodeHere<api::ClusterQueue>(
      R"({"metadata":{"name":"cq"},"spec":{"cohortName":"all","resourceGroups":[{"coveredResources":)"
      R"(["cpu"],"flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":"8"}]}]}]},)"
      R"("status":{"admittedWorkloads":3,"conditions":[{"type":"Active","status":"True"}],)"
      R"("flavorsReservation":[{"name":"f","resources":[{"name":"cpu","total":"12","borrowed":"4"}]}]}})"));
  api::LocalQueue queue;
  queue.metadata.name = "lq";
  queue.metadata.namespace_ = "ns";
  queue.spec.cluster_queue = "cq";
  state.local_queues.push_back(queue);
  state.workloads = {Pending("late", 0, 60), Pending("early", 0, 90), Pending("high", 5, 30)};
  return state;
}

TEST(TopView, ShowsUsageAndWhoIsNext) {
  EXPECT_EQ(TopView(State(), {.heads = 2}, kNow),
            "1 ClusterQueue, 3 pending, 0 with quota reserved, 0 admitted, 0 finished\n"
            "\n"
            "cq (cohort all): 3 admitted, 3 pending\n"
            "  [################++++++++] 12/8 cpu (f), 4 borrowed\n"
            "  1. ns/high, priority 5, waits 30s\n"
            "  2. ns/early, priority 0, waits 90s\n"
            "  … 1 more\n");
}

TEST(TopView, FitsTheTerminal) {
  const std::string view = TopView(State(), {.width = 10, .height = 4}, kNow);
  EXPECT_EQ(std::ranges::count(view, '\n'), 4);
  EXPECT_THAT(view, HasSubstr("cq (cohort\n"));
  EXPECT_THAT(view, HasSubstr("… 4 more lines\n"));
}

}  // namespace
}  // namespace berth::ctl

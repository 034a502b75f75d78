// Cycle events for heads that compete for the same preemption targets, from the real engine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "control/scheduler.h"
#include "observe/event_samples.h"
#include "observe/testing/feed.h"
#include "observe/testing/queue_text.h"
#include "workload/convert/convert_admission.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using testing::kNow;
using testing::Texts;

// The borrower uses all quota of its neighbours; both reclaim it in the same cycle.
class CycleCompletedTest : public testing::ClusterStateTest {
 protected:
  void Contend() {
    Apply("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: standard}\n");
    Apply(testing::QueueText("borrower", 0));
    Apply(testing::QueueText("left", 2));
    Apply(testing::QueueText("right", 2));
    Add("target", "borrower", 4);
    const control::CycleResult first = control::RunCycle(Cluster(), kNow);
    ASSERT_TRUE(first.event.has_admitted);
    api::Workload target = *Cluster().FindWorkload("space/target");
    workload::MarkReserved(target, first.changes.at(0).admission, kNow);
    workload::SyncAdmitted(target, kNow);
    Cluster().Apply(target);
    Add("a", "left", 2);
    Add("b", "right", 2);
  }

  void Add(const std::string& name, const std::string& queue, int cpu) {
    Apply(testing::WorkloadText(name, cpu));
    api::Workload w = *Cluster().FindWorkload("space/" + name);
    w.spec.queue_name = queue;
    Cluster().Apply(w);
    Cluster().Sync(kNow);
  }

  std::vector<std::string> Samples(const control::CycleResult& result) {
    return Texts(
        SamplesOf(result.event, Cluster(), Options()),
        {Metric::kAdmissionAttempts, Metric::kPreemptionSkips, Metric::kPreemptionRecomputations});
  }
};

TEST_F(CycleCompletedTest, AHeadThatFitsAfterThePreemptionOfAnotherIsDeferred) {
  Contend();
  const control::CycleResult result = control::RunCycle(Cluster(), kNow);
  EXPECT_THAT(Samples(result),
              ElementsAre("kueue_admission_attempts_total{inadmissible} 1",
                          "kueue_preemption_target_recomputations_total{right,deferred_fit} 1"));
  const auto preemption = std::ranges::find(result.changes, control::WorkloadChange::Kind::kPreempt,
                                            &control::WorkloadChange::kind);
  ASSERT_NE(preemption, result.changes.end());
  EXPECT_EQ(preemption->preempting_queue, "left");
}

TEST_F(CycleCompletedTest, WithoutRecomputationItIsSkipped) {
  gates_.Set(api::Gate::kRecomputeAssignmentUponPreemptionTargetsOverlap, false);
  Contend();
  EXPECT_THAT(Samples(control::RunCycle(Cluster(), kNow)),
              ElementsAre("kueue_admission_attempts_total{inadmissible} 1",
                          "kueue_admission_cycle_preemption_skips{right} 1"));
}

}  // namespace
}  // namespace berth::observe

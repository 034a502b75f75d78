// What a cycle tells of heads that want the same victims, on the engine itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "control/scheduler.h"
#include "observe/fact_samples.h"
#include "observe/testing/feed.h"
#include "observe/testing/queue_text.h"
#include "workload/convert_admission.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using testing::kNow;
using testing::Texts;

// The borrower holds all that its neighbours own; both want it back in the same cycle.
class CycleFacts : public testing::FeedTest {
 protected:
  void Contend() {
    Apply("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: standard}\n");
    Apply(testing::QueueText("borrower", 0));
    Apply(testing::QueueText("left", 2));
    Apply(testing::QueueText("right", 2));
    Add("victim", "borrower", 4);
    const control::CycleResult first = control::RunCycle(Feed(), kNow);
    ASSERT_TRUE(first.fact.has_admitted);
    api::Workload victim = *Feed().FindWorkload("space/victim");
    workload::MarkReserved(victim, first.changes.at(0).admission, kNow);
    workload::SyncAdmitted(victim, kNow);
    Feed().Apply(victim);
    Add("a", "left", 2);
    Add("b", "right", 2);
  }

  void Add(const std::string& name, const std::string& queue, int cpu) {
    Apply(testing::WorkloadText(name, cpu));
    api::Workload w = *Feed().FindWorkload("space/" + name);
    w.spec.queue_name = queue;
    Feed().Apply(w);
    Feed().Sync(kNow);
  }

  std::vector<std::string> Samples(const control::CycleResult& result) {
    return Texts(
        SamplesOf(result.fact, Feed(), Options()),
        {Metric::kAdmissionAttempts, Metric::kPreemptionSkips, Metric::kPreemptionRecomputations});
  }
};

TEST_F(CycleFacts, WhoWillFitWhenTheVictimsOfAnotherAreGoneIsDeferred) {
  Contend();
  const control::CycleResult result = control::RunCycle(Feed(), kNow);
  EXPECT_THAT(Samples(result),
              ElementsAre("kueue_admission_attempts_total{inadmissible} 1",
                          "kueue_preemption_target_recomputations_total{right,deferred_fit} 1"));
  const auto preemption = std::ranges::find(result.changes, control::WorkloadChange::Kind::kPreempt,
                                            &control::WorkloadChange::kind);
  ASSERT_NE(preemption, result.changes.end());
  EXPECT_EQ(preemption->preempting_queue, "left");
}

TEST_F(CycleFacts, WithoutAnotherLookItIsSkipped) {
  gates_.Set(api::Gate::kRecomputeAssignmentUponPreemptionTargetsOverlap, false);
  Contend();
  EXPECT_THAT(Samples(control::RunCycle(Feed(), kNow)),
              ElementsAre("kueue_admission_attempts_total{inadmissible} 1",
                          "kueue_admission_cycle_preemption_skips{right} 1"));
}

}  // namespace
}  // namespace berth::observe

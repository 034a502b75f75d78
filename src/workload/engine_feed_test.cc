// What scenarios cannot show: when the engine is told something, and when it is left in peace.

#include "workload/engine_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/convert_admission.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

constexpr std::string_view kLocalQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";
std::string Workload(std::string_view name, int cpu) {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: )" +
         std::string(name) + ", uid: " + std::string(name) + R"(}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: )" +
         std::to_string(cpu) + "}}}]}}}]\n";
}

class Feed : public ::testing::Test {
 protected:
  Feed() {
    Apply(testing::kFlavorAndQueue);
    Apply(kLocalQueue);
  }

  void Apply(std::string_view yaml) {
    testing::ApplyYaml(yaml, feed_);
    feed_.Sync(kNow);
  }

  engine::NodeId Queue() { return feed_.engine().FindClusterQueue("q"); }
  size_t Active() { return feed_.engine().CountPending(Queue()).active; }
  size_t Parked() { return feed_.engine().CountPending(Queue()).inadmissible; }

  EngineFeed feed_{api::Configuration(), api::FeatureGates()};
};

TEST_F(Feed, LeavesAParkedWorkloadAloneIfNothingThatMattersChanged) {
  Apply(Workload("w", 9));
  feed_.engine().RunCycle(kNow);
  ASSERT_EQ(Parked(), 1u);
  api::Workload workload = *feed_.FindWorkload("team/w");
  workload.status.conditions.push_back({.type = "QuotaReserved",
                                        .status = "False",
                                        .reason = "Pending",
                                        .message = "no",
                                        .extra = {}});
  workload.metadata.resource_version = "2";
  feed_.Apply(workload);
  feed_.Sync(kNow);
  EXPECT_EQ(Parked(), 1u);
}

TEST_F(Feed, PutsAParkedWorkloadInLineAgainIfItAsksForSomethingElse) {
  Apply(Workload("w", 9));
  feed_.engine().RunCycle(kNow);
  Apply(Workload("w", 3));
  EXPECT_EQ(Active(), 1u);
}

TEST_F(Feed, KnowsTheEnginesOwnDecisionWhenItComesBack) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = feed_.engine().RunCycle(kNow)[0].workload;
  api::Workload workload = feed_.WorkloadOf(id);
  MarkReserved(workload, ToAdmission(feed_.engine(), id, workload), kNow);
  feed_.Apply(workload);
  feed_.Sync(kNow);
  EXPECT_THAT(feed_.engine().ReservedIn(Queue()), ElementsAre(id));
  EXPECT_TRUE(HoldsQuota(*feed_.FindWorkload("team/w")));
}

TEST_F(Feed, AReservationThatIsBeingWrittenStandsWhateverElseChanges) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = feed_.engine().RunCycle(kNow)[0].workload;
  ASSERT_TRUE(feed_.engine().IsReserved(id));
  std::string bigger(testing::kFlavorAndQueue);
  Apply(bigger.replace(bigger.find("nominalQuota: 4"), 15, "nominalQuota: 5"));
  Apply(R"({apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {a: b}}})");
  std::string stopped(kLocalQueue);
  Apply(stopped.replace(stopped.find("clusterQueue: q"), 15, "clusterQueue: q, stopPolicy: Hold"));
  EXPECT_THAT(feed_.engine().ReservedIn(Queue()), ElementsAre(id));
  // It could not be written. Then what has changed counts.
  feed_.engine().Undo(id);
  feed_.Apply(api::Workload(*feed_.FindWorkload("team/w")));
  feed_.Sync(kNow);
  EXPECT_EQ(Active(), 0u);
}

TEST_F(Feed, AReservationEndsWithItsQueueEvenWhileItIsBeingWritten) {
  Apply(Workload("w", 3));
  feed_.engine().RunCycle(kNow);
  feed_.Delete(api::ClusterQueue::KindInfo(), "", "q");
  feed_.Sync(kNow);
  EXPECT_TRUE(feed_.engine().FindWorkload("w").is_none());
}

TEST_F(Feed, TakesQuotaBackWhenTheStatusDoes) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = feed_.engine().RunCycle(kNow)[0].workload;
  api::Workload workload = feed_.WorkloadOf(id);
  MarkReserved(workload, ToAdmission(feed_.engine(), id, workload), kNow);
  feed_.Apply(workload);
  feed_.Sync(kNow);
  MarkPreempted(workload, "InClusterQueue", "", kNow);
  MarkStopped(workload, kNow);
  feed_.Apply(workload);
  feed_.Sync(kNow);
  EXPECT_THAT(feed_.engine().ReservedIn(Queue()), IsEmpty());
  EXPECT_EQ(Active(), 1u);
}

TEST_F(Feed, TakesAWorkloadOfTheSameNameForAnotherIfItsUidIs) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = feed_.engine().RunCycle(kNow)[0].workload;
  ASSERT_TRUE(feed_.engine().IsReserved(id));
  api::Workload next = *feed_.FindWorkload("team/w");
  next.metadata.uid = "next";
  feed_.Apply(next);
  feed_.Sync(kNow);
  EXPECT_THAT(feed_.engine().ReservedIn(Queue()), IsEmpty());
  EXPECT_EQ(Active(), 1u);
  EXPECT_TRUE(feed_.engine().FindWorkload("w").is_none());
}

TEST_F(Feed, DoesNotMindAQueueThatIsDeletedAndCreatedAtOnce) {
  Apply(Workload("w", 3));
  feed_.Delete(api::ClusterQueue::KindInfo(), "", "q");
  Apply(testing::kFlavorAndQueue);
  EXPECT_EQ(Active(), 1u);
}

TEST_F(Feed, DoesNotMindWhatIsDeletedWithoutBeingThere) {
  for (const schema::Kind* kind :
       {&api::Workload::KindInfo(), &api::ClusterQueue::KindInfo(), &api::Cohort::KindInfo(),
        &api::LocalQueue::KindInfo(), &api::ResourceFlavor::KindInfo(),
        &api::AdmissionCheck::KindInfo(), &api::Topology::KindInfo(), &api::Namespace::KindInfo(),
        &api::LimitRange::KindInfo(), &api::RuntimeClass::KindInfo()})
    feed_.Delete(*kind, "team", "none");
  feed_.Sync(kNow);
  EXPECT_EQ(Active(), 0u);
}

TEST_F(Feed, SaysWhyAQueueIsInactive) {
  EXPECT_EQ(feed_.WhyInactive("q"), "");
  feed_.Delete(api::ResourceFlavor::KindInfo(), "", "f");
  feed_.Sync(kNow);
  EXPECT_EQ(feed_.WhyInactive("q"), "FlavorNotFound");
}

TEST_F(Feed, AddsTheOverheadOfARuntimeClass) {
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {runtimeClassName: sealed, containers: [
    {name: c, resources: {requests: {cpu: 3}}}]}}}]
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sealed}
handler: sealed
overhead: {podFixed: {cpu: 2}}
)");
  EXPECT_EQ(feed_.engine().RunCycle(kNow)[0].outcome, engine::Outcome::kNoFit);
  feed_.Delete(api::RuntimeClass::KindInfo(), "", "sealed");
  feed_.Sync(kNow);
  EXPECT_EQ(feed_.engine().RunCycle(kNow)[0].outcome, engine::Outcome::kAdmitted);
}

}  // namespace
}  // namespace berth::workload

// What queues count, followed from change to change, is what counting all workloads would give.

#include "control/report/queue_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "control/scheduler.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

std::string LocalQueue(std::string_view name, std::string_view stop_policy = "None") {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {namespace: team, "
         "name: " +
         std::string(name) + "}, spec: {clusterQueue: q, stopPolicy: " + std::string(stop_policy) +
         "}}";
}

std::string Workload(std::string_view name, std::string_view queue, int cpu = 1) {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {namespace: team, name: " +
         std::string(name) + ", uid: " + std::string(name) +
         "}, spec: {queueName: " + std::string(queue) +
         ", podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: "
         "{requests: {cpu: " +
         std::to_string(cpu) + "}}}]}}}]}}";
}

class QueueCountersTest : public testing::Test {
 protected:
  QueueCountersTest() {
    cluster_.OnPlaced([this](const std::string& name) { counters_.MarkChanged(name); });
    Apply(workload::testing::kFlavorAndQueue);
    for (const char* queue : {"a", "b"}) Apply(LocalQueue(queue));
  }

  void Apply(std::string_view yaml) { workload::testing::ApplyYaml(yaml, cluster_); }

  // What a cycle decides is written at once.
  void Schedule() {
    cluster_.Sync(kNow);
    for (const WorkloadChange& change : RunCycle(cluster_, kNow).changes) {
      counters_.MarkChanged(change.workload);
      api::Workload workload = *cluster_.FindWorkload(change.workload);
      control::Apply(change, cluster_.FindClusterQueue("q"), workload, kNow);
      cluster_.Apply(workload);
    }
    cluster_.Sync(kNow);
  }

  void Finish(const std::string& name) {
    api::Workload workload = *cluster_.FindWorkload(name);
    workload::MarkFinished(workload, "Succeeded", "", kNow);
    cluster_.Apply(workload);
  }

  // Counts all there are.
  QueueCounters FromScratch() {
    QueueCounters counters;
    cluster_.ForEachWorkload(
        [&](const api::Workload& w) { counters.MarkChanged("team/" + w.metadata.name); });
    counters.Flush(cluster_);
    return counters;
  }

  void ExpectAsFromScratch() {
    cluster_.Sync(kNow);
    counters_.Flush(cluster_);
    const QueueCounters expected = FromScratch();
    EXPECT_EQ(counters_.OfClusterQueue("q"), expected.OfClusterQueue("q"));
    for (const char* queue : {"team/a", "team/b"})
      EXPECT_EQ(counters_.OfLocalQueue(queue), expected.OfLocalQueue(queue)) << queue;
  }

  // Some of everything that may happen to workloads and their queues.
  void DoSomething(std::mt19937& random) {
    const std::string name = "w" + std::to_string(random() % 12);
    const std::string queue = random() % 2 == 0 ? "a" : "b";
    const bool is_there = cluster_.FindWorkload("team/" + name) != nullptr;
    switch (random() % 8) {
      case 0:
        return cluster_.Delete(api::Workload::KindInfo(), "team", name);
      case 1:
        return is_there ? Finish("team/" + name) : void();
      case 2:
        return Apply(LocalQueue(queue, random() % 2 == 0 ? "None" : "Hold"));
      case 3:
        return cluster_.Delete(api::LocalQueue::KindInfo(), "team", queue);
      case 4:
        return cluster_.Delete(api::ClusterQueue::KindInfo(), "", "q");
      case 5:
        return Apply(workload::testing::kFlavorAndQueue);
      case 6:
        return Schedule();
      default:
        return Apply(Workload(name, queue, 1 + static_cast<int>(random() % 3)));
    }
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  QueueCounters counters_;
};

// Usage that was written into a status by hand.
std::string Holding(std::string_view name, std::string_view cpu) {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {namespace: team, name: " +
         std::string(name) + ", uid: " + std::string(name) +
         "}, spec: {queueName: a, podSets: [{name: main, count: 1, template: {spec: {containers: "
         "[]}}}]}, status: {conditions: [{type: "
         "QuotaReserved, status: 'True', reason: QuotaReserved, message: '', lastTransitionTime: "
         "'2026-03-02T09:00:00Z'}], admission: "
         "{clusterQueue: q, podSetAssignments: [{name: "
         "main, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: '" +
         std::string(cpu) + "'}}]}}}";
}

TEST_F(QueueCountersTest, AreExactBeyondTheLargestNumber) {
  for (const char* name : {"first", "second", "third"}) Apply(Holding(name, "9e15"));
  ExpectAsFromScratch();
  for (const char* name : {"first", "second"})
    cluster_.Delete(api::Workload::KindInfo(), "team", name);
  ExpectAsFromScratch();
  const QueueCounts::Amounts& reserved = counters_.OfClusterQueue("q").reserved;
  ASSERT_EQ(reserved.size(), 1u);
  EXPECT_EQ(reserved.begin()->second, 9'000'000'000'000'000'000);
}

TEST_F(QueueCountersTest, FollowEveryChange) {
  for (unsigned seed = 0; seed < 40 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      DoSomething(random);
      ExpectAsFromScratch();
    }
  }
}

TEST_F(QueueCountersTest, ReportChangedQueues) {
  Apply(Workload("w", "a"));
  cluster_.Sync(kNow);
  EXPECT_THAT(counters_.Flush(cluster_).local_queues, UnorderedElementsAre("team/a"));
  cluster_.Apply(*cluster_.FindWorkload("team/w"));
  cluster_.Sync(kNow);
  EXPECT_THAT(counters_.Flush(cluster_).cluster_queues, IsEmpty());
}

TEST_F(QueueCountersTest, RecountOnlyChangedWorkloads) {
  for (int i = 0; i < 500; ++i) Apply(Workload("w" + std::to_string(i), "a"));
  Schedule();
  counters_.Flush(cluster_);
  const uint64_t before = counters_.recounts();
  Apply(Workload("late", "b"));
  Schedule();
  counters_.Flush(cluster_);
  EXPECT_LE(counters_.recounts() - before, 2u);  // itself, and the head of the queue
}

}  // namespace
}  // namespace berth::control

// Objects that are deleted while decisions about them are on the way. Afterwards no quota is held
// for them, and nothing keeps them.

#include "embedded/testing/barrier.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using testing::Barrier;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

Barrier::Filter AdmissionOf(std::string name) {
  return testing::PatchesOf(store::ResourceOf<api::Workload>(), std::move(name),
                            "\"QuotaReserved\"");
}

bool IsGone(LiveCluster& cluster, const std::string& object) { return !cluster.Find(object); }

// The admission arrives at an API server that has no such Workload any more.
TEST(DeletionRace, AJobThatIsDeletedBeforeItsAdmissionIsWrittenHoldsNoQuota) {
  Barrier barrier;
  LiveCluster cluster = StartCluster("", {}, barrier.Taps());
  cluster.Apply(Team("team", 4));
  barrier.HoldCalls(AdmissionOf("job-first"));
  cluster.Apply(Job({.name = "first", .requests = "cpu: 4"}));
  cluster.Await("the admission is on its way", [&] { return barrier.held() > 0; });
  cluster.Delete("Job team/first");
  cluster.Await("the job is gone", [&] { return IsGone(cluster, "Job team/first"); });
  barrier.Open();
  cluster.Apply(Job({.name = "second", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/second");
}

TEST(DeletionRace, AJobThatIsReplacedBeforeItsAdmissionIsWrittenIsAdmittedOnce) {
  Barrier barrier;
  LiveCluster cluster = StartCluster("", {}, barrier.Taps());
  cluster.Apply(Team("team", 4));
  barrier.HoldCalls(AdmissionOf("job-same"));
  cluster.Apply(Job({.name = "same", .requests = "cpu: 3"}));
  cluster.Await("the admission is on its way", [&] { return barrier.held() > 0; });
  cluster.Delete("Job team/same");
  cluster.Await("the job is gone", [&] { return IsGone(cluster, "Job team/same"); });
  cluster.Apply(Job({.name = "same", .requests = "cpu: 2"}));
  barrier.Open();
  cluster.AwaitRunning("Job team/same");
  cluster.Apply(Job({.name = "rest", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/rest");
}

TEST(DeletionRace, AQueueThatIsDeletedWhileItsReservationIsWrittenEndsWithItsJobs) {
  Barrier barrier;
  LiveCluster cluster = StartCluster("", {}, barrier.Taps());
  cluster.Apply(Team("team", 4));
  cluster.AwaitIdle();
  barrier.HoldCalls(AdmissionOf("job-first"));
  cluster.Apply(Job({.name = "first", .requests = "cpu: 4"}));
  cluster.Await("the reservation is on its way", [&] { return barrier.held() > 0; });
  cluster.Delete("ClusterQueue team");
  cluster.Await("the controllers know", [&] {
    const auto queue = cluster.Find("ClusterQueue team");
    return !queue || json::TextAt(*queue, "status.conditions[0].status") == "False";
  });
  barrier.Open();
  cluster.AwaitIdle();
  if (cluster.IsRunning("Job team/first")) cluster.Complete("Job team/first");
  cluster.Await("the queue is gone", [&] { return IsGone(cluster, "ClusterQueue team"); });
  cluster.Delete("Job team/first");
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "second", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/second");
}

TEST(DeletionRace, ANamespaceTakesItsJobsAndTheirQuotaWithIt) {
  Barrier barrier;
  LiveCluster cluster = StartCluster("", {}, barrier.Taps());
  cluster.Apply(Team("team", 4));
  cluster.Apply(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
      "metadata: {name: main, namespace: other}\nspec: {clusterQueue: team}\n");
  cluster.Apply(Job({.name = "runs", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/runs");
  barrier.HoldCalls(AdmissionOf("job-starts"));
  cluster.Apply(Job({.name = "starts", .requests = "cpu: 2"}));
  cluster.Await("an admission is on its way", [&] { return barrier.held() > 0; });
  cluster.Delete("Namespace team");
  cluster.Await("its jobs are gone", [&] { return IsGone(cluster, "Job team/runs"); });
  barrier.Open();
  cluster.Await("the namespace is gone", [&] { return IsGone(cluster, "Namespace team"); });
  cluster.Apply(Job({.name = "large", .space = "other", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job other/large");
}

}  // namespace
}  // namespace berth::embedded

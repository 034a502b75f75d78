// status.requeueState: back-offs and their end.

#include "base/time.h"
#include "embedded/testing/live_test.h"
#include "store/system_time.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kCheck =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: check}\nspec: "
    "{controllerName: example.com/checks}\n";
constexpr std::string_view kActive =
    R"({"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
        "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})";

void SetCheck(LiveCluster& cluster, std::string_view job, std::string_view state,
              const std::string& more = "") {
  const auto now = base::FormatTime(store::SystemTime());
  cluster.Patch("Workload team/" + cluster.WorkloadOf(job)->metadata.name,
                R"({"status": {"admissionChecks": [{"name": "check", "message": "", "state": ")" +
                    std::string(state) + R"(", "lastTransitionTime": ")" + now + "\"" + more +
                    "}]}}",
                "status");
}

TEST(RequeueState, HasNoTimeOnceTheBackOffOfACheckIsOver) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(kCheck);
  cluster.Patch("AdmissionCheck check", kActive, "status");
  cluster.Apply(Team("team", 4, "  admissionChecksStrategy: {admissionChecks: [{name: check}]}\n"));
  cluster.Apply(Job({.name = "train"}));
  cluster.Await("quota", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload && workload::HasReservation(*workload);
  });
  SetCheck(cluster, "Job team/train", "Retry", R"(, "requeueAfterSeconds": 2)");
  cluster.Await("a back-off", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload->status.requeue_state && workload->status.requeue_state->requeue_at;
  });
  SetCheck(cluster, "Job team/train", "Ready");
  cluster.AwaitRunning("Job team/train");
  cluster.Await("no time of a requeue", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return !workload->status.requeue_state || !workload->status.requeue_state->requeue_at;
  });
}

TEST(RequeueState, HasNoTimeOnceTheBackOffOfUnreadyPodsIsOver) {
  LiveCluster cluster = StartCluster(
      "waitForPodsReady: {timeout: 1s, requeuingStrategy: {backoffBaseSeconds: 1, "
      "backoffLimitCount: 1}}\n");
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "train"}));
  cluster.Await("another admission without a time of a requeue", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload && workload::IsAdmitted(*workload) && workload->status.requeue_state &&
           workload->status.requeue_state->count == 1 &&
           !workload->status.requeue_state->requeue_at;
  });
}

}  // namespace
}  // namespace berth::embedded

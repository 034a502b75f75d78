// Admissions and preemptions that the API server rejects.

#include <optional>
#include <variant>

#include "embedded/testing/denied_writes.h"
#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;

// The API server accepts no usage that is not a multiple of the pods. Three times 2^62 saturates.
constexpr std::string_view kTooLarge = "cpu: 1, example.com/parts: 4611686018427387904";
constexpr std::string_view kThreePods = "  parallelism: 3\n  completions: 3\n";

constexpr std::string_view kQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu, example.com/parts]
    flavors:
    - name: standard
      resources:
      - {name: cpu, nominalQuota: 4}
      - {name: example.com/parts, nominalQuota: 9223372036854775807}
)";

size_t Rejections(const LiveCluster& cluster) {
  size_t count = 0;
  for (const std::string& line : cluster.log())
    count += line.find("is not a multiple") == std::string::npos ? 0 : 1;
  return count;
}

TEST(RejectedAdmission, ReleasesItsQuotaAndIsReportedToTheOwner) {
  LiveCluster cluster = testing::StartCluster();
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(kQueue);
  cluster.Apply(Job({.name = "broken", .requests = kTooLarge, .spec = kThreePods}));
  cluster.AwaitPending("Job team/broken", "Misconfigured");
  const auto workload = cluster.WorkloadOf("Job team/broken");
  EXPECT_THAT(cluster.EventsAbout(workload->metadata.name),
              Contains(AllOf(HasSubstr("Warning Misconfigured"), HasSubstr("is not a multiple"))));
  cluster.Apply(Job({.name = "fits", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/fits");
  EXPECT_LE(Rejections(cluster), 2u);
}

TEST(RejectedAdmission, IsTriedAgainAtOnceWhenTheJobChanges) {
  LiveCluster cluster = testing::StartCluster();
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(kQueue);
  cluster.Apply(Job({.name = "broken", .requests = kTooLarge, .spec = kThreePods}));
  cluster.AwaitPending("Job team/broken", "Misconfigured");
  cluster.Patch("Job team/broken", R"({"spec": {"parallelism": 1}})");
  cluster.AwaitRunning("Job team/broken");
}

// What a webhook of another owner answers to new Workloads.
std::optional<store::Failure> DenyWorkloads(const store::Call& call) {
  const auto* create = std::get_if<store::Create>(&call);
  if (create == nullptr || create->resource.kind != "Workload") return std::nullopt;
  store::Failure failure = store::Forbidden(create->resource, "", "");
  failure.status.message = "admission webhook \"policy\" denied the request: not today";
  return failure;
}

TEST(RejectedWorkload, IsReportedToTheOwnerOfItsJob) {
  LiveCluster cluster = testing::StartCluster(
      "", {}, {.deny = DenyWorkloads, .on_call = nullptr, .on_event = nullptr});
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(Job({.name = "train"}));
  cluster.Await("an Event about the job", [&] { return !cluster.EventsAbout("train").empty(); });
  EXPECT_THAT(cluster.EventsAbout("train"),
              Contains(AllOf(HasSubstr("Warning WriteRejected"), HasSubstr("not today"))));
  EXPECT_TRUE(cluster.IsSuspended("Job team/train"));
}

// Six attempts a second apart, and then a pause that doubles: 5 s, 10 s.
TEST(RejectedPreemption, IsDecidedLessAndLessOften) {
  testing::DeniedWrites denied(R"("type":"Preempted")");
  LiveCluster cluster = testing::StartCluster("", {}, denied.Taps());
  cluster.Apply(testing::Team("team", 4, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
      "value: 1000\n");
  cluster.Apply(Job({.name = "low", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(
      Job({.name = "high", .requests = "cpu: 4", .labels = "kueue.x-k8s.io/priority-class: high"}));
  EXPECT_GE(denied.AwaitDenials(18, cluster), base::Duration::Seconds(25));
  EXPECT_TRUE(cluster.IsRunning("Job team/low"));
}

}  // namespace
}  // namespace berth::embedded

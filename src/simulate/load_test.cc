// Loading dumps; plans and estimates.

#include "simulate/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/estimate.h"
#include "simulate/plan.h"
#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NodeYaml;
using testing::QueueYaml;
using ::testing::SizeIs;
using testing::TopologyYaml;

constexpr std::string_view kFlavor =
    "kind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\n";

struct WorkloadText {
  std::string name;
  int cpu = 1;
  int priority = 0;
  std::string created = "2026-01-01T10:00:00Z";
  std::string run_time = "";
  std::string reserved_at = "";  // "": it waits
  std::string host = "";         // of its place; "": it has none
};

std::string WorkloadYaml(const WorkloadText& w) {
  const std::string cpu = std::to_string(w.cpu);
  std::string text =
      "---\nkind: Workload\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata:\n  name: " + w.name +
      "\n  namespace: team\n  creationTimestamp: " + w.created + "\n";
  if (!w.run_time.empty()) text += "  annotations: {berth.dev/run-time: " + w.run_time + "}\n";
  text += "spec:\n  queueName: q\n  priority: " + std::to_string(w.priority) +
          "\n  podSets: [{name: main, count: 1, " +
          (w.host.empty() ? "" : "topologyRequest: {unconstrained: true}, ") +
          "template: {spec: {containers: [{name: c, resources: {requests: {cpu: " + cpu +
          "}}}]}}}]\n";
  if (w.reserved_at.empty()) return text;
  return text +
         "status:\n  admission:\n    clusterQueue: q\n    podSetAssignments: [{name: main, count: "
         "1, flavors: {cpu: default}, resourceUsage: {cpu: " +
         cpu + "}" +
         (w.host.empty() ? ""
                         : ", topologyAssignment: {levels: [kubernetes.io/hostname], slices: "
                           "[{domainCount: 1, podCounts: {universal: 1}, valuesPerLevel: "
                           "[{universal: " +
                               w.host + "}]}]}") +
         "}]\n  conditions:\n  - {type: QuotaReserved, status: \"True\", reason: r, " +
         "lastTransitionTime: \"" + w.reserved_at + "\", message: m}\n";
}

Loaded LoadText(const std::string& yaml) {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  const std::vector<api::Manifest> manifests =
      api::ReadManifests(yaml, {.file = "dump.yaml", .is_strict = false});
  return Load(manifests, {.configuration = configuration, .gates = {}, .start = {}});
}

std::string Cluster(int cpu = 4) {
  return std::string(kFlavor) + QueueYaml({.name = "q", .cpu = cpu, .within = "LowerPriority"}) +
         WorkloadYaml(
             {.name = "runs", .cpu = 3, .run_time = "2h", .reserved_at = "2026-01-01T11:00:00Z"}) +
         WorkloadYaml(
             {.name = "waits", .cpu = 3, .created = "2026-01-01T12:00:00Z", .run_time = "30m"});
}

TEST(Dumps, GoOnWithWhatRuns) {
  const Loaded loaded = LoadText(Cluster());
  EXPECT_THAT(loaded.problems, IsEmpty());
  EXPECT_EQ(base::FormatTime(loaded.input.start), "2026-01-01T12:00:00Z");
  ASSERT_THAT(loaded.input.jobs, SizeIs(2));
  WorldOptions options;
  options.cycle_time = base::Duration{};
  const Result result = Play(loaded.input, options);
  EXPECT_EQ(base::FormatTime(result.jobs[0].end), "2026-01-01T13:00:00Z");  // 2 h after 11:00
  EXPECT_EQ(base::FormatTime(result.jobs[1].first_start), "2026-01-01T13:00:00Z");
  EXPECT_EQ(base::FormatTime(result.end), "2026-01-01T13:30:00Z");
}

TEST(Dumps, LeaveOutWhatIsOver) {
  const Loaded loaded = LoadText(
      Cluster() +
      "---\nkind: Workload\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: done, namespace: "
      "team}\nspec: {queueName: q, podSets: []}\nstatus: {conditions: [{type: Finished, status: "
      "\"True\", reason: r, message: m}]}\n");
  EXPECT_THAT(loaded.input.jobs, SizeIs(2));
}

TEST(Dumps, MayBeListsOfSeveralKinds) {
  const Loaded loaded = LoadText(
      R"({"kind": "List", "apiVersion": "v1", "items": [
        {"kind": "ClusterQueue", "apiVersion": "kueue.x-k8s.io/v1beta2", "metadata": {"name": "q"},
         "spec": {}},
        {"kind": "Workload", "apiVersion": "kueue.x-k8s.io/v1beta2",
         "metadata": {"name": "w", "namespace": "n"}, "spec": {"podSets": []}}]})");
  EXPECT_THAT(loaded.input.objects, SizeIs(1));
  EXPECT_THAT(loaded.input.jobs, SizeIs(1));
  EXPECT_EQ(loaded.unknown_run_times, 1u);
}

TEST(Dumps, MakeWorkloadsOfJobsThatHaveNone) {
  const std::string job = R"(---
kind: Job
apiVersion: batch/v1
metadata:
  name: fit
  namespace: team
  labels: {kueue.x-k8s.io/queue-name: q}
  annotations: {berth.dev/run-time: 10m}
spec:
  parallelism: 2
  completions: 2
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
)";
  const Loaded loaded = LoadText(std::string(kFlavor) + QueueYaml({.name = "q", .cpu = 4}) + job);
  EXPECT_THAT(loaded.problems, IsEmpty());
  ASSERT_THAT(loaded.input.jobs, SizeIs(1));
  EXPECT_EQ(loaded.input.jobs[0].run_time, base::Duration::Seconds(600));
  EXPECT_EQ(Play(loaded.input, {}).jobs[0].state, JobState::kFinished);
}

// --- Plans --------------------------------------------------------------------------------------

Plan PlanFor(const Input& input, const std::string& change) {
  return MakePlan(input, std::make_shared<const std::vector<api::Object>>(testing::Objects(change)),
                  {});
}

TEST(Plans, SayWhoIsAdmittedAtOnce) {
  const Loaded loaded = LoadText(Cluster());
  const Plan plan = PlanFor(loaded.input, QueueYaml({.name = "q", .cpu = 6}));
  EXPECT_THAT(plan.admitted, ElementsAre(1));
  EXPECT_THAT(plan.evicted, IsEmpty());
  EXPECT_THAT(ToText(plan, loaded.input), HasSubstr("Admitted (1):\n  team/waits\n"));
}

TEST(Plans, SayWhoCanNeverBeAdmittedAgain) {
  const Loaded loaded = LoadText(Cluster());
  const Plan plan = PlanFor(loaded.input, QueueYaml({.name = "q", .cpu = 2}));
  EXPECT_THAT(plan.infeasible, ElementsAre(0, 1));
  EXPECT_THAT(plan.admitted, IsEmpty());
}

TEST(Plans, SayWhoIsDrained) {
  const Loaded loaded = LoadText(Cluster());
  const Plan plan =
      PlanFor(loaded.input, QueueYaml({.name = "q", .cpu = 4, .stop = "HoldAndDrain"}));
  ASSERT_THAT(plan.evicted, SizeIs(1));
  EXPECT_EQ(plan.evicted[0].reason, "ClusterQueueStopped");
  ASSERT_THAT(plan.inactive, SizeIs(1));
  EXPECT_THAT(plan.inactive[0], HasSubstr("q: "));
  EXPECT_THAT(ToJson(plan, loaded.input), HasSubstr("\"workload\":\"team/runs\""));
}

TEST(Plans, SayWhoIsPreemptedForWhom) {
  const std::string urgent = WorkloadYaml({.name = "urgent", .cpu = 3, .priority = 9});
  const std::string never = QueueYaml({.name = "q", .cpu = 4});
  const Loaded loaded = LoadText(Cluster() + urgent + never);
  EXPECT_TRUE(PlanFor(loaded.input, never).empty());
  const Plan plan =
      PlanFor(loaded.input, QueueYaml({.name = "q", .cpu = 4, .within = "LowerPriority"}));
  ASSERT_THAT(plan.evicted, SizeIs(1));
  EXPECT_THAT(ToText(plan, loaded.input),
              AllOf(HasSubstr("team/runs: InClusterQueue, for team/urgent"),
                    HasSubstr("Admitted (1):\n  team/urgent")));
}

TEST(Plans, SayNothingOfWhatHappensAnyway) {
  const Loaded loaded = LoadText(Cluster(8));
  const Plan plan = PlanFor(loaded.input, QueueYaml({.name = "q", .cpu = 9}));
  EXPECT_TRUE(plan.empty());
  EXPECT_EQ(ToText(plan, loaded.input), "No immediate effect.\n");
}

Loaded LoadPlaced(int hosts) {
  std::string nodes;
  for (int i = 0; i < hosts; ++i) nodes += NodeYaml("node-0-" + std::to_string(i), "rack-0", true);
  return LoadText(
      std::string(kFlavor) + QueueYaml({.name = "q", .cpu = 9}) + TopologyYaml() + nodes +
      WorkloadYaml(
          {.name = "runs", .cpu = 3, .reserved_at = "2026-01-01T11:00:00Z", .host = "node-0-0"}));
}

TEST(Plans, SayWhoMovesFromANodeThatTheChangeMakesFail) {
  const Loaded loaded = LoadPlaced(2);
  const Plan plan = PlanFor(loaded.input, NodeYaml("node-0-0", "rack-0", false));
  EXPECT_THAT(plan.moved, ElementsAre(0));
  EXPECT_THAT(plan.evicted, IsEmpty());
  EXPECT_TRUE(PlanFor(loaded.input, NodeYaml("node-0-0", "rack-0", true)).empty());
}

TEST(Plans, SayWhoIsEvictedFromANodeThatTheChangeMakesFail) {
  const Loaded loaded = LoadPlaced(1);
  const Plan plan = PlanFor(loaded.input, NodeYaml("node-0-0", "rack-0", false));
  EXPECT_THAT(plan.moved, IsEmpty());
  ASSERT_THAT(plan.evicted, SizeIs(1));
  EXPECT_EQ(plan.evicted[0].reason, "NodeFailures");
}

// --- Pods on nodes ------------------------------------------------------------------------------

// A pod on node-0-0, with 2 of its 4 CPU.
std::string PodYaml(const std::string& labels, const std::string& annotations) {
  return "---\nkind: Pod\napiVersion: v1\nmetadata: {name: runs-0, namespace: team, labels: {" +
         labels + "}, annotations: {" + annotations +
         "}}\nspec: {nodeName: node-0-0, containers: [{name: c, image: i, resources: {requests: "
         "{cpu: 2}}}]}\n";
}

// When the second of two Workloads with 2 CPU each starts on one node.
std::string StartBeside(const std::string& pod) {
  const Loaded loaded = LoadText(
      pod + "---\n" + std::string(kFlavor) + QueueYaml({.name = "q", .cpu = 9}) + TopologyYaml() +
      NodeYaml("node-0-0", "rack-0", true) +
      WorkloadYaml({.name = "runs",
                    .cpu = 2,
                    .run_time = "2h",
                    .reserved_at = "2026-01-01T11:00:00Z",
                    .host = "node-0-0"}) +
      WorkloadYaml(
          {.name = "waits", .cpu = 2, .created = "2026-01-01T12:00:00Z", .run_time = "30m"}));
  WorldOptions options;
  options.cycle_time = base::Duration{};
  const Result result = Play(loaded.input, options);
  return base::FormatTime(result.jobs[1].first_start);
}

constexpr std::string_view kAtOnce = "2026-01-01T12:00:00Z";

TEST(BoundPods, CountWithTheirWorkloadIfItHasAPlace) {
  EXPECT_EQ(StartBeside(""), kAtOnce);
  EXPECT_EQ(StartBeside(PodYaml("kueue.x-k8s.io/podset: main",
                                "kueue.x-k8s.io/workload: runs, "
                                "kueue.x-k8s.io/podset-unconstrained-topology: \"true\"")),
            kAtOnce);
}

TEST(BoundPods, OfKueueCountWithTheirWorkloadByTheirLabel) {
  EXPECT_EQ(StartBeside(PodYaml("kueue.x-k8s.io/tas: \"true\"", "kueue.x-k8s.io/workload: runs")),
            kAtOnce);
}

TEST(BoundPods, TakeRoomIfTheirWorkloadHasNoPlace) {
  EXPECT_NE(StartBeside(PodYaml("kueue.x-k8s.io/tas: \"true\"", "kueue.x-k8s.io/workload: gone")),
            kAtOnce);
  EXPECT_NE(StartBeside(PodYaml("", "")), kAtOnce);
}

// --- Estimates ----------------------------------------------------------------------------------

TEST(Estimates, AreRanges) {
  const Loaded loaded = LoadText(Cluster());
  const uint32_t job = *FindJob(loaded.input, "team/waits");
  WorldOptions options;
  options.run_time_spread = 0.3;
  const StartEstimate estimate = EstimateStart(loaded.input, options, job, 100);
  EXPECT_EQ(estimate.worlds, 100u);
  ASSERT_THAT(estimate.seconds, SizeIs(100));
  EXPECT_LT(*estimate.Within(0.1), *estimate.Within(0.9));
  EXPECT_NEAR(*estimate.Within(0.5), 3600, 900);
  EXPECT_EQ(EstimateStart(loaded.input, options, job, 100).seconds, estimate.seconds);
  EXPECT_THAT(ToText(estimate, "team/waits"), HasSubstr("50%  within "));
}

TEST(Estimates, SayThatSomethingNeverStarts) {
  const Loaded loaded =
      LoadText(Cluster() + WorkloadYaml({.name = "huge", .cpu = 99, .run_time = "1m"}));
  const uint32_t job = *FindJob(loaded.input, "huge");
  const StartEstimate estimate = EstimateStart(loaded.input, {}, job, 10);
  EXPECT_EQ(estimate.Within(0.1), std::nullopt);
  EXPECT_THAT(ToText(estimate, "team/huge"), HasSubstr("never starts in 100% of the runs"));
}

TEST(Estimates, KnowWhatRunsAlready) {
  const Loaded loaded = LoadText(Cluster());
  const uint32_t job = *FindJob(loaded.input, "team/runs");
  EXPECT_TRUE(EstimateStart(loaded.input, {}, job, 1).is_running);
}

TEST(Estimates, SuggestTheNameThatWasMeant) {
  const Loaded loaded = LoadText(Cluster());
  const base::Result<uint32_t> job = FindJob(loaded.input, "team/wait");
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().hint, HasSubstr("team/waits"));
}

}  // namespace
}  // namespace berth::simulate

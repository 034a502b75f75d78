#include "jobs/start_stop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "jobs/job_state.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::HasSubstr;
using testing::Kind;
using testing::Yaml;

// A minimal job of each suspendable kind, and related objects.
struct Example {
  std::string framework;
  json::value job;
};

const json::value& Runtime() {
  static const json::value kRuntime = Yaml(
      "{spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: "
      "{containers: []}}}}}]}}}}");
  return kRuntime;
}

std::vector<Example> Examples() {
  const char* pods = "{metadata: {labels: {app: x}}, spec: {containers: [{name: c}]}}";
  const auto kubeflow = [&](const char* framework, const char* field, const char* role) {
    return Example{framework, Yaml("{spec: {runPolicy: {suspend: true}, " + std::string(field) +
                                   ": {" + role + ": {replicas: 2, template: " + pods + "}}}}")};
  };
  const std::string ray = "{headGroupSpec: {template: " + std::string(pods) +
                          "}, workerGroupSpecs: [{groupName: w, replicas: 2, template: " + pods +
                          "}]}";
  return {
      {"batch/job",
       Yaml("{spec: {suspend: true, parallelism: 2, template: " + std::string(pods) + "}}")},
      {"jobset.x-k8s.io/jobset",
       Yaml("{spec: {suspend: true, replicatedJobs: [{name: a, replicas: 2, template: {spec: "
            "{template: " +
            std::string(pods) + "}}}]}}")},
      kubeflow("kubeflow.org/pytorchjob", "pytorchReplicaSpecs", "Worker"),
      kubeflow("kubeflow.org/tfjob", "tfReplicaSpecs", "PS"),
      kubeflow("kubeflow.org/xgboostjob", "xgbReplicaSpecs", "Master"),
      kubeflow("kubeflow.org/paddlejob", "paddleReplicaSpecs", "Worker"),
      kubeflow("kubeflow.org/jaxjob", "jaxReplicaSpecs", "Worker"),
      kubeflow("kubeflow.org/mpijob", "mpiReplicaSpecs", "Launcher"),
      {"ray.io/rayjob", Yaml("{spec: {suspend: true, rayClusterSpec: " + ray + "}}")},
      {"ray.io/raycluster", Yaml("{spec: " + ray + "}")},
      {"ray.io/rayservice", Yaml("{spec: {rayClusterConfig: " + ray + "}}")},
      {"trainer.kubeflow.org/trainjob",
       Yaml("{spec: {suspend: true, runtimePatches: [{manager: kueue.x-k8s.io/manager, "
            "trainingRuntimeSpec: {template: {spec: {}}}}]}}")},
      {"workload.codeflare.dev/appwrapper",
       Yaml("{metadata: {name: w}, spec: {suspend: true, components: [{template: {apiVersion: "
            "batch/v1, kind: Job, spec: {template: " +
            std::string(pods) + "}}}]}}")},
      {"sparkoperator.k8s.io/sparkapplication",
       Yaml("{spec: {suspend: true, driver: {labels: {app: x}}, executor: {instances: 1}}}")},
  };
}

const PodSetOptions& Options() {
  static const PodSetOptions kOptions{
      .related = {.find_training_runtime = [](const json::value&) { return &Runtime(); }}};
  return kOptions;
}

std::vector<JobPodSet> SetsOf(const Example& example) {
  return *PodSetsOf(Kind(example.framework), example.job, Options());
}

std::vector<PodSetInfo> InfosFor(const std::vector<JobPodSet>& sets) {
  std::vector<PodSetInfo> infos;
  for (const JobPodSet& set : sets) {
    infos.push_back({.name = set.pod_set.name,
                     .count = set.pod_set.count.value_or(1),
                     .annotations = {{"kueue.x-k8s.io/workload", "w"}},
                     .labels = {{"kueue.x-k8s.io/podset", set.pod_set.name}},
                     .node_selector = {{"pool", "spot"}},
                     .tolerations = {{.key = "spot", .op = "Exists"}},
                     .scheduling_gates = {std::string(api::kTopologySchedulingGate)}});
  }
  return infos;
}

std::vector<PodSetInfo> InfosBefore(const std::vector<JobPodSet>& sets) {
  api::Workload workload;
  for (const JobPodSet& set : sets) workload.spec.pod_sets.push_back(set.pod_set);
  return InfosFromPodSets(workload);
}

TEST(StartingJobs, EveryKindStartsWithItsAdmission) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.framework);
    const Integration& kind = Kind(example.framework);
    json::value job = example.job;
    Suspend(kind, job);
    ASSERT_TRUE(IsSuspended(kind, job));
    const auto sets = SetsOf(example);
    ASSERT_FALSE(sets.empty());
    const auto started = StartJob(kind, job, sets, InfosFor(sets), {});
    ASSERT_TRUE(started.has_value()) << started.error().error.message;
    const json::value& running = started->back().object;
    EXPECT_FALSE(IsSuspended(kind, running));
    const std::string text = json::Print(running);
    EXPECT_THAT(text, HasSubstr(R"("pool":"spot")"));
    EXPECT_THAT(text, HasSubstr(R"("kueue.x-k8s.io/podset":")" + sets.front().pod_set.name));
    EXPECT_THAT(text, HasSubstr(R"("operator":"Exists")"));
    EXPECT_THAT(text, HasSubstr(R"("schedulingGates":[{"name":"kueue.x-k8s.io/topology"}])"));
  }
}

TEST(StoppingJobs, EveryKindIsRestored) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.framework);
    const Integration& kind = Kind(example.framework);
    json::value job = example.job;
    *json::MakeAt(job, "metadata.name") = "w";
    Suspend(kind, job);
    const auto sets = SetsOf(example);
    const auto started = StartJob(kind, job, sets, InfosFor(sets), {});
    ASSERT_TRUE(started.has_value());
    json::value running = started->back().object;
    // A RayJob counts as active by default, which does not matter here.
    const StopPlan plan = StopJob(kind, running, sets, InfosBefore(sets));
    EXPECT_TRUE(plan.is_complete && plan.stops_now);
    json::value stopped = plan.writes.back().object;
    // Values left empty by a stop equal absent ones.
    if (example.framework.starts_with("spark"))
      for (const char* role : {"spec.driver", "spec.executor"})
        json::EraseAt(stopped, std::string(role) + ".template");
    EXPECT_EQ(json::Print(MergePatchBetween(job, stopped)), "{}");
  }
}

// --- batch/v1 Jobs -----------------------------------------------------------------------------

json::value RunningJob() {
  return Yaml(
      "{metadata: {name: j}, spec: {suspend: false, parallelism: 3, template: {metadata: {labels: "
      "{controller-uid: u, kueue.x-k8s.io/podset: main}}, spec: {nodeSelector: {pool: spot}}}}, "
      "status: {active: 2, startTime: '2026-01-01T00:00:00Z'}}");
}

TEST(StoppingAJob, WaitsForItsPodsBeforeItRestores) {
  const Integration& kind = Kind("batch/job");
  json::value job = RunningJob();
  const auto sets = *PodSetsOf(kind, job, {});
  const std::vector<PodSetInfo> infos = {{.name = "main", .count = 3}};
  const StopPlan first = StopJob(kind, job, sets, infos);
  EXPECT_FALSE(first.is_complete);
  ASSERT_EQ(first.writes.size(), 2u);
  EXPECT_EQ(json::TextAt(first.writes[0].object, "spec.suspend"), "true");
  EXPECT_EQ(json::TextAt(first.writes[0].object, "spec.template.spec.nodeSelector.pool"), "spot");
  EXPECT_TRUE(first.writes[1].is_status);
  EXPECT_EQ(json::FindAt(first.writes[1].object, "status.startTime"), nullptr);
  job = first.writes[1].object;
  EXPECT_FALSE(IsSuspended(kind, job));
  *json::MakeAt(job, "status.active") = 0;
  const StopPlan second = StopJob(kind, job, sets, infos);
  EXPECT_TRUE(second.is_complete && second.stops_now);
  ASSERT_EQ(second.writes.size(), 1u);
  EXPECT_EQ(second.writes[0].object.at("spec"),
            Yaml("{suspend: true, parallelism: 3, template: {metadata: {labels: {controller-uid: "
                 "u}}, spec: {}}}"));
  EXPECT_EQ(json::FindAt(second.writes[0].object, "metadata.annotations"), nullptr);
  EXPECT_TRUE(StopJob(kind, second.writes[0].object, sets, infos).writes.empty());
}

TEST(StoppingAJob, WithoutAWorkloadTheTemplateStays) {
  json::value job = RunningJob();
  json::EraseAt(job, "status");
  const Integration& kind = Kind("batch/job");
  const StopPlan plan = StopJob(kind, job, *PodSetsOf(kind, job, {}), {});
  EXPECT_EQ(json::TextAt(plan.writes.back().object, "spec.template.spec.nodeSelector.pool"),
            "spot");
  EXPECT_TRUE(IsSuspended(kind, plan.writes.back().object));
}

TEST(PartialAdmission, CountsAreWrittenAndRestored) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml(
      "{metadata: {annotations: {kueue.x-k8s.io/job-min-parallelism: '1', "
      "kueue.x-k8s.io/job-completions-equal-parallelism: 'true'}}, spec: {suspend: true, "
      "parallelism: 5, completions: 5}}");
  const auto sets = *PodSetsOf(kind, job, {});
  const auto started = StartJob(kind, job, sets, {{.name = "main", .count = 3}}, {});
  const json::value& running = started->back().object;
  EXPECT_EQ(json::IntAt(running, "spec.parallelism"), 3);
  EXPECT_EQ(json::IntAt(running, "spec.completions"), 3);
  const StopPlan plan = StopJob(kind, running, sets, {{.name = "main", .count = 5}});
  EXPECT_EQ(json::IntAt(plan.writes.back().object, "spec.parallelism"), 5);
  EXPECT_EQ(json::IntAt(plan.writes.back().object, "spec.completions"), 5);
}

TEST(PartialAdmission, JobsWithoutMinimumKeepTheirCount) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml("{spec: {suspend: true, parallelism: 5}}");
  const auto started =
      StartJob(kind, job, *PodSetsOf(kind, job, {}), {{.name = "main", .count = 3}}, {});
  EXPECT_EQ(json::IntAt(started->back().object, "spec.parallelism"), 5);
}

// --- Failures ----------------------------------------------------------------------------------

TEST(FailedStarts, AConflictIsPermanent) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml("{spec: {template: {spec: {nodeSelector: {pool: reserved}}}}}");
  const auto sets = *PodSetsOf(kind, job, {});
  const auto started = StartJob(kind, job, sets, InfosFor(sets), {});
  ASSERT_FALSE(started.has_value());
  EXPECT_TRUE(started.error().is_permanent);
  EXPECT_THAT(started.error().error.message,
              HasSubstr("spec.template.spec.nodeSelector[pool] is \"reserved\""));
}

TEST(FailedStarts, AnAdmissionOfOtherPodSetsIsPermanent) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml("{spec: {}}");
  const auto started = StartJob(kind, job, *PodSetsOf(kind, job, {}), {}, {});
  ASSERT_FALSE(started.has_value());
  EXPECT_TRUE(started.error().is_permanent);
}

TEST(FailedStarts, EqualValuesDoNotConflictAndTolerationsAreUnique) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml(
      "{spec: {template: {spec: {nodeSelector: {pool: spot}, tolerations: [{key: spot, operator: "
      "Exists}]}}}}");
  const auto sets = *PodSetsOf(kind, job, {});
  const auto started = StartJob(kind, job, sets, InfosFor(sets), {});
  ASSERT_TRUE(started.has_value());
  EXPECT_EQ(
      json::FindAt(started->back().object, "spec.template.spec.tolerations")->get_array().size(),
      1u);
}

TEST(ElasticJobs, NamesOfAPreviousAdmissionAreReplaced) {
  const Integration& kind = Kind("batch/job");
  const json::value job = Yaml(
      "{spec: {template: {metadata: {annotations: {kueue.x-k8s.io/workload: old, "
      "kueue.x-k8s.io/workload-slice-name: old}}}}}");
  PodSetInfo info{.name = "main",
                  .annotations = {{"kueue.x-k8s.io/workload", "new"},
                                  {"kueue.x-k8s.io/workload-slice-name", "new"}}};
  const auto sets = *PodSetsOf(kind, job, {});
  EXPECT_TRUE(StartJob(kind, job, sets, {info}, {}).has_value());
  info.annotations.Erase("kueue.x-k8s.io/workload-slice-name");
  EXPECT_FALSE(StartJob(kind, job, sets, {info}, {}).has_value());
}

// --- Injected values ----------------------------------------------------------------------------

api::Workload Admitted() {
  api::Workload workload;
  workload.metadata.name = "w";
  workload.spec.queue_name = "lq";
  api::PodSet& set = workload.spec.pod_sets.emplace_back();
  set.name = "main";
  set.count = 2;
  workload.status.admission = api::Admission{
      .cluster_queue = "cq",
      .pod_set_assignments = {{.name = "main", .flavors = {{"cpu", "f"}, {"memory", "f"}}}}};
  return workload;
}

const api::ResourceFlavor* Flavor(std::string_view name) {
  static const api::ResourceFlavor kFlavor = [] {
    api::ResourceFlavor flavor;
    flavor.spec.node_labels = {{"pool", "spot"}};
    flavor.spec.tolerations = {{.key = "spot", .op = "Exists"}};
    return flavor;
  }();
  return name == "f" ? &kFlavor : nullptr;
}

TEST(Admissions, SetNodeSelectorsAndLabels) {
  const auto infos = InfosFromAdmission(Admitted(), Flavor, {});
  ASSERT_TRUE(infos.has_value());
  const PodSetInfo& info = infos->front();
  EXPECT_EQ(info.count, 2);
  EXPECT_EQ(info.node_selector, (base::FlatMap<std::string>{{"pool", "spot"}}));
  EXPECT_EQ(info.tolerations.size(), 1u);
  EXPECT_EQ(info.labels,
            (base::FlatMap<std::string>{{std::string(api::kPodSetLabel), "main"},
                                        {std::string(api::kLocalQueueNameLabel), "lq"},
                                        {std::string(api::kClusterQueueNameLabel), "cq"}}));
  EXPECT_EQ(info.annotations,
            (base::FlatMap<std::string>{{std::string(api::kWorkloadAnnotation), "w"}}));
}

TEST(Admissions, AMissingFlavorIsATemporaryFailure) {
  const auto infos = InfosFromAdmission(
      Admitted(), [](std::string_view) -> const api::ResourceFlavor* { return nullptr; }, {});
  ASSERT_FALSE(infos.has_value());
  EXPECT_FALSE(infos.error().is_permanent);
}

TEST(Admissions, ChecksMayAddButNotContradict) {
  api::Workload workload = Admitted();
  workload.status.admission_checks = {
      {.name = "a", .pod_set_updates = {{.name = "main", .labels = {{"x", "1"}}}}}};
  EXPECT_EQ(*InfosFromAdmission(workload, Flavor, {})->front().labels.Find("x"), "1");
  workload.status.admission_checks[0].pod_set_updates[0].node_selector = {{"pool", "other"}};
  const auto infos = InfosFromAdmission(workload, Flavor, {});
  ASSERT_FALSE(infos.has_value());
  EXPECT_TRUE(infos.error().is_permanent);
}

TEST(Admissions, AssignedTopologyAddsAGate) {
  api::Workload workload = Admitted();
  workload.status.admission->pod_set_assignments[0].topology_assignment.emplace();
  const PodSetInfo info = InfosFromAdmission(workload, Flavor, {})->front();
  EXPECT_EQ(info.scheduling_gates, std::vector<std::string>{"kueue.x-k8s.io/topology"});
  EXPECT_TRUE(info.annotations.Contains(api::kUnconstrainedTopologyAnnotation));
}

TEST(MergePatches, ContainTheChangesOnly) {
  const json::value before = Yaml("{a: 1, b: {c: 2, d: [1]}, e: x}");
  const json::value after = Yaml("{a: 1, b: {c: 3, d: [1, 2]}, f: y}");
  EXPECT_EQ(MergePatchBetween(before, after), Yaml("{b: {c: 3, d: [1, 2]}, e: null, f: y}"));
  EXPECT_EQ(MergePatchBetween(before, before), Yaml("{}"));
}

}  // namespace
}  // namespace berth::jobs

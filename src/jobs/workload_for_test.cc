#include "jobs/workload_for.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "jobs/equivalent.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using testing::Kind;
using testing::Yaml;

json::value Job(const std::string& labels, const std::string& annotations = "") {
  return Yaml("{metadata: {name: j, namespace: ns, uid: u, generation: 3, labels: {" + labels +
              "}, annotations: {" + annotations +
              "}}, spec: {suspend: true, parallelism: 2, template: {spec: {containers: [{name: "
              "c}]}}}}");
}

api::Workload Made(const json::value& job, const WorkloadOptions& options = {},
                   const api::Workload* replaced = nullptr) {
  const auto made = WorkloadFor(Kind("batch/job"), job, {}, options, replaced);
  if (made) return *made;
  ADD_FAILURE() << made.error().error.message;
  return {};
}

// --- Workloads ---------------------------------------------------------------------------------

TEST(WorkloadsOfJobs, BelongToTheJob) {
  const api::Workload made = Made(Job("kueue.x-k8s.io/queue-name: q"));
  EXPECT_EQ(made.spec.queue_name, "q");
  EXPECT_EQ(made.metadata.finalizers, std::vector<std::string>{"kueue.x-k8s.io/resource-in-use"});
  ASSERT_EQ(made.metadata.owner_references.size(), 1u);
  EXPECT_EQ(made.metadata.owner_references[0].controller, true);
  EXPECT_EQ(*made.metadata.labels.Find(api::kJobUidLabel), "u");
  EXPECT_EQ(made.spec.active, std::nullopt);
}

TEST(WorkloadsOfJobs, LabelsAreCopiedByKeyAndAnnotationsByPurpose) {
  const api::Workload made = Made(Job("team: a, other: b",
                                      "provreq.kueue.x-k8s.io/x: '1', mine: '2', "
                                      "kueue.x-k8s.io/admission-gated-by: example.com/g"),
                                  {.label_keys_to_copy = {"team"}});
  EXPECT_TRUE(made.metadata.labels.Contains("team"));
  EXPECT_FALSE(made.metadata.labels.Contains("other"));
  EXPECT_EQ(made.metadata.annotations.size(), 2u);
  EXPECT_FALSE(made.metadata.annotations.Contains("mine"));
}

TEST(WorkloadsOfJobs, ConstraintsBecomeFieldsUnderTheirGate) {
  const json::value job = Job("", "kueue.x-k8s.io/cannot-preempt: 'true'");
  const api::Workload made = Made(job, {.has_constraints = true});
  ASSERT_TRUE(made.spec.admission_constraints.has_value());
  EXPECT_EQ(made.spec.admission_constraints->preemption, "Never");
  EXPECT_TRUE(made.metadata.annotations.Contains(api::kCannotPreemptAnnotation));
  EXPECT_FALSE(Made(job).spec.admission_constraints.has_value());
  EXPECT_TRUE(Made(job).metadata.annotations.empty());
}

TEST(WorkloadsOfJobs, ASliceReplacesAnother) {
  const json::value job = Job("", "kueue.x-k8s.io/elastic-job: 'true'");
  const api::Workload first = Made(job);
  EXPECT_EQ(*first.metadata.annotations.Find(api::kWorkloadSliceNameAnnotation),
            first.metadata.name);
  const api::Workload second = Made(job, {}, &first);
  EXPECT_EQ(*second.metadata.annotations.Find(api::kWorkloadSliceReplacementForAnnotation),
            "ns/" + first.metadata.name);
  EXPECT_EQ(*second.metadata.annotations.Find(api::kWorkloadSliceNameAnnotation),
            first.metadata.name);
}

TEST(WorkloadsOfJobs, APrebuiltNameMayBeALabelOrAnAnnotation) {
  const auto name = [](const std::string& labels, const std::string& annotations, bool reads) {
    return PrebuiltWorkloadName(*MetadataOf(Job(labels, annotations)), reads);
  };
  const std::string l = "kueue.x-k8s.io/prebuilt-workload-name: l";
  const std::string a = "kueue.x-k8s.io/prebuilt-workload-name: a";
  EXPECT_EQ(name(l, a, true), "a");
  EXPECT_EQ(name(l, "", true), "l");
  EXPECT_EQ(name(l, a, false), "l");
  EXPECT_EQ(name("", a, false), "");
}

TEST(WorkloadsOfGroups, AStatefulSetAndAReplicaOfALeaderWorkerSet) {
  const json::value set = Yaml(
      "{metadata: {name: s, namespace: ns, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}, spec: "
      "{replicas: 3, template: {spec: {}}}}");
  const auto made = GroupWorkloadFor(Kind("statefulset"), set, 0, {}, {});
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->metadata.name.starts_with("statefulset-s-"));
  EXPECT_EQ(*made->metadata.annotations.Find(api::kJobOwnerGvkAnnotation),
            "apps/v1, Kind=StatefulSet");
  EXPECT_EQ(made->metadata.owner_references[0].controller, std::nullopt);
  const json::value workers = Yaml(
      "{metadata: {name: s, namespace: ns, uid: u}, spec: {leaderWorkerTemplate: {size: 2, "
      "workerTemplate: {spec: {}}}}}");
  const auto group =
      GroupWorkloadFor(Kind("leaderworkerset.x-k8s.io/leaderworkerset"), workers, 1, {}, {});
  EXPECT_TRUE(group->metadata.name.starts_with("leaderworkerset-s-1-"));
  EXPECT_EQ(*group->metadata.annotations.Find(api::kComponentWorkloadIndexAnnotation), "1");
}

// --- Priorities --------------------------------------------------------------------------------

PriorityTable Classes() {
  PriorityTable table;
  table.Add(api::WorkloadPriorityClass{.metadata = {.name = "w"}, .value = 10});
  table.Add(api::PriorityClass{.metadata = {.name = "p"}, .value = 20});
  table.Add(api::PriorityClass{.metadata = {.name = "d1"}, .value = 7, .global_default = true});
  table.Add(api::PriorityClass{.metadata = {.name = "d2"}, .value = 5, .global_default = true});
  return table;
}

TEST(Priorities, LabelThenPodsThenDefaultThenZero) {
  EXPECT_EQ(ResolvePriority("w", "p", Classes())->value, 10);
  EXPECT_EQ(ResolvePriority("", "p", Classes())->value, 20);
  EXPECT_EQ(ResolvePriority("", "", Classes())->ref->name, "d2");
  EXPECT_EQ(ResolvePriority("", "", {})->value, 0);
  EXPECT_FALSE(ResolvePriority("", "", {})->ref.has_value());
}

TEST(Priorities, AMissingClassIsNamed) {
  const auto missing = ResolvePriority("nope", "p", Classes());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().ToString(), "WorkloadPriorityClass \"nope\" not found");
  EXPECT_FALSE(ResolvePriority("", "nope", Classes()).has_value());
}

TEST(Priorities, KubeflowNamesTheClassInItsRunPolicy) {
  EXPECT_EQ(
      PodPriorityClassOf(Kind("kubeflow.org/tfjob"),
                         Yaml("{spec: {runPolicy: {schedulingPolicy: {priorityClass: p}}}}"), {}),
      "p");
}

// --- Equivalence -------------------------------------------------------------------------------

bool Equivalent(const json::value& job, const api::Workload& workload, bool is_prebuilt = false) {
  const auto same = IsEquivalent({.integration = &Kind("batch/job"),
                                  .job = &job,
                                  .workload = &workload,
                                  .find_flavor = [](std::string_view) { return nullptr; },
                                  .is_prebuilt = is_prebuilt},
                                 {}, {});
  EXPECT_TRUE(same.has_value());
  return same.value_or(false);
}

TEST(Equivalence, AJobMatchesItsWorkload) {
  const json::value job = Job("");
  EXPECT_TRUE(Equivalent(job, Made(job)));
}

// An API server prints fields of built-in kinds in declaration order, fields of other kinds by
// name.
TEST(Equivalence, TheOrderOfFieldsDoesNotMatter) {
  const auto job = [](const std::string& container) {
    return Yaml(
        "{metadata: {name: j, namespace: ns, uid: u}, spec: {suspend: true, template: {spec: "
        "{affinity: {podAffinity: {}, nodeAffinity: {}}, containers: [" +
        container + "]}}}}");
  };
  const json::value one = job("{name: c, terminationMessagePath: /p, imagePullPolicy: Always}");
  const json::value two = job("{imagePullPolicy: Always, name: c, terminationMessagePath: /p}");
  EXPECT_TRUE(Equivalent(one, Made(two)));
  EXPECT_FALSE(
      Equivalent(one, Made(job("{imagePullPolicy: Never, name: c, terminationMessagePath: /p}"))));
}

TEST(Equivalence, AProtocolThatTheServerFillsInDoesNotMatter) {
  const auto job = [](const std::string& port) {
    return Yaml(
        "{metadata: {name: j, namespace: ns, uid: u}, spec: {suspend: true, template: {spec: "
        "{containers: [{name: c, ports: [" +
        port + "]}]}}}}");
  };
  const json::value plain = job("{containerPort: 80}");
  EXPECT_TRUE(Equivalent(plain, Made(job("{containerPort: 80, protocol: TCP}"))));
  EXPECT_FALSE(Equivalent(plain, Made(job("{containerPort: 80, protocol: UDP}"))));
}

TEST(Equivalence, CountsContainersAndLimitsMatter) {
  const json::value job = Job("");
  const api::Workload workload = Made(job);
  json::value changed = job;
  *json::MakeAt(changed, "spec.parallelism") = 3;
  EXPECT_FALSE(Equivalent(changed, workload));
  changed = job;
  *json::MakeAt(changed, "spec.template.spec.containers[0].image") = "other";
  EXPECT_FALSE(Equivalent(changed, workload));
  EXPECT_FALSE(Equivalent(Job("kueue.x-k8s.io/max-exec-time-seconds: '5'"), workload));
}

TEST(Equivalence, ANewJobOfTheSameNameIsAnother) {
  const json::value job = Job("");
  api::Workload workload = Made(job);
  workload.metadata.owner_references[0].uid = "another";
  EXPECT_FALSE(Equivalent(job, workload));
}

TEST(Equivalence, APendingJobsNodeSelectorMatters) {
  const json::value job = Job("");
  const api::Workload workload = Made(job);
  json::value changed = job;
  *json::MakeAt(changed, "spec.template.spec.nodeSelector.disk") = "ssd";
  EXPECT_FALSE(Equivalent(changed, workload));
  EXPECT_TRUE(Equivalent(changed, workload, true));
}

}  // namespace
}  // namespace berth::jobs

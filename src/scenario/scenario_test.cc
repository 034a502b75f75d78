#include "scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/workload.h"

namespace berth::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// All problems of a text, as "place: message".
std::vector<std::string> ProblemsOf(std::string_view text) {
  std::vector<std::string> lines;
  const ScenarioResult scenario = ReadScenario(text, "f");
  if (scenario) return lines;
  for (const schema::Problem& problem : scenario.error()) lines.push_back(ToString(problem));
  return lines;
}

Scenario Read(std::string_view text) {
  ScenarioResult scenario = ReadScenario(text, "f");
  if (!scenario) ADD_FAILURE() << ToString(scenario.error().front());
  return scenario ? *std::move(scenario) : Scenario();
}

TEST(AScenario, MayBeYamlOrJson) {
  const Scenario yaml = Read("name: a\ncycles: 2\nnow: \"2026-01-01T00:00:00Z\"\n");
  const Scenario json = Read(R"({"name": "a", "cycles": 2, "now": "2026-01-01T00:00:00Z"})");
  for (const Scenario* scenario : {&yaml, &json}) {
    EXPECT_EQ(scenario->name, "a");
    EXPECT_EQ(scenario->now, base::ParseTime("2026-01-01T00:00:00Z"));
    ASSERT_THAT(scenario->steps, SizeIs(1));
    EXPECT_EQ(scenario->steps[0].cycles, 2);
  }
}

TEST(AScenario, NeedsNothingButAName) {
  const Scenario scenario = Read("name: a");
  EXPECT_EQ(scenario.now, kDefaultNow);
  ASSERT_THAT(scenario.steps, SizeIs(1));
  EXPECT_EQ(scenario.steps[0].cycles, std::nullopt);
  EXPECT_EQ(scenario.steps[0].want, std::nullopt);
}

TEST(AScenario, FillsInWhatAnApiServerWould) {
  const Scenario scenario = Read(R"(
objects:
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: Workload
  metadata: {name: job}
  spec: {podSets: [{name: main, template: {spec: {containers: []}}}]}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: a, namespace: wrong}
)");
  ASSERT_THAT(scenario.steps[0].apply, SizeIs(2));
  const auto* workload = scenario.steps[0].apply[0].As<api::Workload>();
  EXPECT_EQ(workload->metadata.namespace_, "default");
  EXPECT_EQ(workload->metadata.uid, "default-job");
  EXPECT_EQ(workload->spec.pod_sets[0].count, 1);
  const auto* queue = scenario.steps[0].apply[1].As<api::ClusterQueue>();
  EXPECT_EQ(queue->metadata.namespace_, "");
  EXPECT_EQ(queue->spec.queueing_strategy, api::kBestEffortFifo);
}

TEST(AScenario, ReadsPreviousVersions) {
  const Scenario scenario = Read(R"(
configuration: {apiVersion: config.kueue.x-k8s.io/v1beta1, kind: Configuration, fairSharing: {enable: true}}
objects:
- apiVersion: kueue.x-k8s.io/v1beta1
  kind: ClusterQueue
  metadata: {name: a}
  spec: {cohort: pool}
)");
  EXPECT_TRUE(scenario.configuration.fair_sharing.has_value());
  ASSERT_THAT(scenario.steps[0].apply, SizeIs(1));
  EXPECT_EQ(scenario.steps[0].apply[0].As<api::ClusterQueue>()->spec.cohort_name, "pool");
}

TEST(AScenario, TellsWorkloadsOfOneUidApartByName) {
  const Scenario scenario = Read(R"(
objects:
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: one, uid: same}, spec: {podSets: []}}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: two, uid: same}, spec: {podSets: []}}
)");
  EXPECT_EQ(scenario.steps[0].apply[0].metadata()->uid, "same default/one");
  EXPECT_EQ(scenario.steps[0].apply[1].metadata()->uid, "same default/two");
}

TEST(AScenario, TakesTheGatesOfItsConfiguration) {
  const Scenario scenario = Read("configuration: {featureGates: {PartialAdmission: false}}");
  EXPECT_FALSE(scenario.gates.IsOn(api::Gate::kPartialAdmission));
}

TEST(AScenario, WarnsOfWhatAnApiServerWouldRefuse) {
  const Scenario scenario = Read(R"(objects:
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: a}
  spec:
    queueingStrategy: Fair
)");
  ASSERT_THAT(scenario.warnings, SizeIs(1));
  EXPECT_THAT(ToString(scenario.warnings[0]),
              HasSubstr("f:6:23: objects[0].spec.queueingStrategy"));
}

TEST(AMistake, IsFoundAtItsPlaceInYaml) {
  EXPECT_THAT(ProblemsOf("name: a\ncycle: 2\n"),
              ElementsAre(HasSubstr("f:2:1: cycle: unknown field")));
  EXPECT_THAT(ProblemsOf("objects:\n- apiVersion: v1\n  kind: Namespace\n  metadta: {name: x}\n"),
              ElementsAre(HasSubstr("f:4:3: objects[0].metadta: unknown field")));
  EXPECT_THAT(ProblemsOf("want:\n  pendin: {}\n"), ElementsAre(HasSubstr("f:2:3: want.pendin")));
}

TEST(AMistake, IsFoundAtItsPlaceInJson) {
  EXPECT_THAT(ProblemsOf("{\n \"objects\": [{\"apiVersion\": \"v1\", \"kind\": \"Namespace\",\n"
                         "  \"metadta\": {}}]}"),
              ElementsAre(HasSubstr("f:3:3: objects[0].metadta: unknown field")));
}

TEST(AMistake, SuggestsWhatWasMeant) {
  EXPECT_THAT(ProblemsOf("objects: [{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQeue}]"),
              ElementsAre(HasSubstr("did you mean \"ClusterQueue\"?")));
  EXPECT_THAT(ProblemsOf("configuration: {featureGates: {PartialAdmision: true}}"),
              ElementsAre(HasSubstr("PartialAdmission")));
}

TEST(AMistake, MayBeThatThereAreTwoDocuments) {
  EXPECT_THAT(ProblemsOf("name: a\n---\nname: b\n"), ElementsAre(HasSubstr("f:3:1: ")));
  EXPECT_THAT(ProblemsOf(""), ElementsAre(HasSubstr("file is empty")));
}

TEST(AMistake, MayBeThatAnObjectIsThereTwice) {
  EXPECT_THAT(ProblemsOf("objects:\n- {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n"
                         "- {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n"),
              ElementsAre(HasSubstr("Namespace x is listed twice")));
}

TEST(ASteps, TimeIsATimeOrADuration) {
  const Scenario scenario = Read(R"(
now: "2026-01-01T00:00:00Z"
cycles: 1
steps:
- {at: 5m, cycles: 1}
- {at: "2026-01-01T00:10:00Z", cycles: 1}
- {cycles: 1}
)");
  ASSERT_THAT(scenario.steps, SizeIs(4));
  EXPECT_EQ(scenario.steps[1].at, base::ParseTime("2026-01-01T00:05:00Z"));
  EXPECT_EQ(scenario.steps[2].at, base::ParseTime("2026-01-01T00:10:00Z"));
  EXPECT_EQ(scenario.steps[3].at, std::nullopt);
}

TEST(ASteps, TimeDoesNotGoBackwards) {
  EXPECT_THAT(ProblemsOf("cycles: 10\nsteps:\n- at: 5s\n"),
              ElementsAre(HasSubstr("f:3:7: steps[0].at")));
  EXPECT_THAT(ProblemsOf("cycles: 10\nsteps:\n- at: soon\n"),
              ElementsAre(HasSubstr("\"soon\" is not a time")));
}

TEST(ASteps, ObjectsAreNamedInEitherForm) {
  const Scenario scenario = Read(R"(
steps:
- delete: [Workload team/job, ClusterQueue a, {kind: LocalQueue, namespace: team, name: main}]
  finish: [team/job, Workload team/other, job]
)");
  const Step& step = scenario.steps[1];
  ASSERT_THAT(step.remove, SizeIs(3));
  EXPECT_EQ(step.remove[0].kind, &api::Workload::KindInfo());
  EXPECT_EQ(step.remove[0].namespace_, "team");
  EXPECT_EQ(step.remove[1].name, "a");
  EXPECT_EQ(step.remove[2].kind->kind, "LocalQueue");
  EXPECT_THAT(step.finish, ElementsAre("team/job", "team/other", "default/job"));
}

TEST(ASteps, NamesMustNameSomething) {
  EXPECT_THAT(ProblemsOf("steps: [{delete: [team/job]}]"),
              ElementsAre(HasSubstr("write Kind namespace/name")));
  EXPECT_THAT(ProblemsOf("steps: [{delete: [Wrkload team/job]}]"),
              ElementsAre(HasSubstr("unknown kind \"Wrkload\"")));
  EXPECT_THAT(ProblemsOf("steps: [{finish: [ClusterQueue a]}]"),
              ElementsAre(HasSubstr("write namespace/name")));
}

}  // namespace
}  // namespace berth::scenario

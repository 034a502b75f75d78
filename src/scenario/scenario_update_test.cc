#include "scenario/scenario_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/scenario_check.h"

namespace berth::scenario {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// One queue with 4 cpu, and a job that requests 3.
constexpr std::string_view kYaml = R"(# Who gets what.
name: a  # short
objects:
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main}, spec: {clusterQueue: q}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: q}
  spec:
    namespaceSelector: {}
    resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: Workload
  metadata: {name: job}
  spec:
    queueName: main
    podSets:
    - name: main
      count: 3
      template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
)";

std::string Updated(const std::string& text) {
  const base::Result<std::string> updated = UpdateScenario(text, "f");
  if (!updated) ADD_FAILURE() << ToString(updated.error());
  const std::string result = updated.value_or("");
  EXPECT_THAT(CheckScenario(result, "f").differences, IsEmpty()) << result;
  EXPECT_THAT(CheckScenario(result, "f").problems, IsEmpty()) << result;
  return result;
}

TEST(Updating, AddsAWantWhereThereIsNone) {
  const std::string text = std::string(kYaml) + "cycles: 1\n";
  EXPECT_EQ(Updated(text), text + R"(want:
  admissions:
    default/job:
      clusterQueue: q
      podSetAssignments:
      - name: main
        flavors:
          cpu: f
        resourceUsage:
          cpu: "3"
        count: 3
  newlyAdmitted:
  - default/job
  preempted: {}
  pending: {}
  inadmissible: {}
)");
}

TEST(Updating, RewritesOnlyWhatTheWantHas) {
  const std::string text(kYaml);
  EXPECT_EQ(Updated(text + "want:\n  newlyAdmitted: []\n  pending: {}\n\n# The end.\ncycles: 1\n"),
            text +
                "want:\n  newlyAdmitted:\n  - default/job\n  pending: {}\n\n"
                "# The end.\ncycles: 1\n");
}

TEST(Updating, LeavesAWantAloneThatHolds) {
  const std::string text = std::string(kYaml) + "want: {newlyAdmitted: [default/job]}  # good\n";
  EXPECT_EQ(Updated(text), text);
}

TEST(Updating, ReachesIntoSteps) {
  const std::string text(kYaml);
  EXPECT_EQ(Updated(text + "want: {pending: {}}\nsteps:\n- finish: [default/job]\n"
                           "  want:  # nothing\n    newlyAdmitted: [default/x]\n"
                           "# Later.\n- want: {newlyAdmitted: [default/x]}\n  at: 5m\n"),
            text +
                "want: {pending: {}}\nsteps:\n- finish: [default/job]\n"
                "  want:\n    newlyAdmitted: []\n"
                "# Later.\n- want:\n    newlyAdmitted: []\n  at: 5m\n");
}

TEST(Updating, AddsWantsToStepsAndFileAtOnce) {
  const std::string text = std::string(kYaml) + "steps:\n- at: 5m\n  finish: [default/job]";
  const std::string updated = Updated(text);
  EXPECT_THAT(updated, StartsWith(text + "\n  want:\n    admissions: {}\n"));
  EXPECT_THAT(updated, HasSubstr("\nwant:\n  admissions:\n    default/job:\n"));
}

TEST(Updating, CountsLinesAsYamlDoes) {
  for (const char* end : {"\r", "\r\n", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    const std::string text = "about: |-\n  two" + std::string(end) + "  lines\n" +
                             std::string(kYaml) + "cycles: 1\nwant:\n  newlyAdmitted: []\n";
    EXPECT_THAT(Updated(text), HasSubstr("cycles: 1\nwant:\n  newlyAdmitted:\n  - default/job\n"));
  }
}

TEST(Updating, KeepsJsonInOneLineIfItIs) {
  EXPECT_EQ(Updated(R"({"name":"a","want":{"newlyAdmitted":["x/y"]},"cycles":1})"),
            R"({"name":"a","want":{"newlyAdmitted":[]},"cycles":1})");
  EXPECT_EQ(Updated(R"({"want":{"pending":{}},"steps":[{"cycles":1}]})"),
            R"({"want":{"pending":{}},"steps":[{"cycles":1,"want":{"admissions":{},)"
            R"("newlyAdmitted":[],"preempted":{},"pending":{},"inadmissible":{}}}]})");
}

TEST(Updating, SpreadsJsonIfTheFileIsSpread) {
  EXPECT_EQ(Updated("{\n  \"name\": \"a\",\n  \"want\": {\"newlyAdmitted\": [\"x/y\"]}\n}\n"),
            "{\n  \"name\": \"a\",\n  \"want\": {\n    \"newlyAdmitted\": []\n  }\n}\n");
  EXPECT_EQ(Updated("{\n  \"name\": \"a\"\n}\n"), R"({
  "name": "a",
  "want": {
    "admissions": {},
    "newlyAdmitted": [],
    "preempted": {},
    "pending": {},
    "inadmissible": {}
  }
}
)");
}

TEST(Updating, RefusesWhatItCannotRewriteInPart) {
  const base::Result<std::string> updated =
      UpdateScenario("name: a\nsteps: [{at: 1m, want: {newlyAdmitted: [x/y]}}]\n", "f");
  ASSERT_FALSE(updated.has_value());
  EXPECT_THAT(updated.error().hint, HasSubstr("on a line of its own"));
}

TEST(Updating, RefusesWhatItCannotRead) {
  const base::Result<std::string> updated = UpdateScenario("nam: a\n", "f");
  ASSERT_FALSE(updated.has_value());
  EXPECT_THAT(ToString(updated.error()), HasSubstr("f:1:1"));
}

}  // namespace
}  // namespace berth::scenario

// End-to-end tests of `berth test`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::EndsWith;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;

// A queue with 4 cpu and a job that requests one.
constexpr std::string_view kObjects = R"(name: small
objects:
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main, namespace: a}, spec: {clusterQueue: q}}
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
  metadata: {name: job, namespace: a}
  spec:
    queueName: main
    podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
)";

std::string Wanting(std::string_view want) {
  return std::string(kObjects) + "want: " + std::string(want) + "\n";
}
const std::string kGood = Wanting("{newlyAdmitted: [a/job]}");
const std::string kBad = Wanting("{newlyAdmitted: []}");

TEST(BerthTest, PrintsCounts) {
  const Folder folder;
  folder.Write("good.yaml", kGood);
  folder.Write("deep/er/good.yaml", kGood);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test .");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "2 passed, 0 failed\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(BerthTest, ListsPassesOnRequest) {
  const Folder folder;
  folder.Write("good.yaml", kGood);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test -v good.yaml");
  EXPECT_EQ(outcome.out, "passed good.yaml (small)\n1 passed, 0 failed\n");
}

TEST(BerthTest, PrintsDifferences) {
  const Folder folder;
  folder.Write("bad.yaml", kBad);
  folder.Write("good.yaml", kGood);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test .");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "failed ./bad.yaml (small)\n"
            "    a/job: expected not to be newly admitted, but it is\n"
            "1 passed, 1 failed\n");
}

TEST(BerthTest, LocatesErrorsOfAFile) {
  const Folder folder;
  folder.Write("broken.yaml", "nam: x\n");
  folder.Write("good.yaml", kGood);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test .");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("unreadable ./broken.yaml\n    ./broken.yaml:1:1: nam: "));
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 1 failed\n"));
  EXPECT_EQ(Shell("$BERTH test " + folder / "none.yaml").exit_code, 2);
}

TEST(BerthTest, ReadsStandardInput) {
  EXPECT_EQ(Shell("$BERTH test -", kGood).out, "1 passed, 0 failed\n");
  EXPECT_THAT(Shell("$BERTH test -", kBad).out, HasSubstr("failed <stdin> (small)\n"));
}

TEST(BerthTest, RunsOnlyMatchingScenarios) {
  const Folder folder;
  folder.Write("borrow.yaml", kGood);
  folder.Write("preempt.yaml", kBad);
  const std::string berth = "cd " + folder.path().native() + "; $BERTH test --filter ";
  EXPECT_EQ(Shell(berth + "'^./b' .").out, "1 passed, 0 failed\n");
  const Outcome none = Shell(berth + "nothing .");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no file matches --filter \"nothing\""));
  const Outcome wrong = Shell(berth + "'(' .");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("\"(\" is not a regular expression: missing )"));
}

TEST(BerthTest, IsIndependentOfTheNumberOfThreads) {
  const Folder folder;
  for (int i = 0; i < 20; ++i) folder.Write(std::to_string(i) + ".yaml", i % 3 == 0 ? kBad : kGood);
  const std::string berth = "cd " + folder.path().native() + "; $BERTH test -v . --jobs ";
  const Outcome one = Shell(berth + "1");
  EXPECT_THAT(one.out, EndsWith("\n13 passed, 7 failed\n"));
  EXPECT_EQ(Shell(berth + "8").out, one.out);
}

TEST(BerthTest, PrintsJson) {
  const Folder folder;
  folder.Write("bad.yaml", kBad);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test -o json bad.yaml");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr(R"({"passed":0,"failed":1,"unreadable":0,"updated":0,)"
                                     R"("scenarios":[{"file":"bad.yaml","name":"small",)"
                                     R"("result":"failed","seconds":)"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("messages":["a/job: expected not to be newly admitted)"));
}

TEST(BerthTest, PrintsJunit) {
  const Folder folder;
  folder.Write("bad.yaml", kBad);
  folder.Write("broken.yaml", "\"<&>\": x\n");
  folder.Write("good.yaml", kGood);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test -o junit .");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, HasSubstr(R"(tests="3" failures="1" errors="1")"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("<failure message=\"a/job: expected not to be newly admitted, but it is\""));
  EXPECT_THAT(outcome.out, HasSubstr("&lt;&amp;&gt;"));
  EXPECT_THAT(outcome.out, HasSubstr(R"(file="./good.yaml" time="0)"));
}

TEST(BerthTest, UpdatesFiles) {
  const Folder folder;
  const std::string good = folder.Write("good.yaml", kGood);
  const std::string bad = folder.Write("bad.yaml", kBad);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test --update .");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "updated ./bad.yaml (small)\n2 passed, 0 failed\n");
  EXPECT_EQ(ReadFile(good), kGood);
  EXPECT_EQ(ReadFile(bad), std::string(kObjects) + "want:\n  newlyAdmitted:\n  - a/job\n");
  EXPECT_EQ(Shell("$BERTH test --update " + bad).out, "1 passed, 0 failed\n");
}

TEST(BerthTest, WarnsBesideAFailure) {
  const Folder folder;
  std::string text = kBad;
  text.replace(text.find("namespaceSelector: {}"), 0, "queueingStrategy: Fair\n    ");
  folder.Write("bad.yaml", text);
  const Outcome outcome = Shell("cd " + folder.path().native() + "; $BERTH test bad.yaml");
  EXPECT_THAT(outcome.out, HasSubstr("    warning: bad.yaml:9:23: "));
}

}  // namespace
}  // namespace berth::cli

// A journal from `berth up` to every command that reads it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Shell;

constexpr const char* kObjects = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: research}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: spot
      resources: [{name: cpu, nominalQuota: 1}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: default}
spec: {clusterQueue: research}
)";

std::string Job(const std::string& name) {
  return R"(---
apiVersion: batch/v1
kind: Job
metadata:
  name: )" +
         name + R"(
  labels: {kueue.x-k8s.io/queue-name: main}
  annotations: {berth.dev/run-time: 100ms}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: busybox, resources: {requests: {cpu: 1}}}
)";
}

// A run of three jobs, one after the other.
class JournalCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string objects =
        folder_.Write("objects.yaml", kObjects + Job("one") + Job("two") + Job("three"));
    const Outcome up = Shell("$BERTH up --once --port 0 -f '" + objects + "' --data-dir '" +
                             (folder_ / "data") + "'");
    ASSERT_EQ(up.exit_code, 0) << up.out << up.err;
  }

  Outcome Berth(const std::string& line) const {
    return Shell("export JOURNAL='" + (folder_ / "data/journal") + "'; cd '" +
                 folder_.path().native() + "'; $BERTH " + line);
  }

  Folder folder_;
};

TEST_F(JournalCommands, ReplayMakesTheSameDecisions) {
  const Outcome replay = Berth("replay $JOURNAL");
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_THAT(replay.out,
              AllOf(HasSubstr(" decisions from "), HasSubstr("Every decision is the same.")));
  EXPECT_THAT(Berth("replay $JOURNAL -o json").out, HasSubstr("\"isSame\":true"));
}

TEST_F(JournalCommands, ReplayWritesAScenarioThatPasses) {
  const Outcome replay = Berth("replay $JOURNAL --scenario cycle.yaml");
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  const Outcome test = Berth("test cycle.yaml");
  EXPECT_EQ(test.exit_code, 0) << test.out << test.err << testing::ReadFile(folder_ / "cycle.yaml");
}

TEST_F(JournalCommands, ReplaySaysWhereTheJournalIsDamaged) {
  std::string bytes = testing::ReadFile(folder_ / "data/journal/journal-000001");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder_.Write("data/journal/journal-000001", bytes);
  const Outcome replay = Berth("replay $JOURNAL");
  EXPECT_EQ(replay.exit_code, 1);
  EXPECT_THAT(replay.err, HasSubstr("journal-000001: damaged at byte "));
}

TEST_F(JournalCommands, HistoryTellsTheLifeOfTheWorkloads) {
  const Outcome history = Berth("history --journal $JOURNAL --queue research");
  EXPECT_EQ(history.exit_code, 0) << history.err;
  EXPECT_THAT(history.out,
              AllOf(HasSubstr("Created  in LocalQueue main"),
                    HasSubstr("QuotaReserved  in ClusterQueue research, cpu: 1 of spot"),
                    HasSubstr("Finished  ")));
  const Outcome moment =
      Berth("history --journal $JOURNAL --queue research --at 2100-01-01T00:00:00Z -o json");
  EXPECT_THAT(moment.out, AllOf(HasSubstr(R"("clusterQueue":"research")"),
                                HasSubstr(R"("used":"0","nominal":"1")")));
}

TEST_F(JournalCommands, HistoryShowsUsageOverTime) {
  const Outcome usage = Berth("history --journal $JOURNAL --queue research --usage");
  EXPECT_EQ(usage.exit_code, 0) << usage.err;
  EXPECT_THAT(usage.out, AllOf(HasSubstr("  spot  cpu  1\n"), HasSubstr("  spot  cpu  0\n")));
}

TEST_F(JournalCommands, HistoryOfWhatTheJournalDoesNotHaveIsAnError) {
  EXPECT_EQ(Berth("history --journal $JOURNAL default/unknown").exit_code, 1);
  const std::string queue = "history --journal $JOURNAL --queue research ";
  EXPECT_EQ(Berth(queue + "--at 1999-01-01T00:00:00Z").exit_code, 1);
  EXPECT_EQ(Berth("history --journal nowhere").exit_code, 2);
  EXPECT_EQ(Berth("history --journal $JOURNAL --from yesterday").exit_code, 2);
}

TEST_F(JournalCommands, ReportSumsUpUsage) {
  for (const char* by : {"queue", "namespace", "user", "flavor", "job"})
    for (const char* format : {"table", "csv", "json", "html"}) {
      const Outcome report =
          Berth("report --journal $JOURNAL --by " + std::string(by) + " -o " + format);
      EXPECT_EQ(report.exit_code, 0) << report.err;
      EXPECT_THAT(report.out, HasSubstr("cpu")) << by << " " << format;
    }
  EXPECT_THAT(Berth("report --journal $JOURNAL -o csv").out, HasSubstr("research,cpu,0.00"));
}

TEST(JournalOptions, RefuseWhatTheyCannotMean) {
  const Outcome up = Shell("$BERTH up --data-dir x --journal-size 3");
  EXPECT_EQ(up.exit_code, 2);
  EXPECT_THAT(up.err, HasSubstr("--journal-size 3 is not a size of at least 1Mi"));
}

}  // namespace
}  // namespace berth::cli

// `berth simulate` and `berth plan`, as a user runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;
using ::testing::StartsWith;

const std::string kReview = BERTH_SOURCE_DIR "/docs/guides/review-a-quota-change/";
const std::string kQueues = " -f " + kReview + "now ";
const std::string kBaseline = BERTH_SOURCE_DIR "/examples/simulate/baseline.yaml";

Outcome Simulate(const std::string& arguments, std::string_view input = {}) {
  return Shell("$BERTH simulate " + arguments, input);
}

// --- The documentation --------------------------------------------------------------------------

struct GuideExample {
  std::string command;
  std::string output;
};

// Blocks of the form ```console, "$ " command, output. A last line "exit code 1" is what it says.
std::vector<GuideExample> GuideExamples(const std::string& page) {
  static const std::regex kBlock("```console\n\\$ ((?:[^\n]*\\\\\n)*[^\n]*)\n([^`]*)```");
  std::vector<GuideExample> examples;
  for (std::sregex_iterator it(page.begin(), page.end(), kBlock), end; it != end; ++it)
    examples.push_back({(*it)[1], (*it)[2]});
  return examples;
}

TEST(QuotaReviewGuide, EveryCommandDoesWhatItSays) {
  const std::string page = ReadFile(BERTH_SOURCE_DIR "/docs/guides/review-a-quota-change.md");
  const std::vector<GuideExample> examples = GuideExamples(page);
  EXPECT_GE(examples.size(), 6u);
  for (const GuideExample& example : examples) {
    const std::string command =
        std::regex_replace(example.command, std::regex("^berth"), "$$BERTH");
    const Outcome outcome = Shell(
        "cd " BERTH_SOURCE_DIR "/docs/guides/review-a-quota-change && { " + command + "\n} 2>&1");
    std::string shown = outcome.out;
    if (outcome.exit_code != 0) shown += "exit code " + std::to_string(outcome.exit_code) + "\n";
    EXPECT_EQ(shown, example.output) << example.command;
  }
}

// --- Simulations --------------------------------------------------------------------------------

TEST(SimulateCommand, GivesTheSameBytesForTheSameSeed) {
  const Folder folder;
  const auto run = [&](const std::string& name) {
    const std::string files = " --timeline " + folder / (name + ".csv") + " --metrics " +
                              folder / (name + ".prom") + " --html " + folder / (name + ".html");
    const Outcome outcome = Simulate(kQueues + "--trace " + kReview + "yesterday.csv --seed 3 " +
                                     "--ready-after 'exponential(1m)' -o json" + files);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out + ReadFile(folder / (name + ".csv")) + ReadFile(folder / (name + ".prom")) +
           ReadFile(folder / (name + ".html"));
  };
  const std::string first = run("a");
  EXPECT_GT(first.size(), 10'000u);
  EXPECT_EQ(first, run("b"));
}

TEST(SimulateCommand, PlaysKueuesBaselineNearTheFloor) {
  const Outcome outcome = Simulate("--generator " + kBaseline + " --rows 3");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("15000 jobs in "), HasSubstr("15000 done"),
                                 HasSubstr("The quota allows no less than ")));
}

TEST(SimulateCommand, WritesATimelineOfEveryEvent) {
  const Folder folder;
  const std::string trace =
      folder.Write("t.csv", "arrival,queue,cpu,runTime,name\n5,research/main,1,10,a\n");
  EXPECT_EQ(Simulate(kQueues + "--trace " + trace + " --timeline " + folder / "l.csv").exit_code,
            0);
  EXPECT_EQ(ReadFile(folder / "l.csv"),
            "time,event,workload,localQueue,class,reason,by\n"
            "2025-01-01T00:00:05.000000Z,arrived,research/a,research/main,,,\n"
            "2025-01-01T00:00:05.000000Z,started,research/a,research/main,,,\n"
            "2025-01-01T00:00:15.000000Z,finished,research/a,research/main,,,\n");
  EXPECT_EQ(Simulate(kQueues + "--trace " + trace + " --timeline " + folder / "l.jsonl").exit_code,
            0);
  EXPECT_THAT(ReadFile(folder / "l.jsonl"),
              StartsWith("{\"time\":\"2025-01-01T00:00:05.000000Z\",\"event\":\"arrived\","));
}

TEST(SimulateCommand, FailsIfAConditionHolds) {
  const std::string run = kQueues + "--trace " + kReview + "yesterday.csv --fail-if ";
  EXPECT_EQ(Simulate(run + "'makespan() > 1000h'").exit_code, 0);
  const Outcome outcome = Simulate(run + "'makespan() > 1h'");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("failed: makespan() > 1h: "));
  EXPECT_EQ(Simulate(run + "'p90(wait, queue=none) > 1'").exit_code, 2);
  EXPECT_EQ(Simulate(run + "'p90(wat) > 1'").exit_code, 2);
}

TEST(SimulateCommand, EditsObjectsWhileItRuns) {
  const std::string run = kQueues + "--trace " + kReview + "yesterday.csv";
  const Outcome plain = Simulate(run),
                edited = Simulate(run + " --edit 1h=" + kReview + "proposed");
  EXPECT_EQ(edited.exit_code, 0) << edited.err;
  EXPECT_NE(plain.out, edited.out);
}

TEST(SimulateCommand, SaysWhenAWorkloadStarts) {
  const Outcome outcome =
      Simulate(kQueues + "-f " + kReview + "live --eta serving/rollout --worlds 20");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("serving/rollout starts, as 20 simulated worlds have it:\n"));
}

// The timeline goes into a pipe that nobody reads, so it cannot end before it is interrupted.
TEST(SimulateCommand, PrintsWhatThereIsWhenItIsInterrupted) {
  const Folder folder;
  folder.Write("g.yaml", R"(
cohorts:
- {className: c, count: 1, queuesSets: [{className: q, count: 10, nominalQuota: 1, workloadsSets: [
   {count: 2000, creationIntervalMs: 10, workloads: [{className: s, runtimeMs: 9, request: 1}]}]}]}
)");
  const Outcome outcome = Shell("cd " + folder.path().native() + R"(
mkfifo events
exec 3<>events
$BERTH simulate --generator g.yaml --timeline events & pid=$!
read -r -u 3  # now it runs
kill -INT $pid
cat <&3 >/dev/null & reader=$!
wait $pid
code=$?
kill $reader
exit $code
)");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("It was stopped before its end"));
}

// --- Bad input ----------------------------------------------------------------------------------

TEST(SimulateCommand, SaysWhatIsWrongWithATrace) {
  const Folder folder;
  const std::string trace = folder.Write(
      "t.csv", "arrival,queue,cpu\n0,research/main,1\n-1,research/main,1\n1,no/main,1e18\n");
  const Outcome outcome = Simulate(kQueues + "--trace " + trace);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("t.csv:3: arrival \"-1\" is negative"),
                                 HasSubstr("t.csv:4: there is no LocalQueue \"no/main\""),
                                 HasSubstr("t.csv:4: cpu \"1e18\" is more than any pods")));
}

TEST(SimulateCommand, SaysHowAFileOfAGeneratorIsGiven) {
  const Outcome outcome = Simulate("-f " + kBaseline);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("write --generator " + kBaseline));
}

TEST(SimulateCommand, RefusesWordsThatMeanNothing) {
  const std::string run = kQueues + "--trace " + kReview + "yesterday.csv ";
  for (const char* option :
       {"--run-time often", "--until yesterday", "--edit x", "--edit 1h=nowhere", "--at noon",
        "--trace missing.csv", "--stop-time -1s", "--change missing.yaml", "--eta nobody"}) {
    const Outcome outcome = Simulate(run + option);
    EXPECT_EQ(outcome.exit_code, 2) << option;
    EXPECT_THAT(outcome.err, StartsWith("berth: ")) << option;
  }
  EXPECT_EQ(Simulate("").exit_code, 2);
  EXPECT_THAT(Simulate(kQueues).err, HasSubstr("there are no jobs to simulate"));
}

TEST(SimulateCommand, SaysWhenAFileCannotBeWritten) {
  const Outcome outcome =
      Simulate(kQueues + "--trace " + kReview + "yesterday.csv --html /nowhere/report.html");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/report.html cannot be written"));
}

// --- Plans --------------------------------------------------------------------------------------

TEST(PlanCommand, GivesAnExitCodeForReviews) {
  const std::string plan =
      "$BERTH plan" + kQueues + "-f " + kReview + "live --change " + kReview + "proposed ";
  const Outcome outcome = Shell(plan + "-o json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("{\"evicted\":["));
  EXPECT_EQ(Shell(plan + "--fail-on-eviction").exit_code, 1);
}

TEST(PlanCommand, RefusesAChangeOfNothing) {
  const Outcome outcome = Shell("$BERTH plan" + kQueues + "--change " + kReview + "live");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is nothing to change"));
}

// --- The page -----------------------------------------------------------------------------------

std::string FindBrowser() {
  const Outcome found = Shell("command -v chromium chromium-browser google-chrome | head -1");
  return found.out.substr(0, found.out.find('\n'));
}

TEST(SimulatedPage, OpensInABrowserWithoutComplaints) {
  const std::string browser = FindBrowser();
  if (browser.empty()) GTEST_SKIP() << "there is no Chromium on this machine";
  const Folder folder;
  ASSERT_EQ(Simulate(kQueues + "--trace " + kReview + "yesterday.csv --change " + kReview +
                     "proposed --html " + folder / "report.html")
                .exit_code,
            0);
  const Outcome outcome = Shell(
      browser + " --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 " +
      "--user-data-dir=" + folder / "profile" + " --dump-dom file://" + folder / "report.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("CONSOLE")));
  const std::string svg = "<svg";
  size_t plots = 0;
  for (size_t at = outcome.out.find(svg); at != std::string::npos;
       at = outcome.out.find(svg, at + 1))
    ++plots;
  EXPECT_EQ(plots, 8u);  // four of each world
}

}  // namespace
}  // namespace berth::cli

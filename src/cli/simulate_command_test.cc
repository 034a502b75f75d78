// End-to-end tests of `berth simulate` and `berth plan`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "cli/testing/process.h"
#include "json/json.h"
#include "json/path.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::Each;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string kReview = BERTH_SOURCE_DIR "/docs/guides/review-a-quota-change/";
const std::string kQueues = " -f " + kReview + "now ";
const std::string kBaseline = BERTH_SOURCE_DIR "/examples/simulate/baseline.yaml";
const std::string kTopology = BERTH_SOURCE_DIR "/examples/simulate/topology.yaml";

Outcome Simulate(const std::string& arguments, std::string_view input = {}) {
  return Shell("$BERTH simulate " + arguments, input);
}

double NumberAt(const json::value& report, std::initializer_list<std::string_view> path) {
  const json::value* number = json::Find(report, path);
  return number != nullptr && number->is_number() ? number->to_number<double>() : -1;
}

// --- The documentation --------------------------------------------------------------------------

struct GuideExample {
  std::string command;
  std::string output;
};

// Blocks of the form ```console, "$ " command, output. A last line "exit code 1" is the exit code.
std::vector<GuideExample> GuideExamples(const std::string& page) {
  static const std::regex kBlock("```console\n\\$ ((?:[^\n]*\\\\\n)*[^\n]*)\n([^`]*)```");
  std::vector<GuideExample> examples;
  for (std::sregex_iterator it(page.begin(), page.end(), kBlock), end; it != end; ++it)
    examples.push_back({(*it)[1], (*it)[2]});
  return examples;
}

TEST(QuotaReviewGuide, EveryCommandMatchesItsOutput) {
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

TEST(SimulateCommand, FinishesKueuesBaselineWithin120PercentOfTheQuotaBound) {
  const Outcome outcome = Simulate("--generator " + kBaseline + " -o json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json::value report = *json::Parse(outcome.out);
  EXPECT_EQ(NumberAt(report, {"all", "finished"}), 15'000);
  const double bound = NumberAt(report, {"leastSecondsByQuota"});
  EXPECT_GT(bound, 60);
  EXPECT_GE(NumberAt(report, {"seconds"}), bound);
  EXPECT_LE(NumberAt(report, {"seconds"}), 1.2 * bound);
}

// --- Topologies ---------------------------------------------------------------------------------

TEST(SimulateCommand, PlacesKueuesTopologyLoad) {
  const Outcome outcome = Simulate("--generator " + kTopology + " -o json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json::value report = *json::Parse(outcome.out);
  EXPECT_EQ(NumberAt(report, {"all", "finished"}), 15'000);
  EXPECT_LE(NumberAt(report, {"seconds"}), 1.3 * NumberAt(report, {"leastSecondsByQuota"}));
  const json::value& racks = *json::FindAt(report, "nodes[0]");
  EXPECT_EQ(json::TextAt(racks, "levels[1].nodeLabel"), "cloud.example/rack");
  EXPECT_EQ(json::TextAt(racks, "levels[1].domains"), "10");
  // Two thirds of the jobs require or prefer one rack; 600 racks would hold them.
  EXPECT_GE(std::stod(json::TextAt(racks, "levels[1].shareOfPlacementsInOne")), 0.66);
}

TEST(SimulateCommand, SaysThatNodesAreMissing) {
  const Folder folder;
  const std::string objects = folder.Write(
      "t.yaml",
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\nspec: {levels: "
      "[{nodeLabel: kubernetes.io/hostname}]}\n");
  const std::string trace =
      folder.Write("t.csv", "arrival,queue,cpu,runTime\n5,research/main,1,10\n");
  const std::string run = kQueues + "--trace " + trace + " -f " + objects;
  EXPECT_THAT(Simulate(run).err, HasSubstr("nodes missing"));
  const std::string nodes = folder.Write(
      "n.yaml",
      "nodes: [{levels: [{nodeLabel: kubernetes.io/hostname, count: 1}], allocatable: {cpu: 1}}]");
  EXPECT_THAT(Simulate(run + " --generator " + nodes).err, Not(HasSubstr("nodes missing")));
}

// Blocks of YAML with nodes, as they stand in the documentation.
TEST(NodesInTheDocumentation, AreValid) {
  const Folder folder;
  size_t blocks = 0;
  for (const std::string page : {"simulate.md", "simulated-nodes.md"}) {
    const std::string text = ReadFile(BERTH_SOURCE_DIR "/docs/reference/" + page);
    static const std::regex kBlock("```yaml\n(nodes:[^`]*)```");
    for (std::sregex_iterator it(text.begin(), text.end(), kBlock), end; it != end;
         ++it, ++blocks) {
      const std::string file = folder.Write("nodes.yaml", (*it)[1].str());
      const std::string jobs = folder.Write("t.csv", "arrival,queue,cpu\n5,research/main,1\n");
      EXPECT_EQ(Simulate(kQueues + "--trace " + jobs + " --generator " + file).err.find("nodes"),
                std::string::npos);
    }
  }
  EXPECT_EQ(blocks, 2u);
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

// The job of 2 CPUs does not fit before the quota is raised from 1 to 2.
TEST(SimulateCommand, AppliesAnEditAtItsTime) {
  const auto queue = [](const std::string& quota) {
    return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: cq}, spec: "
           "{namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
           "resources: [{name: cpu, nominalQuota: " +
           quota + "}]}]}]}}\n";
  };
  const Folder folder;
  folder.Write("now.yaml", queue("1") + R"(---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: a}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main, namespace: a},
 spec: {clusterQueue: cq}}
)");
  folder.Write("raised.yaml", queue("2"));
  folder.Write("t.csv", "arrival,queue,cpu,runTime,name\n0,a/main,2,10,big\n");
  const std::string run = "-f " + folder / "now.yaml" + " --trace " + folder / "t.csv" +
                          " --timeline " + folder / "l.csv";
  EXPECT_EQ(Simulate(run).exit_code, 0);
  EXPECT_THAT(ReadFile(folder / "l.csv"), Not(HasSubstr("started")));
  const Outcome edited = Simulate(run + " --edit 1h=" + folder / "raised.yaml");
  EXPECT_EQ(edited.exit_code, 0) << edited.err;
  EXPECT_THAT(ReadFile(folder / "l.csv"), HasSubstr("2025-01-01T01:00:00.000000Z,started,a/big,"));
}

// The quota that serving/rollout needs is free when research/sweep ends, 9,001 seconds after the
// start of the simulation: it was admitted at 08:30:01 and runs 3 hours, and the files end at
// 09:00.
TEST(SimulateCommand, EstimatesTheStartFromTheRunTimesOfAdmittedWorkloads) {
  const auto starts = [](const std::string& arguments) {
    const Outcome outcome = Simulate(kQueues + "-f " + kReview +
                                     "live --eta serving/rollout --worlds 20 -o json" + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const json::value report = *json::Parse(outcome.out);
    EXPECT_EQ(NumberAt(report, {"started"}), 20);
    std::vector<double> seconds;
    for (const json::value& quantile : json::Find(report, {"startsWithin"})->as_array())
      seconds.push_back(NumberAt(quantile, {"seconds"}));
    return seconds;
  };
  EXPECT_THAT(starts(" --spread 0"), AllOf(SizeIs(6), Each(DoubleNear(9001, 1))));
  const std::vector<double> spread = starts("");  // run times off by 25%
  EXPECT_TRUE(std::ranges::is_sorted(spread));
  EXPECT_LT(spread.front(), 9001);
  EXPECT_GT(spread.back(), 9001);
}

// The timeline is a pipe without a reader, so the run blocks until interrupted.
TEST(SimulateCommand, PrintsPartialResultsWhenInterrupted) {
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
  EXPECT_THAT(outcome.out, HasSubstr("Simulation stopped early"));
}

// --- Bad input ----------------------------------------------------------------------------------

TEST(SimulateCommand, ReportsErrorsOfATrace) {
  const Folder folder;
  const std::string trace = folder.Write(
      "t.csv", "arrival,queue,cpu\n0,research/main,1\n-1,research/main,1\n1,no/main,1e18\n");
  const Outcome outcome = Simulate(kQueues + "--trace " + trace);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("t.csv:3: arrival \"-1\" is negative"),
                                 HasSubstr("t.csv:4: unknown LocalQueue \"no/main\""),
                                 HasSubstr("t.csv:4: cpu \"1e18\" exceeds the maximum request")));
}

TEST(SimulateCommand, PointsOutGeneratorFiles) {
  const Outcome outcome = Simulate("-f " + kBaseline);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("write --generator " + kBaseline));
}

TEST(SimulateCommand, RejectsInvalidArguments) {
  const std::string run = kQueues + "--trace " + kReview + "yesterday.csv ";
  for (const char* option :
       {"--run-time often", "--until yesterday", "--edit x", "--edit 1h=nowhere", "--at noon",
        "--trace missing.csv", "--stop-time -1s", "--change missing.yaml", "--eta missing"}) {
    const Outcome outcome = Simulate(run + option);
    EXPECT_EQ(outcome.exit_code, 2) << option;
    EXPECT_THAT(outcome.err, StartsWith("berth: ")) << option;
  }
  EXPECT_EQ(Simulate("").exit_code, 2);
  EXPECT_THAT(Simulate(kQueues).err, HasSubstr("jobs missing"));
}

TEST(SimulateCommand, ReportsFilesThatCannotBeWritten) {
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

TEST(PlanCommand, RejectsAnEmptyChange) {
  const Outcome outcome = Shell("$BERTH plan" + kQueues + "--change " + kReview + "live");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no change in"));
}

// --- HTML report --------------------------------------------------------------------------------

std::string FindBrowser() {
  const Outcome found = Shell("command -v chromium chromium-browser google-chrome | head -1");
  return found.out.substr(0, found.out.find('\n'));
}

TEST(SimulatedPage, OpensInABrowserWithoutErrors) {
  const std::string browser = FindBrowser();
  if (browser.empty()) GTEST_SKIP() << "there is no Chromium on this machine";
  const Folder folder;
  ASSERT_EQ(Simulate(kQueues + "--trace " + kReview + "yesterday.csv --change " + kReview +
                     "proposed --html " + folder / "report.html")
                .exit_code,
            0);
  const Outcome outcome =
      Shell(browser + " --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 " +
            "--user-data-dir=" + folder / "profile" +
            " --virtual-time-budget=5000 --dump-dom file://" + folder / "report.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("CONSOLE")));
  const auto count = [&](const std::string& tag) {
    size_t found = 0;
    for (size_t at = outcome.out.find(tag); at != std::string::npos;
         at = outcome.out.find(tag, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("<canvas"), 4u);  // over time, two per world
  EXPECT_EQ(count("<svg"), 4u);
}

// web/e2e/report.e2e.ts: titles are whole, the legend filters and switches, the plots zoom and tell
// values, with 30 queues, light and dark, wide and narrow.
TEST(SimulatedPage, HasPlotsToWorkWith) {
  const std::string web = BERTH_SOURCE_DIR "/web";
  if (Shell("command -v chromium").exit_code != 0) GTEST_SKIP() << "there is no Chromium";
  if (!std::filesystem::exists(web + "/node_modules/vitest"))
    GTEST_SKIP() << "the packages of web/package-lock.json are not installed";
  const Folder folder;
  ASSERT_EQ(Simulate(" --generator " BERTH_SOURCE_DIR "/examples/simulate/baseline.yaml --html " +
                     folder / "report.html")
                .exit_code,
            0);
  const Outcome outcome = Shell("export BERTH_REPORT='" + folder / "report.html" + "'\ncd " + web +
                                " && npm run --silent e2e -- report");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace berth::cli

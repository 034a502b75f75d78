// End-to-end tests of `berth explain`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;

const std::string kExamples = BERTH_SOURCE_DIR "/examples/explain/";
const std::string kCluster = " -f " + kExamples + "queues.yaml -f " + kExamples + "running.yaml ";

Outcome Explain(const std::string& arguments, std::string_view input = {}) {
  return Shell("$BERTH explain" + kCluster + arguments, input);
}

// --- Documentation ------------------------------------------------------------------------------

struct Example {
  std::string command;
  std::string output;
};

// Blocks of the form ```console, "$ " command, output.
std::vector<Example> ExamplesIn(const std::string& page) {
  static const std::regex kBlock("```console\n\\$ ([^\n]*)\n([^`]*)```");
  std::vector<Example> examples;
  for (std::sregex_iterator it(page.begin(), page.end(), kBlock), end; it != end; ++it)
    examples.push_back({(*it)[1], (*it)[2]});
  return examples;
}

TEST(ExplainCommand, MatchesTheDocumentation) {
  const std::string page = ReadFile(BERTH_SOURCE_DIR "/docs/reference/explain.md");
  const std::vector<Example> examples = ExamplesIn(page);
  EXPECT_GE(examples.size(), 9u);
  for (const Example& example : examples) {
    const std::string command =
        std::regex_replace(example.command, std::regex("^berth"), "$$BERTH");
    const Outcome outcome = Shell("cd " BERTH_SOURCE_DIR " && " + command);
    EXPECT_EQ(outcome.out, example.output) << example.command;
    EXPECT_THAT(outcome.err, IsEmpty());
  }
}

TEST(ExplainCommand, PrintsOnlyDocumentedFields) {
  const std::string page = ReadFile(BERTH_SOURCE_DIR "/docs/reference/explain.md");
  static const std::regex kKey("\"([A-Za-z]+)\":");
  std::set<std::string> keys;
  for (const Example& example : ExamplesIn(page)) {
    const std::string command =
        std::regex_replace(example.command, std::regex("^berth"), "$$BERTH");
    const std::string json = Shell("cd " BERTH_SOURCE_DIR " && " + command + " -o json").out;
    for (std::sregex_iterator it(json.begin(), json.end(), kKey), end; it != end; ++it)
      keys.insert((*it)[1]);
  }
  EXPECT_GT(keys.size(), 40u);
  for (const std::string& key : keys) EXPECT_THAT(page, HasSubstr("`" + key + "`"));
}

// --- Names --------------------------------------------------------------------------------------

TEST(ExplainCommand, AcceptsAnUnambiguousNameWithoutNamespace) {
  EXPECT_THAT(Explain("index").out, HasSubstr("Workload research/index holds quota"));
}

TEST(ExplainCommand, AcceptsTheNameOfTheOwningJob) {
  const Outcome outcome = Explain("-f - research/fit-model", R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: job-fit-model-1a2b3
  namespace: research
  ownerReferences:
    - {apiVersion: batch/v1, kind: Job, name: fit-model, uid: u1}
spec:
  queueName: main
  podSets:
    - name: main
      count: 1
      template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)");
  EXPECT_THAT(outcome.out, HasSubstr("Workload research/job-fit-model-1a2b3 is admissible"));
}

TEST(ExplainCommand, SuggestsSimilarNames) {
  const Outcome outcome = Explain("research/indx");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("Workload \"research/indx\" not found"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"research/index\"?"));
}

TEST(ExplainCommand, ListsAllNamesIfNoneIsSimilar) {
  const Outcome outcome = Explain("something-else");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("known Workloads: research/embed and research/index"));
}

TEST(ExplainCommand, ReportsAnAmbiguousName) {
  const std::string other = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: index, namespace: web}
spec: {queueName: main, podSets: [{name: main, count: 1, template: {spec: {containers: []}}}]}
)";
  const Outcome outcome = Explain("-f - index", other);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("write one of research/index or web/index"));
}

// --- Input --------------------------------------------------------------------------------------

TEST(ExplainCommand, RejectsUnreadableFiles) {
  const Outcome outcome = Explain("-f - index", "kind: [");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("<stdin>:"));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(ExplainCommand, RejectsAnInvalidConfiguration) {
  const Outcome outcome = Explain("--config " + kExamples + "queues.yaml index");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no Configuration in"));
}

TEST(ExplainCommand, TakesTheConfigurationIntoAccount) {
  const std::string gpu = " -f " BERTH_SOURCE_DIR "/docs/reference/explain/gpu.yaml render ";
  EXPECT_THAT(Explain(gpu).out, HasSubstr("is pending: NoMatchingFlavor"));
  const Outcome outcome = Explain("--config /dev/stdin" + gpu, R"(
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
resources:
  excludeResourcePrefixes: [nvidia.com/]
)");
  EXPECT_THAT(outcome.out, HasSubstr("is admissible: admitted in the next cycle")) << outcome.err;
}

TEST(ExplainCommand, RejectsAnInvalidTime) {
  const Outcome outcome = Explain("--at yesterday index");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("write it like 2026-01-02T15:04:05Z"));
}

TEST(ExplainCommand, WaitsForBackOffsAsOfTheGivenMoment) {
  std::string waiting = ReadFile(kExamples + "urgent.yaml");
  waiting += "status: {requeueState: {count: 1, requeueAt: \"2026-03-02T10:00:00Z\"}}\n";
  EXPECT_THAT(Explain("--at 2026-03-02T09:59:59Z -f - deadline", waiting).out,
              HasSubstr("wait until 2026-03-02T10:00:00Z"));
  EXPECT_THAT(Explain("--at 2026-03-02T10:00:00Z -f - deadline", waiting).out,
              HasSubstr("is admissible: preempts in the next cycle"));
}

// --- Topologies ---------------------------------------------------------------------------------

const std::string kTopologyExample = " -f " BERTH_SOURCE_DIR "/examples/topology/queues.yaml";
const std::string kScattered =
    " -f " BERTH_SOURCE_DIR "/docs/reference/explain/scattered.yaml weather/forecast";

TEST(ExplainCommand, SaysThatATopologyIsNotConsideredWithoutNodes) {
  std::string workload = ReadFile(BERTH_SOURCE_DIR "/docs/reference/explain/scattered.yaml");
  workload.erase(0, workload.find("# A whole rack"));
  const Outcome outcome =
      Shell("$BERTH explain" + kTopologyExample + " -f - weather/forecast", workload);
  EXPECT_THAT(outcome.out, HasSubstr("is admissible: admitted in the next cycle"));
  EXPECT_THAT(outcome.out,
              HasSubstr("Topology of flavor rack-node is not considered: the files have no Node."));
}

TEST(ExplainCommand, TellsOfAnEmptyTopologyInsteadOfNumbers) {
  const Outcome outcome = Shell("$BERTH explain" + kTopologyExample + " -f - " + kScattered, R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: rack-node}
spec: {nodeLabels: {node.company.example/pool: other}, topologyName: datacentre}
)");
  EXPECT_THAT(outcome.out, HasSubstr("has no nodes for the pods of podset main: no node has the "
                                     "labels of the flavor."));
}

TEST(ExplainCommand, ListsThePlacementOfAWorkloadWithQuota) {
  std::string archive = kScattered;
  archive.replace(archive.rfind("forecast"), std::string::npos, "archive");
  EXPECT_THAT(Shell("$BERTH explain" + kTopologyExample + archive).out,
              HasSubstr("PODSET  DOMAIN   PODS\n  main    node-01  1"));
}

// --- Workloads outside of queues ----------------------------------------------------------------

TEST(ExplainCommand, OffersAQuotaForAnUnmappedDeviceClassOnce) {
  const Folder folder;
  folder.Write("config.yaml",
               "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
               "featureGates: {KueueDynamicResourceAllocation: true}\n");
  folder.Write("claim.yaml", R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one, namespace: research}
spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: other.example.com}}]}}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: claimer, namespace: research}
spec:
  queueName: main
  podSets:
  - name: main
    count: 1
    template:
      spec:
        restartPolicy: Never
        resourceClaims: [{name: g, resourceClaimTemplateName: one}]
        containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
)");
  const std::string path = folder.path().string();
  const Outcome outcome =
      Explain("--config " + path + "/config.yaml -f " + path + "/claim.yaml claimer");
  EXPECT_THAT(outcome.out, HasSubstr("- declare a resource of device class other.example.com"))
      << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("and one of")));
}

TEST(ExplainCommand, ExplainsWhyAWorkloadIsNotQueued) {
  const std::string waiting = ReadFile(kExamples + "waiting.yaml");
  const auto with = [&](const char* from, const char* to) {
    return Explain("-f - train", std::regex_replace(waiting, std::regex(from), to)).out;
  };
  EXPECT_THAT(with("queueName: main", "queueName: mian"),
              HasSubstr("LocalQueue research/mian not found."));
  EXPECT_THAT(with("  queueName: main\n", ""), HasSubstr("LocalQueue is not set"));
  EXPECT_THAT(with("queueName: main", "queueName: main\n  active: false"),
              HasSubstr("Workload is deactivated"));
}

}  // namespace
}  // namespace berth::cli

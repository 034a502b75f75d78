// `berth up` as a separate process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cli/testing/process.h"
#include "cli/testing/up_process.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;
using testing::UpProcess;

constexpr std::string_view kSettings = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {color: red}
)";
constexpr const char* kSettingsPath = "/api/v1/namespaces/default/configmaps/settings";

int ModeOf(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? static_cast<int>(status.st_mode & 0777) : -1;
}

TEST(Up, PrintsItsAddressAndStopsCleanly) {
  const Folder folder;
  UpProcess up(folder.path() / "data");
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  EXPECT_THAT(up.out(), HasSubstr("export KUBECONFIG=" + folder / "data/kubeconfig"));
  EXPECT_THAT(up.out(), HasSubstr("without running containers"));
  EXPECT_EQ(ModeOf(folder / "data/kubeconfig"), 0600);
  EXPECT_EQ(ModeOf(folder / "data"), 0700);
  EXPECT_EQ(up.Connect().Get("/readyz").body, "ok");
  up.Signal(SIGTERM);
  EXPECT_EQ(up.WaitForEnd(), 0) << up.out();
  EXPECT_THAT(up.out(), HasSubstr("Berth stopped."));
}

// The token of its url, and those of the server.
TEST(Up, PrintsTheAddressOfItsDashboard) {
  const Folder folder;
  UpProcess up(folder.path() / "data", {"--dashboard-port", "0"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  constexpr std::string_view kUrl = "Dashboard  http://127.0.0.1:";
  const size_t begin = up.out().find(kUrl) + kUrl.size();
  const int port = std::stoi(up.out().substr(begin));
  const size_t mark = up.out().find("#token=", begin) + 7;
  const std::string tokens = ReadFile(folder / "data/tokens.csv");
  for (const std::string& token : {up.out().substr(mark, 64), tokens.substr(0, tokens.find(','))}) {
    http::testing::HttpsClient client(static_cast<uint16_t>(port));
    EXPECT_EQ(client.Get("/").status, 200);
    EXPECT_EQ(client.Get("/api/v1/session").status, 401);
    EXPECT_THAT(
        client.Do({.target = "/api/v1/session", .headers = {{"Authorization", "Bearer " + token}}})
            .body,
        HasSubstr("berth-admin"));
  }
  up.Signal(SIGTERM);
  EXPECT_EQ(up.WaitForEnd(), 0) << up.out();
}

TEST(Up, ServesNoDashboardOnRequest) {
  const Folder folder;
  UpProcess up(folder.path() / "data", {"--no-dashboard"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  EXPECT_THAT(up.out(), Not(HasSubstr("Dashboard")));
}

TEST(Up, FinishesRequestsInProgressOnStop) {
  const Folder folder;
  UpProcess up(folder.path());
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  auto watcher = up.Connect();
  EXPECT_EQ(watcher.Begin({.target = "/api/v1/namespaces?watch=true"}).status, 200);
  up.Signal(SIGINT);
  std::optional<std::string> chunk = "there is more";
  while (chunk && !chunk->empty()) chunk = watcher.NextChunk();
  EXPECT_EQ(chunk, "") << "the watch did not end in good order";
  EXPECT_EQ(up.WaitForEnd(), 0) << up.out();
}

// However much it has to do.
TEST(Up, StopsWhileItCreatesPodsWithoutEnd) {
  const Folder folder;
  const std::string sets = folder.Write("sets.yaml", R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: huge, namespace: default}
spec:
  replicas: 2147483647
  selector: {matchLabels: {app: huge}}
  template: {metadata: {labels: {app: huge}}, spec: {containers: [{name: c, image: example.com/c}]}}
)");
  UpProcess up(folder.path() / "data", {"-f", sets, "--no-dashboard"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  http::testing::HttpsClient client = up.Connect();
  for (int i = 0; i < 300 && client.Get("/api/v1/pods").body.size() < 1'000'000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  up.Signal(SIGTERM);
  EXPECT_EQ(up.WaitForEnd(10), 0) << up.out();
}

TEST(Up, StopsWhileItLoadsObjects) {
  const Folder folder;
  std::string maps;
  for (int i = 0; i < 30'000; ++i)
    maps += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m" + std::to_string(i) +
            ", namespace: default}\n";
  UpProcess up(folder.path() / "data", {"-f", folder.Write("maps.yaml", maps), "--no-dashboard"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  up.Signal(SIGTERM);
  EXPECT_EQ(up.WaitForEnd(4), 0) << up.out();
}

TEST(Up, RestoresItsObjects) {
  const Folder folder;
  const std::string objects = folder.Write("objects.yaml", kSettings);
  std::string first;
  {
    UpProcess up(folder.path() / "data", {"-f", objects});
    ASSERT_TRUE(up.WaitUntilReady()) << up.out();
    auto client = up.Connect();
    // Objects are loaded after the server has started.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do first = client.Get(kSettingsPath).body;
    while (first.find("red") == std::string::npos && std::chrono::steady_clock::now() < deadline);
    up.Signal(SIGTERM);
    EXPECT_EQ(up.WaitForEnd(), 0) << up.out();
  }
  const std::string kubeconfig = ReadFile(folder / "data/kubeconfig");
  UpProcess again(folder.path() / "data");
  ASSERT_TRUE(again.WaitUntilReady()) << again.out();
  EXPECT_THAT(first, HasSubstr("red"));
  EXPECT_EQ(again.Connect().Get(kSettingsPath).body, first);
  // Only the port differs: existing certificates stay valid.
  const std::string marker = "certificate-authority-data:";
  const std::string after = ReadFile(folder / "data/kubeconfig");
  EXPECT_EQ(after.substr(after.find(marker), 200), kubeconfig.substr(kubeconfig.find(marker), 200));
}

// --- Nodes --------------------------------------------------------------------------------------

constexpr std::string_view kRacks = R"(
nodes:
- levels: [{nodeLabel: rack, count: 2}, {nodeLabel: kubernetes.io/hostname, count: 3}]
  allocatable: {cpu: 4}
)";

TEST(Up, RegistersTheNodesOfADescription) {
  const Folder folder;
  UpProcess up(folder.path() / "data", {"--nodes", folder.Write("nodes.yaml", kRacks)});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  auto client = up.Connect();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::string node;
  do node = client.Get("/api/v1/nodes/node-1-2").body;
  while (node.find("rack-1") == std::string::npos && std::chrono::steady_clock::now() < deadline);
  EXPECT_THAT(node, HasSubstr("\"rack\":\"rack-1\""));
  EXPECT_THAT(node, HasSubstr("\"cpu\":\"4\""));
}

TEST(Up, RejectsFilesOfNodesWithOtherThings) {
  const Folder folder;
  const auto error = [&](std::string_view text) {
    return Shell("$BERTH up --in-memory --port 0 --nodes " + folder.Write("n.yaml", text)).err;
  };
  EXPECT_THAT(error(kSettings), HasSubstr("ConfigMap settings is not a Node"));
  EXPECT_THAT(error("cohorts: [{className: c, count: 1, queuesSets: []}]"),
              HasSubstr("has queues and jobs, too"));
  EXPECT_THAT(error("nodes: [{levels: [{nodeLabel: a, count: 0}], allocatable: {cpu: 1}}]"),
              HasSubstr("n.yaml:1:"));
  EXPECT_THAT(error("nodes: [{levels: [{nodeLabel: a, count: 1}], allocatable: {cpu: 1}, "
                    "failsAfter: 1h}]"),
              HasSubstr("make nodes fail with kubectl"));
}

TEST(Up, RejectsInvalidNodes) {
  const Folder folder;
  const auto error = [&](std::string_view node) {
    const std::string text = "apiVersion: v1\nkind: Node\n" + std::string(node);
    return Shell("$BERTH up --in-memory --port 0 --nodes " + folder.Write("n.yaml", text)).err;
  };
  EXPECT_THAT(error("metadata: {name: Node_A}"),
              AllOf(HasSubstr("n.yaml:3:"), HasSubstr("metadata.name"), HasSubstr("lower")));
  EXPECT_THAT(error("metadata: {labels: {a: b}}"), HasSubstr("name is missing"));
  EXPECT_THAT(error("metadata: {name: node-a, labels: {a: b/c}}"), HasSubstr("metadata.labels"));
  EXPECT_THAT(error("metadata: {name: node-a}\nspec: {taints: [{key: a, effect: NoExec}]}"),
              AllOf(HasSubstr("n.yaml:4:"), HasSubstr("write NoSchedule, PreferNoSchedule")));
  EXPECT_THAT(
      error(
          "metadata: {name: node-a}\n---\n{apiVersion: v1, kind: Node, metadata: {name: node-a}}"),
      HasSubstr("another Node of the file"));
}

TEST(Up, LoadsFilesInDependencyOrder) {
  const Folder folder;
  folder.Write("1-job.yaml", R"(
apiVersion: batch/v1
kind: Job
metadata: {generateName: train-, namespace: later}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: many, namespace: later}
)");
  folder.Write("2-namespace.yaml", "{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
  const Outcome up = Shell("timeout 60 $BERTH up --once --in-memory --run-time 1s --port 0 -f " +
                           folder.path().string() + " 2>&1");
  EXPECT_EQ(up.exit_code, 0) << up.out;
  EXPECT_THAT(up.out, ContainsRegex("later/train-[a-z0-9]+ +finished"));
  EXPECT_THAT(up.out, HasSubstr("JobSet many of jobset.x-k8s.io/v1alpha2 skipped"));
}

TEST(Up, ServesMetricsAndVisibility) {
  const Folder folder;
  const std::string objects = folder.Write("objects.yaml", R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec: {namespaceSelector: {}}
)");
  UpProcess up(folder.path() / "data", {"-f", objects});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  auto client = up.Connect();
  const std::string status =
      R"(kueue_cluster_queue_status{cluster_queue="team",replica_role="standalone",status="active"} 1)";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  auto metrics = client.Get("/metrics");
  while (metrics.body.find(status) == std::string::npos &&
         std::chrono::steady_clock::now() < deadline)
    metrics = client.Get("/metrics");
  EXPECT_THAT(metrics.body, HasSubstr(status));
  EXPECT_THAT(metrics.Header("Content-Type"), HasSubstr("text/plain; version=0.0.4"));
  const std::string group = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/";
  EXPECT_THAT(client.Get(group + "team/pendingworkloads").body,
              HasSubstr(R"("kind":"PendingWorkloadsSummary")"));
  EXPECT_EQ(client.Get(group + "missing/pendingworkloads").status, 404);
}

TEST(Up, ShowsTheDemonstrationOnce) {
  const Outcome demo = Shell("timeout 100 $BERTH up --demo --once --in-memory --port 0 2>&1");
  EXPECT_EQ(demo.exit_code, 0) << demo.out;
  EXPECT_THAT(demo.out, HasSubstr("Berth stopped."));
  EXPECT_THAT(demo.out, Not(HasSubstr("could not")));
  const std::string last = demo.out.substr(demo.out.rfind("  JOB "));
  for (const char* job :
       {"research/train", "research/nightly", "research/pretrain", "serving/index"})
    EXPECT_THAT(last, ContainsRegex(std::string(job) + " +finished"));
}

TEST(Up, KeepsTheOtherContextsOfAGivenKubeconfig) {
  const Folder folder;
  const std::string path = folder.Write("config", R"(apiVersion: v1
kind: Config
current-context: work
clusters:
- name: work
  cluster: {server: "https://work.example:6443"}
- name: berth
  cluster: {server: "https://127.0.0.1:1"}
users:
- name: anna
  user: {token: secret}
contexts:
- name: work
  context: {cluster: work, user: anna}
)");
  UpProcess up(folder.path() / "data", {"--kubeconfig", path});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  const std::string config = ReadFile(path);
  EXPECT_THAT(config, AllOf(HasSubstr("https://work.example:6443"), HasSubstr("token: secret"),
                            HasSubstr("current-context: berth"),
                            HasSubstr("https://127.0.0.1:" + std::to_string(up.port())),
                            Not(HasSubstr("https://127.0.0.1:1\n"))));
  EXPECT_EQ(ModeOf(path), 0600);
}

TEST(Up, RefusesToOverwriteAFileThatIsNoKubeconfig) {
  const Folder folder;
  for (const char* text : {"my diary", "kind: Secret\napiVersion: v1\n", "a: [", "[]"}) {
    const std::string path = folder.Write("file", text);
    UpProcess up(folder.path() / "data", {"--kubeconfig", path});
    EXPECT_EQ(up.WaitForEnd(), 2) << text;
    EXPECT_THAT(up.out(),
                AllOf(HasSubstr(path + " is not a kubeconfig"), HasSubstr("--kubeconfig")));
    EXPECT_EQ(ReadFile(path), text);
  }
}

TEST(Up, ReportsAPortInUse) {
  const Folder folder;
  UpProcess up(folder.path() / "one");
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  const std::string port = std::to_string(up.port());
  UpProcess second(folder.path() / "two", {"--port", port});
  EXPECT_EQ(second.WaitForEnd(), 2);
  EXPECT_THAT(second.out(), HasSubstr("cannot listen on 127.0.0.1 port " + port));
  EXPECT_THAT(second.out(), HasSubstr("--port"));
}

TEST(Up, ReportsADirectoryInUse) {
  const Folder folder;
  UpProcess up(folder.path());
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  UpProcess second(folder.path());
  EXPECT_EQ(second.WaitForEnd(), 2);
  EXPECT_THAT(second.out(), HasSubstr("is in use by process"));
  EXPECT_THAT(second.out(), HasSubstr("--data-dir"));
  EXPECT_EQ(up.Connect().Get("/readyz").body, "ok");
}

TEST(Up, ReportsInvalidArguments) {
  const Folder folder;
  const Outcome time = Shell("$BERTH up --in-memory --run-time soon");
  EXPECT_EQ(time.exit_code, 2);
  EXPECT_THAT(time.err, HasSubstr("write it like 30s or 1m30s"));
  const Outcome file = Shell("$BERTH up --in-memory -f " + folder / "absent.yaml");
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr("absent.yaml"));
}

TEST(Up, RunsTheJobsOfTheExamples) {
  for (const char* example : {"quickstart", "cohorts", "accelerators", "topology", "exclusions"}) {
    const Outcome up = Shell("timeout 100 $BERTH up --once --in-memory --run-time 1s --port 0 -f " +
                             std::string(BERTH_SOURCE_DIR "/examples/") + example);
    EXPECT_EQ(up.exit_code, 0) << example << up.out << up.err;
    EXPECT_THAT(up.out, HasSubstr("Berth stopped.")) << example;
  }
}

// Their workloads never finish: they wait for quota, or for a check without a controller.
TEST(Up, StartsWithTheQueuesOfTheOtherExamples) {
  for (const auto& [example, queue] : std::initializer_list<std::pair<std::string, std::string>>{
           {"explain", "research"}, {"provisioning", "genomics"}}) {
    const Folder folder;
    UpProcess up(folder.path(), {"-f", BERTH_SOURCE_DIR "/examples/" + example});
    ASSERT_TRUE(up.WaitUntilReady()) << example << up.out();
    const std::string path = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/" + queue;
    // Objects are loaded after the server has started.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (up.Connect().Get(path).status != 200)
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << example;
  }
}

TEST(Up, StartsWithTheConfigurationOfTheExamples) {
  const Folder folder;
  UpProcess up(folder.path(),
               {"--config", BERTH_SOURCE_DIR "/examples/configuration/configuration.yaml"});
  EXPECT_TRUE(up.WaitUntilReady()) << up.out();
}

}  // namespace
}  // namespace berth::cli

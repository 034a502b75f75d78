// The examples of kueuectl's reference pages, typed as they are there, against `berth up`. What
// they do is read with kubectl.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "cli/testing/process.h"
#include "cli/testing/up_process.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Shell;
using ::testing::StartsWith;
using testing::UpProcess;

// A job that is admitted and one that waits for it, in namespace default.
constexpr std::string_view kQueuedJobs = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: alpha}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: my-clusterqueue}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [cpu], flavors: [{name: alpha, resources: [{name: cpu, nominalQuota: 2}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: my-localqueue, namespace: default}
spec: {clusterQueue: my-clusterqueue}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job-name, namespace: default, labels: {kueue.x-k8s.io/queue-name: my-localqueue}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]
)";

class Kueuectl : public ::testing::Test {
 protected:
  void SetUp() override {
    kubectl_ = apiserver::testing::FindKubectl(BERTH_SOURCE_DIR);
    if (kubectl_.empty()) GTEST_SKIP() << "there is no kubectl on this machine";
    ASSERT_TRUE(up_.WaitUntilReady()) << up_.out();
    std::filesystem::create_directory(folder_.path() / "bin");
    std::filesystem::create_symlink(kubectl_, folder_ / "bin/kubectl");
    for (const char* name : {"kueuectl", "kubectl-kueue", "kubectl-berth", "kubectl_complete-kueue",
                             "kubectl_complete-berth"})
      std::filesystem::create_symlink(BERTH_BINARY, folder_.path() / "bin" / name);
  }

  // Runs a line with the plugin and kubectl on the PATH.
  Outcome Type(const std::string& line, std::string_view input = {}) const {
    return Shell("export PATH='" + folder_ / "bin" + "':\"$PATH\" HOME='" + folder_ / "home" +
                     "' KUBECONFIG='" + folder_ / "data/kubeconfig" + "'\n" + line,
                 input);
  }

  // The output of a line that must succeed.
  std::string Out(const std::string& line, std::string_view input = {}) const {
    const Outcome outcome = Type(line, input);
    EXPECT_EQ(outcome.exit_code, 0) << line << "\n" << outcome.out << outcome.err;
    return outcome.out;
  }

  // A field of an object, read with kubectl.
  std::string Field(const std::string& object, const std::string& path) const {
    return Out("kubectl get " + object + " -o jsonpath='" + path + "'");
  }

  void Apply(std::string_view manifests) const { Out("kubectl apply -f -", manifests); }

  // Repeats a line until its output has the text.
  std::string WaitFor(const std::string& line, std::string_view text) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::string out;
    do {
      out = Type(line).out;
      if (out.find(text) != std::string::npos) return out;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } while (std::chrono::steady_clock::now() < deadline);
    ADD_FAILURE() << line << " never printed " << text << ", but\n" << out;
    return out;
  }

  // The only Workload, once it is there.
  std::string Workload() const {
    const std::string name = WaitFor("kubectl get kwl -o name", "/");
    return name.substr(name.find('/') + 1, name.find('\n') - name.find('/') - 1);
  }

  Folder folder_;
  std::string kubectl_;
  UpProcess up_{folder_.path() / "data"};
};

TEST_F(Kueuectl, CreatesClusterQueues) {
  EXPECT_EQ(Out("kueuectl create clusterqueue my-cluster-queue"),
            "clusterqueue.kueue.x-k8s.io/my-cluster-queue created\n");
  EXPECT_EQ(Field("cq my-cluster-queue", "{.spec.queueingStrategy} {.spec.namespaceSelector}"),
            "BestEffortFIFO {}");
  Out("kubectl delete cq my-cluster-queue");
  Out(R"(kueuectl create clusterqueue my-cluster-queue \
--cohort cohortname \
--queuing-strategy StrictFIFO \
--namespace-selector fooX=barX,fooY=barY \
--reclaim-within-cohort Any \
--preemption-within-cluster-queue LowerPriority)");
  EXPECT_EQ(Field("cq my-cluster-queue",
                  "{.spec.cohortName} {.spec.queueingStrategy} "
                  "{.spec.namespaceSelector.matchLabels.fooY} "
                  "{.spec.preemption.reclaimWithinCohort} {.spec.preemption.withinClusterQueue}"),
            "cohortname StrictFIFO barY Any LowerPriority");
  Out("kubectl delete cq my-cluster-queue");
  Out(R"(kueuectl create clusterqueue my-cluster-queue --nominal-quota "alpha:cpu=9;memory=36Gi")");
  EXPECT_EQ(Field("cq my-cluster-queue",
                  "{.spec.resourceGroups[*].flavors[*].resources[*]."
                  "nominalQuota}"),
            "9 36Gi");
  Out("kubectl delete cq my-cluster-queue");
  Out(R"(kueuectl create clusterqueue my-cluster-queue \
--cohort cohortname \
--nominal-quota "alpha:cpu=9;memory=36Gi;nvidia.com/gpu=10,beta:cpu=18;memory=72Gi;nvidia.com/gpu=20" \
--borrowing-limit "alpha:cpu=1;memory=1Gi;nvidia.com/gpu=1,beta:cpu=2;memory=2Gi;nvidia.com/gpu=2" \
--lending-limit "alpha:cpu=1;memory=1Gi;nvidia.com/gpu=1,beta:cpu=2;memory=2Gi;nvidia.com/gpu=2")");
  EXPECT_EQ(Field("cq my-cluster-queue",
                  "{.spec.resourceGroups[0].flavors[1].name} "
                  "{.spec.resourceGroups[0].flavors[1].resources[2].nominalQuota} "
                  "{.spec.resourceGroups[0].flavors[1].resources[1].borrowingLimit} "
                  "{.spec.resourceGroups[0].flavors[0].resources[0].lendingLimit}"),
            "beta 20 2Gi 1");
}

TEST_F(Kueuectl, CreatesLocalQueues) {
  const Outcome unknown = Type("kueuectl create localqueue my-local-queue -c my-cluster-queue");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, StartsWith("Error from server (NotFound): clusterqueues.kueue.x-k8s.io "
                                      "\"my-cluster-queue\" not found\n"));
  EXPECT_EQ(Out("kueuectl create localqueue my-local-queue -c my-cluster-queue -i"),
            "localqueue.kueue.x-k8s.io/my-local-queue created\n");
  EXPECT_EQ(Field("lq my-local-queue", "{.spec.clusterQueue} {.metadata.namespace}"),
            "my-cluster-queue default");
  Out("kubectl delete lq my-local-queue && kueuectl create clusterqueue my-cluster-queue");
  Out("kueuectl create localqueue my-local-queue -c my-cluster-queue");
  const Outcome again = Type("kueuectl create localqueue my-local-queue -c my-cluster-queue");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, StartsWith("Error from server (AlreadyExists): "));
}

TEST_F(Kueuectl, CreatesResourceFlavors) {
  Out("kueuectl create resourceflavor my-resource-flavor");
  Out(R"(kueuectl create resourceflavor labels \
--node-labels kubernetes.io/arch=arm64,kubernetes.io/os=linux)");
  Out(R"(kueuectl create resourceflavor taints \
--node-taints key1=value:NoSchedule,key2:NoExecute)");
  Out(R"(kueuectl create resourceflavor tolerations \
--tolerations key1=value:NoSchedule,key2:NoExecute,key3=value,key4,:PreferNoSchedule)");
  EXPECT_EQ(Field("rf labels", "{.spec.nodeLabels.kubernetes\\.io/arch}"), "arm64");
  EXPECT_EQ(Field("rf taints", "{.spec.nodeTaints[*].effect}"), "NoSchedule NoExecute");
  EXPECT_EQ(Field("rf tolerations", "{.spec.tolerations[*].operator}"),
            "Equal Exists Equal Exists Exists");
  EXPECT_THAT(Out("kueuectl list resourceflavor"),
              AllOf(ContainsRegex("^NAME +NODE LABELS +AGE\n"),
                    HasSubstr("kubernetes.io/arch=arm64, kubernetes.io/os=linux")));
}

TEST_F(Kueuectl, CreatesNothingInADryRun) {
  EXPECT_EQ(Out("kueuectl create rf f --dry-run client"),
            "resourceflavor.kueue.x-k8s.io/f created (client dry run)\n");
  EXPECT_EQ(Out("kueuectl create rf f --dry-run=server"),
            "resourceflavor.kueue.x-k8s.io/f created (server dry run)\n");
  EXPECT_EQ(Out("kueuectl create rf f --dry-run client -o yaml | kubectl apply -f -"),
            "resourceflavor.kueue.x-k8s.io/f created\n");
  const Outcome wrong = Type("kueuectl create rf g --dry-run=perhaps");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("invalid dry-run value (perhaps)"));
  EXPECT_EQ(Type("kubectl get rf g").exit_code, 1);
}

TEST_F(Kueuectl, NeedsNoClusterForADryRunOfTheClient) {
  EXPECT_EQ(Out("unset KUBECONFIG; kueuectl create cq a --dry-run=client"),
            "clusterqueue.kueue.x-k8s.io/a created (client dry run)\n");
}

TEST_F(Kueuectl, StopsAndResumesQueues) {
  Apply(kQueuedJobs);
  EXPECT_EQ(Out("kueuectl stop clusterqueue my-clusterqueue"),
            "clusterqueue.kueue.x-k8s.io/my-clusterqueue\n");
  EXPECT_EQ(Field("cq my-clusterqueue", "{.spec.stopPolicy}"), "HoldAndDrain");
  Out("kueuectl resume clusterqueue my-clusterqueue");
  EXPECT_EQ(Field("cq my-clusterqueue", "{.spec.stopPolicy}"), "None");
  Out("kueuectl stop localqueue my-localqueue --keep-already-running");
  EXPECT_EQ(Field("lq my-localqueue", "{.spec.stopPolicy}"), "Hold");
  Out("kueuectl stop localqueue my-localqueue");
  EXPECT_EQ(Field("lq my-localqueue", "{.spec.stopPolicy}"), "HoldAndDrain");
  Out("kueuectl resume localqueue my-localqueue");
  Out("kueuectl stop cq my-clusterqueue --dry-run=client -o yaml");
  EXPECT_EQ(Field("cq my-clusterqueue", "{.spec.stopPolicy}"), "None");
}

TEST_F(Kueuectl, StopsAndResumesWorkloads) {
  Apply(kQueuedJobs);
  const std::string name = Workload();
  EXPECT_EQ(Out("kueuectl stop workload " + name),
            "workload.kueue.x-k8s.io/" + name + " stopped\n");
  EXPECT_EQ(Field("kwl " + name, "{.spec.active}"), "false");
  EXPECT_EQ(Out("kueuectl resume kueueworkload " + name),
            "workload.kueue.x-k8s.io/" + name + " resumed\n");
  EXPECT_EQ(Field("kwl " + name, "{.spec.active}"), "true");
}

TEST_F(Kueuectl, ListsWorkloadsWithTheirJobsAndPlaces) {
  EXPECT_EQ(Type("kueuectl list kueueworkload").err, "No resources found in default namespace.\n");
  Apply(kQueuedJobs);
  WaitFor("kueuectl list kueueworkload", "ADMITTED");
  Apply(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: second, namespace: default, labels: {kueue.x-k8s.io/queue-name: my-localqueue}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]
)");
  const std::string table = WaitFor("kueuectl list kueueworkload", "PENDING");
  EXPECT_THAT(table, ContainsRegex("^NAME +JOB TYPE +JOB NAME +LOCALQUEUE +CLUSTERQUEUE +STATUS "
                                   "+POSITION IN QUEUE +EXEC TIME +AGE\n"));
  EXPECT_THAT(table, ContainsRegex("job.batch +job-name +my-localqueue +my-clusterqueue "
                                   "+ADMITTED"));
  EXPECT_THAT(table,
              ContainsRegex("job.batch +second +my-localqueue +my-clusterqueue +PENDING +0 "));
  EXPECT_THAT(Out("kueuectl list workload --status pending -o name"),
              ContainsRegex("^workload.kueue.x-k8s.io/job-second-[a-z0-9]+\n$"));
  EXPECT_THAT(Out("kueuectl -n default list workload --for job/job-name"), HasSubstr("job-name"));
  EXPECT_EQ(Type("kueuectl list workload --for job/none").err,
            "No resources found in default namespace.\n");
  EXPECT_EQ(Out("kueuectl list kwl -A -q my-localqueue --status admitted "
                "-o jsonpath='{.items[*].metadata.ownerReferences[0].name}'"),
            "job-name");
}

TEST_F(Kueuectl, ListsQueues) {
  Apply(kQueuedJobs);
  EXPECT_THAT(Out("kueuectl list localqueue"),
              ContainsRegex("^NAME +CLUSTERQUEUE +PENDING WORKLOADS +ADMITTED WORKLOADS +AGE\n"
                            "my-localqueue +my-clusterqueue +[01] +[01] +"));
  EXPECT_THAT(WaitFor("kueuectl list clusterqueue --active true", "my-clusterqueue"),
              ContainsRegex("^NAME +COHORT +PENDING WORKLOADS +ADMITTED WORKLOADS +ACTIVE +AGE\n"));
  EXPECT_EQ(Type("kueuectl list clusterqueue --active=false").err, "No resources found\n");
  EXPECT_THAT(Out("kueuectl list lq -A"), StartsWith("NAMESPACE   NAME"));
  EXPECT_EQ(Out("kueuectl list cq -o json | grep -c ClusterQueueList"), "1\n");
}

TEST_F(Kueuectl, DeletesTheJobOfAWorkloadIfAllowed) {
  Apply(kQueuedJobs);
  const std::string name = Workload();
  const std::string line = "kueuectl delete kueueworkload " + name;
  EXPECT_EQ(Out(line, "n\n"),
            "This operation will also delete:\n"
            "  - jobs.batch/job-name associated with the default/" +
                name +
                " workload\nDo you want to proceed (y/n)? "
                "Deletion is canceled\n");
  EXPECT_EQ(Out(line + " --dry-run server"), "jobs.batch/job-name deleted (server dry run)\n");
  EXPECT_EQ(Type("kubectl get job job-name").exit_code, 0);
  EXPECT_THAT(Out(line, "y\n"), EndsWith("(y/n)? jobs.batch/job-name deleted\n"));
  WaitFor("kubectl get jobs,kwl --ignore-not-found; echo gone", "gone");
  EXPECT_EQ(Type("kubectl get job job-name").exit_code, 1);
  EXPECT_THAT(Type("kueuectl delete workload nothing").err, HasSubstr("\"nothing\" not found"));
  EXPECT_EQ(Type("kueuectl delete workload").exit_code, 1);
}

TEST_F(Kueuectl, PassesOtherCommandsToKubectl) {
  Apply(kQueuedJobs);
  for (const std::string rest : {"get clusterqueue my-clusterqueue -o name", "get lq -A -o name",
                                 "describe resourceflavor alpha"})
    EXPECT_EQ(Out("kueuectl " + rest), Out("kubectl " + rest));
  Out(R"(kueuectl patch cq my-clusterqueue --type merge -p '{"spec":{"cohortName":"c"}}')");
  EXPECT_EQ(Field("cq my-clusterqueue", "{.spec.cohortName}"), "c");
  EXPECT_THAT(Out("kueuectl delete lq my-localqueue"), HasSubstr("deleted"));
}

TEST_F(Kueuectl, IsAPluginOfKubectl) {
  Out("kubectl kueue create rf spot && kubectl berth create cq a --nominal-quota spot:cpu=2");
  EXPECT_THAT(Out("kubectl kueue list cq"), HasSubstr("\na "));
  EXPECT_THAT(Out("kubectl kueue --help"), HasSubstr("Usage: kubectl kueue COMMAND"));
  EXPECT_THAT(Out("\"$BERTH\" ctl tree"), ContainsRegex("a +spot +cpu +2 +0 +- +0 +0\n"));
  EXPECT_THAT(Out("kubectl kueue version"), StartsWith("Client Version: v"));
}

TEST_F(Kueuectl, ExplainsAndEstimatesWhatWaits) {
  Apply(kQueuedJobs);
  Out("kueuectl stop cq my-clusterqueue");
  Workload();
  EXPECT_THAT(Out("kueuectl explain job/job-name"), HasSubstr("default/job-job-name"));
  EXPECT_THAT(Out("\"$BERTH\" explain --live default/job-name -o json"), StartsWith("{"));
  Out("kueuectl resume cq my-clusterqueue");
  EXPECT_EQ(Type("kueuectl eta job-name -o json --worlds 3").exit_code, 0);
  EXPECT_THAT(Type("kueuectl eta unknown").err, HasSubstr("error: there is no workload"));
  EXPECT_THAT(Out("kueuectl top --once"), HasSubstr("my-clusterqueue"));
  const std::string less = folder_.Write("less.yaml", R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: my-clusterqueue}
spec: {namespaceSelector: {}, stopPolicy: HoldAndDrain}
)");
  EXPECT_THAT(Out("kueuectl plan -f " + less), HasSubstr("my-clusterqueue"));
}

TEST_F(Kueuectl, TellsTheLifeOfAWorkload) {
  Apply(kQueuedJobs);
  WaitFor("kueuectl list workload", "ADMITTED");
  EXPECT_THAT(WaitFor("kueuectl history job/job-name", "Finished  "),
              AllOf(ContainsRegex("^TIME +STEP +STATUS +REASON +MESSAGE\n"),
                    ContainsRegex("Z +Created +in LocalQueue my-localqueue\n"),
                    ContainsRegex("Z +Admitted +True +Admitted ")));
  EXPECT_EQ(Out("kueuectl history default/job-name"), Out("kubectl kueue history job-name"));
  EXPECT_THAT(Out("kueuectl history " + Workload() + " -o json"), HasSubstr(R"("steps":[{"time")"));
  EXPECT_THAT(Type("kueuectl history none").err,
              HasSubstr("error: there is no workload or job \"none\""));
  EXPECT_EQ(Out("kubectl __complete kueue history job-j"), Workload() + "\n:4\n");
}

// The commands in the sh blocks of a page.
std::vector<std::string> CommandsOf(const std::string& page) {
  std::istringstream text(testing::ReadFile(page));
  std::vector<std::string> commands;
  bool is_inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```"))
      is_inside = line == "```sh";
    else if (is_inside)
      commands.push_back(line);
  }
  return commands;
}

TEST_F(Kueuectl, RunsTheExamplesOfItsPage) {
  constexpr std::string_view kTrain = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 1, memory: 1Gi}}}]
)";
  const std::vector<std::string> commands =
      CommandsOf(BERTH_SOURCE_DIR "/docs/reference/kubectl-plugin.md");
  ASSERT_GT(commands.size(), 20U);
  for (const std::string& command : commands) {
    if (command == "kubectl kueue list workload") {
      EXPECT_THAT(Out("kubectl kueue tree"),
                  HasSubstr("└─ team-a           spot     cpu        4"));
      Apply(kTrain);
      Workload();
    }
    Out(command);
  }
}

TEST_F(Kueuectl, CompletesNamesOfTheCluster) {
  Apply(kQueuedJobs);
  EXPECT_EQ(Out("kueuectl __complete stop clusterqueue ''"), "my-clusterqueue\n:4\n");
  EXPECT_EQ(Out("kueuectl __complete resume clusterqueue ''"), ":4\n");
  EXPECT_EQ(Out("kueuectl __complete list workload -q my"), "my-localqueue\n:4\n");
  EXPECT_EQ(Out("kueuectl __complete list workload --for=job/"), "job/job-name\n:4\n");
  for (const std::string plugin : {"kueue", "berth"})
    EXPECT_EQ(Out("kubectl __complete " + plugin + " list -n def"), "default\n:4\n");
}

TEST_F(Kueuectl, DrawsOnATerminalUntilItIsInterrupted) {
  if (Shell("command -v script").exit_code != 0) GTEST_SKIP() << "there is no script(1)";
  Apply(kQueuedJobs);
  const Outcome outcome =
      Type("script -qec 'timeout -s INT --foreground 5 kueuectl top' /dev/null </dev/null");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\x1b[?1049h"), HasSubstr("my-clusterqueue"),
                                 HasSubstr("\x1b[?1049l")));
}

TEST_F(Kueuectl, AsksOnATerminal) {
  if (Shell("command -v script").exit_code != 0) GTEST_SKIP() << "there is no script(1)";
  Apply(kQueuedJobs);
  const Outcome outcome =
      Type("(sleep 1; echo y) | script -qec 'kueuectl delete kwl " + Workload() + "' /dev/null");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("  - jobs.batch/job-name associated with"),
                                 HasSubstr("jobs.batch/job-name deleted")));
  EXPECT_EQ(Type("kubectl get job job-name").exit_code, 1);
}

TEST_F(Kueuectl, ReportsErrorsAsKubectlDoes) {
  const Outcome missing = Type("kueuectl stop clusterqueue none");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, StartsWith("Error from server (NotFound): "));
  const Outcome away = Type("kueuectl list cq --server https://127.0.0.1:1 --request-timeout 5s");
  EXPECT_EQ(away.exit_code, 1);
  EXPECT_THAT(away.err, StartsWith("Unable to connect to the server: "));
  EXPECT_THAT(Type("kueuectl list cq --as-uid 7").err, HasSubstr("--as-uid is not supported"));
  EXPECT_THAT(Type("kueuectl lst cq").err, HasSubstr("did you mean \"list\"?"));
  EXPECT_THAT(Type("kueuectl list cq --context none").err, HasSubstr("no context \"none\""));
}

}  // namespace
}  // namespace berth::cli

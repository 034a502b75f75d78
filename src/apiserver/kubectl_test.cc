// The real kubectl against the whole server.

#include <gmock/gmock.h>

#include <regex>

#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"

namespace berth::apiserver {
namespace {

using testing::BackgroundCommand;
using testing::CommandResult;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kMap = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {color: red, size: small}
)";

constexpr std::string_view kQueues = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-a}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: spot
      resources: [{name: cpu, nominalQuota: 4}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: default}
spec: {clusterQueue: team-a}
)";

constexpr std::string_view kJob = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: sums, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: busybox, command: [sleep, "5"], resources: {requests: {cpu: 1}}}
      - {name: side, image: busybox}
)";

constexpr std::string_view kDeployment = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
)";

constexpr std::string_view kDefinition = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.test}
spec:
  group: example.test
  scope: Namespaced
  names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Length, type: integer, jsonPath: .spec.length}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What the boat is like.
            required: [length]
            properties:
              length: {type: integer, minimum: 1, description: From bow to stern.}
              color: {type: string, default: white}
          status:
            type: object
            properties: {afloat: {type: boolean}}
)";

class Kubectl : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { kubectl_ = testing::FindKubectl(BERTH_SOURCE_DIR); }

  void SetUp() override {
    if (kubectl_.empty())
      GTEST_SKIP() << "there is no kubectl on this machine; tools/setup-clients";
    ASSERT_EQ(server_.error(), "");
  }

  std::map<std::string, std::string> Environment() const {
    return {{"KUBECONFIG", server_.kubeconfig().string()},
            {"HOME", home_.path().string()},
            {"KUBE_EDITOR", "sed -i s/red/blue/"}};
  }
  static std::vector<std::string> Arguments(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kubectl_);
    return arguments;
  }

  CommandResult Run(std::vector<std::string> arguments, std::string_view input = {}) {
    return testing::RunCommand(Arguments(std::move(arguments)), input, Environment());
  }

  // The output of a command that must succeed without warnings.
  std::string Do(std::vector<std::string> arguments, std::string_view input = {}) {
    const CommandResult result = Run(arguments, input);
    EXPECT_EQ(result.code, 0) << ::testing::PrintToString(arguments);
    EXPECT_EQ(result.err, "") << ::testing::PrintToString(arguments);
    return result.out;
  }
  std::string Apply(std::string_view text) { return Do({"apply", "-f", "-"}, text); }
  std::string Field(std::string kind, std::string name, std::string path) {
    return Do(
        {"get", std::move(kind), std::move(name), "-o", "jsonpath={" + std::move(path) + "}"});
  }

  static inline std::string kubectl_;
  testing::ApiServer server_;
  http::testing::Directory home_;
};

TEST_F(Kubectl, AppliesAndReportsChanges) {
  EXPECT_EQ(Apply(kMap), "configmap/settings created\n");
  EXPECT_EQ(Apply(kMap), "configmap/settings unchanged\n");
  std::string changed(kMap);
  changed.replace(changed.find("size: small"), 11, "shape: round");
  EXPECT_EQ(Apply(changed), "configmap/settings configured\n");
  EXPECT_EQ(Field("cm", "settings", ".data"), R"({"color":"red","shape":"round"})");
}

TEST_F(Kubectl, AppliesPatchesThatMergeLists) {
  Apply(kJob);
  std::string changed(kJob);
  changed.erase(changed.find("      - {name: side"));
  changed.replace(changed.find("suspend: true"), 13, "suspend: false");
  std::string deployment(kDeployment);
  Apply(deployment);
  const size_t at = deployment.find("{name: web, image: nginx}");
  deployment.replace(at, 25, "{name: other, image: redis}");
  EXPECT_EQ(Apply(deployment), "deployment.apps/web configured\n");
  EXPECT_EQ(Field("deployment", "web", ".spec.template.spec.containers[*].name"), "other");
}

TEST_F(Kubectl, AppliesOnTheServerAndSeesConflicts) {
  EXPECT_EQ(Do({"apply", "--server-side", "-f", "-"}, kMap),
            "configmap/settings serverside-applied\n");
  std::string other(kMap);
  other.replace(other.find("red"), 3, "green");
  const CommandResult conflict =
      Run({"apply", "--server-side", "--field-manager=other", "-f", "-"}, other);
  EXPECT_EQ(conflict.code, 1);
  EXPECT_THAT(conflict.err, HasSubstr("conflict with \"kubectl\": .data.color"));
  Do({"apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", "-"}, other);
  EXPECT_EQ(Field("cm", "settings", ".data.color"), "green");
  EXPECT_THAT(Do({"get", "cm", "settings", "-o", "yaml", "--show-managed-fields"}),
              HasSubstr("manager: other"));
}

TEST_F(Kubectl, GetsInEveryFormat) {
  Apply(kQueues);
  EXPECT_THAT(Do({"get", "clusterqueues"}),
              ContainsRegex("NAME +COHORT +PENDING WORKLOADS\nteam-a +all"));
  EXPECT_THAT(Do({"get", "cq", "-o", "wide"}), HasSubstr("STRATEGY"));
  EXPECT_THAT(Do({"get", "lq", "-A"}), ContainsRegex("NAMESPACE +NAME +CLUSTERQUEUE"));
  EXPECT_EQ(Do({"get", "flavors", "-o", "name"}), "resourceflavor.kueue.x-k8s.io/spot\n");
  EXPECT_THAT(Do({"get", "cq", "team-a", "-o", "yaml"}),
              StartsWith("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"));
  EXPECT_THAT(Do({"get", "cq", "-o", "json"}), HasSubstr("\"kind\": \"List\""));
  EXPECT_EQ(Do({"get", "cq", "-o", "custom-columns=N:.metadata.name,C:.spec.cohortName"}),
            "N        C\nteam-a   all\n");
  EXPECT_EQ(Do({"get", "cq", "team-a", "-o", "go-template={{.spec.cohortName}}"}), "all");
  EXPECT_EQ(
      Do({"get", "cq", "--no-headers", "--sort-by=.metadata.name", "--show-labels"}).substr(0, 6),
      "team-a");
  EXPECT_EQ(Run({"get", "cq", "missing"}).err,
            "Error from server (NotFound): clusterqueues.kueue.x-k8s.io \"missing\" not found\n");
  EXPECT_THAT(Do({"get", "ns"}), ContainsRegex("default +Active"));
}

TEST_F(Kubectl, GetsInPages) {
  for (int i = 0; i < 5; ++i)
    Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: m" + std::to_string(i) + "}}");
  EXPECT_EQ(Do({"get", "cm", "--chunk-size=2", "-o", "name", "-l", "!absent"}),
            "configmap/m0\nconfigmap/m1\nconfigmap/m2\nconfigmap/m3\nconfigmap/m4\n");
  EXPECT_EQ(Do({"get", "cm", "--field-selector=metadata.name=m3", "-o", "name"}), "configmap/m3\n");
}

TEST_F(Kubectl, WatchesTables) {
  BackgroundCommand watch(Arguments({"get", "cm", "-w", "--output-watch-events"}), Environment());
  Apply(kMap);
  ASSERT_TRUE(watch.WaitFor("ADDED")) << watch.out();
  Do({"label", "cm", "settings", "team=a"});
  EXPECT_TRUE(watch.WaitFor("MODIFIED")) << watch.out();
  Do({"delete", "cm", "settings"});
  EXPECT_TRUE(watch.WaitFor("DELETED")) << watch.out();
  EXPECT_THAT(watch.out(), ContainsRegex("EVENT +NAME +DATA +AGE"));
}

TEST_F(Kubectl, Describes) {
  Apply(kQueues);
  Apply(kJob);
  EXPECT_THAT(Do({"describe", "job", "sums"}), HasSubstr("Suspend:"));
  EXPECT_THAT(Do({"describe", "cq", "team-a"}), HasSubstr("Cohort Name:"));
  EXPECT_THAT(Do({"describe", "ns", "default"}), HasSubstr("Status:"));
}

TEST_F(Kubectl, Explains) {
  EXPECT_THAT(Do({"explain", "clusterqueue.spec.preemption"}), HasSubstr("withinClusterQueue"));
  EXPECT_THAT(Do({"explain", "job.spec"}), HasSubstr("suspend\t<boolean>"));
  EXPECT_THAT(Do({"explain", "pods.metadata.labels"}), HasSubstr("FIELD: labels"));
  EXPECT_THAT(Do({"explain", "job", "--recursive"}), HasSubstr("containers"));
}

// kubectl breaks lines.
TEST_F(Kubectl, ExplainsTheRulesOfFieldsThatKueueDoesNotHave) {
  const auto explained = [&](const std::string& field) {
    std::string text = Do({"explain", field});
    return std::regex_replace(text, std::regex("\\s+"), " ");
  };
  EXPECT_THAT(explained("clusterqueue.spec.excludeResourcePrefixes"),
              HasSubstr("matches example.com/gpu and not example.community/gpu"));
  EXPECT_THAT(explained("clusterqueue.spec.resourceGroups.flavors.resources.name"),
              HasSubstr("the canonical name of the devices of deviceClassNames"));
  EXPECT_THAT(explained("workload.spec.admissionConstraints"),
              HasSubstr("No effect unless the feature gate WorkloadAdmissionConstraints is on"));
}

TEST_F(Kubectl, EditsScalesLabelsAndAnnotates) {
  Apply(kMap);
  EXPECT_EQ(Do({"edit", "cm", "settings"}), "configmap/settings edited\n");
  EXPECT_EQ(Field("cm", "settings", ".data.color"), "blue");
  Do({"label", "cm", "settings", "team=a"});
  Do({"label", "cm", "settings", "team-"});
  Do({"annotate", "cm", "settings", "note=hello"});
  EXPECT_EQ(Field("cm", "settings", ".metadata.annotations.note"), "hello");
  Apply(kDeployment);
  EXPECT_EQ(Do({"scale", "deployment", "web", "--replicas=3"}), "deployment.apps/web scaled\n");
  EXPECT_EQ(Field("deployment", "web", ".spec.replicas"), "3");
  Do({"set", "image", "deployment/web", "web=nginx:2"});
  EXPECT_EQ(Field("deployment", "web", ".spec.template.spec.containers[0].image"), "nginx:2");
}

TEST_F(Kubectl, Patches) {
  Apply(kMap);
  Do({"patch", "cm", "settings", "-p", R"({"data":{"size":null}})"});
  Do({"patch", "cm", "settings", "--type=merge", "-p", R"({"data":{"a":"1"}})"});
  Do({"patch", "cm", "settings", "--type=json", "-p",
      R"([{"op":"replace","path":"/data/a","value":"2"}])"});
  EXPECT_EQ(Field("cm", "settings", ".data"), R"({"a":"2","color":"red"})");
  Apply(kQueues);
  Do({"patch", "cq", "team-a", "--subresource=status", "--type=merge", "-p",
      R"({"status":{"pendingWorkloads":7}})"});
  EXPECT_EQ(Field("cq", "team-a", ".status.pendingWorkloads"), "7");
}

TEST_F(Kubectl, DiffsChanges) {
  Apply(kMap);
  EXPECT_EQ(Run({"diff", "-f", "-"}, kMap).code, 0);
  std::string changed(kMap);
  changed.replace(changed.find("red"), 3, "green");
  const CommandResult diff = Run({"diff", "-f", "-"}, changed);
  EXPECT_EQ(diff.code, 1) << diff.err;
  EXPECT_THAT(diff.out, HasSubstr("+  color: green"));
  EXPECT_EQ(Do({"apply", "--dry-run=server", "-f", "-"}, changed),
            "configmap/settings configured (server dry run)\n");
  EXPECT_EQ(Field("cm", "settings", ".data.color"), "red");
}

TEST_F(Kubectl, WaitsForConditionsAndDeletions) {
  Apply(kJob);
  BackgroundCommand wait(Arguments({"wait", "--for=condition=Suspended", "job/sums"}),
                         Environment());
  Do({"patch", "job", "sums", "--subresource=status", "--type=merge", "-p",
      R"({"status":{"conditions":[{"type":"Suspended","status":"True"}]}})"});
  EXPECT_TRUE(wait.WaitFor("job.batch/sums condition met")) << wait.out();
  Do({"delete", "job", "sums"});
  Do({"wait", "--for=delete", "job/sums"});
  EXPECT_EQ(Do({"wait", "--for=jsonpath={.status.phase}=Active", "ns/default"}),
            "namespace/default condition met\n");
}

TEST_F(Kubectl, Deletes) {
  Apply(kQueues);
  Apply(kMap);
  EXPECT_EQ(Do({"delete", "cm", "settings"}), "configmap \"settings\" deleted\n");
  EXPECT_EQ(Do({"delete", "-f", "-", "--ignore-not-found"}, kMap), "");
  EXPECT_THAT(Do({"delete", "lq", "--all"}), HasSubstr("\"main\" deleted"));
  EXPECT_THAT(Do({"delete", "cq,flavors", "--all", "--wait=false"}), HasSubstr("\"spot\" deleted"));
}

TEST_F(Kubectl, ServesAKindOnceItsDefinitionIsApplied) {
  Apply(kDefinition);
  EXPECT_THAT(Do({"wait", "--for=condition=Established", "crd/boats.example.test"}),
              HasSubstr("condition met"));
  Do({"apply", "-f", "-"},
     "{apiVersion: example.test/v1, kind: Boat, metadata: {name: tub}, spec: {length: 3}}");
  EXPECT_THAT(Do({"get", "bt"}), ContainsRegex("NAME +LENGTH\ntub +3"));
  EXPECT_EQ(Field("boat", "tub", ".spec.color"), "white");
  EXPECT_THAT(Do({"explain", "boat.spec.length"}), HasSubstr("From bow to stern."));
  const CommandResult bad =
      Run({"apply", "-f", "-"},
          "{apiVersion: example.test/v1, kind: Boat, metadata: {name: raft}, spec: {length: 0}}");
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.err, HasSubstr("spec.length"));
  Do({"delete", "crd", "boats.example.test"});
  EXPECT_EQ(Run({"get", "boats"}).code, 1);
}

// kubectl validates Lists itself, by OpenAPI version 2 as protobuf.
TEST_F(Kubectl, AppliesLists) {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n" +
      std::string("- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n") +
      "- {apiVersion: v1, kind: Namespace, metadata: {name: b}}\n";
  EXPECT_EQ(Apply(list), "configmap/a created\nnamespace/b created\n");
  std::string wrong = list;
  wrong.replace(wrong.find("metadata: {name: a}"), 19, "dota: {}");
  const CommandResult refused = Run({"apply", "-f", "-"}, wrong);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("unknown field \"dota\""));
}

TEST_F(Kubectl, NamesAnUnknownKind) {
  const CommandResult refused =
      Run({"apply", "-f", "-"}, "{apiVersion: example.test/v1, kind: Boat, metadata: {name: a}}");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err,
              HasSubstr("no matches for kind \"Boat\" in version \"example.test/v1\""));
}

TEST_F(Kubectl, RejectsUnknownFields) {
  std::string wrong(kQueues);
  wrong.replace(wrong.find("cohortName"), 10, "cohortNome");
  const CommandResult result = Run({"apply", "-f", "-"}, wrong);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("unknown field \"spec.cohortNome\""));
  const CommandResult warned = Run({"apply", "--validate=warn", "-f", "-"}, wrong);
  EXPECT_THAT(warned.err, HasSubstr("Warning: unknown field \"spec.cohortNome\""));
}

TEST_F(Kubectl, ListsApiResources) {
  EXPECT_THAT(Do({"api-resources"}), ContainsRegex("clusterqueues +cq +kueue.x-k8s.io/v1beta2"));
  EXPECT_THAT(Do({"api-versions"}), HasSubstr("kueue.x-k8s.io/v1beta2\n"));
  EXPECT_THAT(Do({"version"}), HasSubstr("Server Version: v1."));
  EXPECT_EQ(Do({"auth", "can-i", "create", "jobs"}), "yes\n");
  EXPECT_THAT(Do({"auth", "can-i", "--list"}), HasSubstr("*.*"));
  EXPECT_THAT(Do({"auth", "whoami"}), HasSubstr("berth-admin"));
  EXPECT_THAT(Do({"get", "--raw", "/healthz"}), "ok");
  EXPECT_THAT(Do({"cluster-info"}), HasSubstr("is running at"));
}

// Without a manifest, kubectl sends protobuf.
TEST_F(Kubectl, CreatesWithoutManifests) {
  EXPECT_EQ(Do({"create", "namespace", "team-a"}), "namespace/team-a created\n");
  EXPECT_EQ(Do({"create", "job", "sum", "--image=busybox", "--", "sleep", "5"}),
            "job.batch/sum created\n");
  EXPECT_EQ(Field("job", "sum", ".spec.template.spec.containers[0].command"), R"(["sleep","5"])");
  Do({"create", "cronjob", "nightly", "--image=busybox", "--schedule=0 3 * * *", "--", "date"});
  EXPECT_EQ(Do({"create", "job", "tonight", "--from=cronjob/nightly"}),
            "job.batch/tonight created\n");
  EXPECT_EQ(Field("job", "tonight", ".metadata.ownerReferences[0].name"), "nightly");
  Do({"create", "configmap", "settings", "--from-literal=color=red"});
  EXPECT_EQ(Field("cm", "settings", ".data"), R"({"color":"red"})");
  Do({"create", "secret", "generic", "password", "--from-literal=word=hello"});
  EXPECT_EQ(Field("secret", "password", ".data.word"), "aGVsbG8=");
  Do({"create", "quota", "bounds", "--hard=cpu=4,pods=10"});
  EXPECT_THAT(Do({"get", "quota"}), ContainsRegex("bounds +cpu: 0/4, pods: 0/10"));
  Do({"create", "serviceaccount", "robot"});
  Do({"create", "priorityclass", "high", "--value=1000", "--description=Before others"});
  EXPECT_EQ(Field("pc", "high", ".value"), "1000");
  Do({"create", "service", "clusterip", "web", "--tcp=80:8080"});
  EXPECT_EQ(Field("svc", "web", ".spec.ports[0].targetPort"), "8080");
}

TEST_F(Kubectl, RunsPodsAndDeployments) {
  EXPECT_EQ(Do({"run", "shell", "--image=busybox", "--env=A=B", "--labels=app=shell"}),
            "pod/shell created\n");
  EXPECT_EQ(Field("pod", "shell", ".spec.containers[0].env[0].value"), "B");
  Do({"create", "deployment", "web", "--image=nginx", "--replicas=2", "--port=80"});
  EXPECT_EQ(Field("deployment", "web", ".spec.template.spec.containers[0].ports[0].containerPort"),
            "80");
  Do({"scale", "deployment", "web", "--replicas=0"});
  EXPECT_EQ(Field("deployment", "web", ".spec.replicas"), "0");
  Do({"set", "env", "deployment/web", "A=B"});
  Do({"set", "resources", "deployment/web", "--requests=cpu=1"});
  EXPECT_EQ(Field("deployment", "web", ".spec.template.spec.containers[0].resources"),
            R"({"requests":{"cpu":"1"}})");
  Do({"rollout", "restart", "deployment/web"});
  Do({"expose", "deployment", "web"});
  EXPECT_THAT(Do({"describe", "deployment", "web"}), HasSubstr("Replicas:"));
  EXPECT_THAT(Do({"describe", "pod", "shell"}), HasSubstr("Image:"));
  EXPECT_THAT(Do({"get", "all"}), HasSubstr("deployment.apps/web"));
}

TEST_F(Kubectl, DeletesCollectionsAndOrphans) {
  Do({"create", "job", "one", "--image=busybox"});
  Do({"create", "job", "two", "--image=busybox"});
  Do({"label", "job", "one", "two", "team=a"});
  EXPECT_EQ(Do({"delete", "job", "one", "--cascade=orphan"}), "job.batch \"one\" deleted\n");
  EXPECT_EQ(Do({"delete", "jobs", "-l", "team=a"}), "job.batch \"two\" deleted\n");
  Apply(kMap);
  Do({"delete", "--raw", "/api/v1/namespaces/default/configmaps?labelSelector=!absent"});
  EXPECT_EQ(Run({"get", "cm", "settings"}).code, 1);
}

TEST_F(Kubectl, EmptiesANamespaceThatIsDeleted) {
  Do({"create", "namespace", "team-b"});
  Do({"create", "-n", "team-b", "-f", "-"}, kMap);
  EXPECT_THAT(Do({"get", "cm", "-n", "team-b"}), HasSubstr("settings"));
  EXPECT_THAT(Run({"events", "-n", "team-b"}).err, HasSubstr("No events found"));
  EXPECT_EQ(Do({"delete", "namespace", "team-b"}), "namespace \"team-b\" deleted\n");
  EXPECT_EQ(Run({"get", "cm", "settings", "-n", "team-b"}).code, 1);
}

// v1beta1 serves the same objects as v1beta2, with a warning.
TEST_F(Kubectl, SupportsV1beta1) {
  const std::string old_queues = "clusterqueues.v1beta1.kueue.x-k8s.io";
  const CommandResult applied = Run({"apply", "-f", "-"}, R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: old}
spec: {cohort: all, namespaceSelector: {}}
)");
  EXPECT_EQ(applied.code, 0) << applied.err;
  EXPECT_THAT(applied.err, StartsWith("Warning: kueue.x-k8s.io/v1beta1 is deprecated"));
  EXPECT_EQ(Field("cq", "old", ".spec.cohortName"), "all");
  const CommandResult got = Run({"get", old_queues, "old", "-o", "jsonpath={.spec.cohort}"});
  EXPECT_EQ(got.out, "all");
  EXPECT_THAT(got.err, HasSubstr("Warning: "));
  EXPECT_THAT(Do({"explain", "cq.spec.cohort", "--api-version=kueue.x-k8s.io/v1beta1"}),
              HasSubstr("FIELD: cohort"));
  EXPECT_EQ(
      Run({"patch", old_queues, "old", "--type=merge", "-p", R"({"spec":{"cohort":"some"}})"}).code,
      0);
  EXPECT_EQ(Field("cq", "old", ".spec.cohortName"), "some");
}

}  // namespace
}  // namespace berth::apiserver

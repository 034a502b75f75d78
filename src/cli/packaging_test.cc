// The Helm chart and the container image, as far as testable without a cluster and a container
// engine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <set>
#include <string>

#include "cli/testing/process.h"
#include "json/json.h"
#include "schema/yaml/to_json.h"

namespace berth::cli {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::Shell;

// --- Chart --------------------------------------------------------------------------------------

using ObjectsByName = std::map<std::string, json::value>;

// "Role kueue-system/a".
std::string KeyOf(const json::value& object) {
  return std::string(json::StringAt(object, {"kind"})) + " " +
         std::string(json::StringAt(object, {"metadata", "namespace"})) + "/" +
         std::string(json::StringAt(object, {"metadata", "name"}));
}

std::string TextOf(const json::value& rule, std::string_view key, size_t index) {
  const json::value* list = json::Find(rule, {key});
  return list == nullptr || index >= list->as_array().size()
             ? ""
             : std::string(json::View(list->as_array()[index].as_string()));
}

// Normalizes RBAC rules: one permission per line.
json::value Spelled(const json::value& rules) {
  const auto count = [](const json::value& rule, std::string_view key) {
    const json::value* list = json::Find(rule, {key});
    return list == nullptr ? size_t{1} : list->as_array().size();
  };
  std::set<std::string> lines;
  for (const json::value& rule : rules.as_array())
    for (size_t g = 0; g < count(rule, "apiGroups"); ++g)
      for (size_t r = 0; r < count(rule, "resources"); ++r)
        for (size_t n = 0; n < count(rule, "resourceNames"); ++n)
          for (size_t u = 0; u < count(rule, "nonResourceURLs"); ++u)
            for (size_t v = 0; v < count(rule, "verbs"); ++v)
              lines.insert(TextOf(rule, "verbs", v) + " " + TextOf(rule, "apiGroups", g) + "/" +
                           TextOf(rule, "resources", r) + " " + TextOf(rule, "resourceNames", n) +
                           TextOf(rule, "nonResourceURLs", u));
  json::array spelled;
  for (const std::string& line : lines) spelled.emplace_back(line);
  return spelled;
}

// `helm install --create-namespace` creates the namespace. The keep annotation of definitions is
// Helm's own.
ObjectsByName Comparable(const std::string& yaml) {
  ObjectsByName objects;
  const auto documents = schema::YamlToJson(yaml);
  EXPECT_TRUE(documents.has_value()) << yaml.substr(0, 2000);
  if (!documents) return objects;
  for (const schema::YamlDocument& document : *documents) {
    json::value object = json::Parse(document.json).value_or(nullptr);
    if (!object.is_object() || json::StringAt(object, {"kind"}) == "Namespace") continue;
    if (json::value* notes = json::Find(object, {"metadata", "annotations"})) {
      notes->as_object().erase("helm.sh/resource-policy");
      if (notes->as_object().empty()) object.at("metadata").as_object().erase("annotations");
    }
    if (json::value* rules = json::Find(object, {"rules"})) *rules = Spelled(*rules);
    std::string key = KeyOf(object);
    EXPECT_TRUE(objects.emplace(std::move(key), std::move(object)).second) << KeyOf(object);
  }
  return objects;
}

void ExpectSame(const ObjectsByName& chart, const ObjectsByName& install) {
  for (const auto& [key, object] : install) {
    const auto found = chart.find(key);
    ASSERT_NE(found, chart.end()) << "the chart lacks " << key;
    EXPECT_TRUE(found->second == object) << key << "\nchart:   " << json::Print(found->second)
                                         << "\ninstall: " << json::Print(object);
  }
  for (const auto& [key, object] : chart) EXPECT_TRUE(install.contains(key)) << key << " is extra";
}

class Chart : public ::testing::Test {
 protected:
  void SetUp() override {
    helm_ = Shell("command -v " BERTH_SOURCE_DIR "/build/clients/helm helm | head -1").out;
    if (!helm_.empty()) helm_.pop_back();
    if (helm_.empty()) GTEST_SKIP() << "there is no helm on this machine; tools/setup-clients";
  }

  // A Helm from `go install` has no default Kubernetes version.
  Outcome Helm(const std::string& arguments) const {
    return Shell(helm_ + " " + arguments + " --kube-version 1.33");
  }
  Outcome Template(const std::string& arguments = {}) const {
    return Helm("template berth " BERTH_SOURCE_DIR "/deploy/chart -n kueue-system " + arguments);
  }

  std::string helm_;
};

TEST_F(Chart, InstallsWhatBerthInstallPrints) {
  const Outcome chart = Template(), install = Shell("$BERTH install");
  ASSERT_EQ(chart.exit_code, 0) << chart.err;
  ExpectSame(Comparable(chart.out), Comparable(install.out));
}

TEST_F(Chart, FollowsTheConfiguration) {
  const Folder folder;
  const std::string configurations[] = {// Everything that manifests depend on.
                                        R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
webhook: {port: 9555}
metrics: {bindAddress: ":9666"}
visibilityServer: {bindPort: 9777}
leaderElection: {leaderElect: true, resourceName: other-lease}
internalCertManagement: {enable: true, webhookServiceName: other-service, webhookSecretName: other-secret}
manageJobsWithoutQueueName: true
managedJobsNamespaceSelector: {matchLabels: {managed: "yes"}}
integrations: {frameworks: [batch/job, pod, jobset.x-k8s.io/jobset, kubeflow.org/pytorchjob]}
)",
                                        R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {FailureRecoveryPolicy: true}
)",
                                        // Everything that can be disabled.
                                        R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
metrics: {bindAddress: "0"}
featureGates: {VisibilityOnDemand: false}
internalCertManagement: {enable: false}
manageJobsWithoutQueueName: true
)"};
  for (const std::string& configuration : configurations) {
    const std::string file = folder.Write("configuration.yaml", configuration);
    const Outcome chart = Template("--set-file managerConfig.controllerManagerConfigYaml=" + file);
    const Outcome install = Shell("$BERTH install --config " + file);
    ASSERT_EQ(chart.exit_code, 0) << chart.err;
    ASSERT_EQ(install.exit_code, 0) << install.err;
    ExpectSame(Comparable(chart.out), Comparable(install.out));
  }
}

TEST_F(Chart, IsClean) {
  const Outcome lint = Helm("lint --strict " BERTH_SOURCE_DIR "/deploy/chart");
  EXPECT_EQ(lint.exit_code, 0) << lint.out << lint.err;
  EXPECT_THAT(lint.out, HasSubstr("0 chart(s) failed"));
}

// Each value changes only its own setting.
TEST_F(Chart, PutsValuesWhereTheyBelong) {
  const Outcome chart = Template(
      "--set controllerManager.replicas=3 --set controllerManager.manager.image.repository=r/b "
      "--set controllerManager.manager.image.tag=1.2 --set controllerManager.manager.logLevel=3 "
      "--set 'controllerManager.featureGates[0].name=PartialAdmission' "
      "--set 'controllerManager.featureGates[0].enabled=false' "
      "--set controllerManager.manager.resources.limits.memory=2Gi "
      "--set controllerManager.nodeSelector.pool=system "
      "--set controllerManager.manager.podAnnotations.a=b "
      "--set controllerManager.readinessProbe.periodSeconds=9 "
      "--set controllerManager.manager.podSecurityContext.runAsUser=1000");
  ASSERT_EQ(chart.exit_code, 0) << chart.err;
  ObjectsByName wanted = Comparable(Shell("$BERTH install --replicas 3 --image r/b:1.2").out);
  json::object& spec =
      wanted.at("Deployment kueue-system/kueue-controller-manager").at("spec").as_object();
  json::object& pod = spec["template"].at("spec").as_object();
  json::object& container = pod["containers"].as_array()[0].as_object();
  container["args"].as_array().emplace_back("--feature-gates=PartialAdmission=false");
  container["args"].as_array().emplace_back("--zap-log-level=3");
  container["resources"].at("limits").as_object()["memory"] = "2Gi";
  container["readinessProbe"].as_object()["periodSeconds"] = 9;
  pod["nodeSelector"] = json::object{{"pool", "system"}};
  pod["securityContext"].as_object()["runAsUser"] = 1000;
  spec["template"].at("metadata").at("annotations").as_object()["a"] = "b";
  ExpectSame(Comparable(chart.out), wanted);
}

TEST_F(Chart, UsesOnlyTheNamespaceOfTheRelease) {
  const Outcome chart = Helm("template berth " BERTH_SOURCE_DIR
                             "/deploy/chart -n elsewhere --set "
                             "enablePrometheus=true");
  ASSERT_EQ(chart.exit_code, 0) << chart.err;
  EXPECT_THAT(chart.out, Not(HasSubstr("kueue-system")));
  EXPECT_THAT(chart.out, HasSubstr("\n    namespace: elsewhere"));  // in the Configuration
}

TEST_F(Chart, LeavesCertificatesToCertManager) {
  const Outcome chart = Template("--set enableCertManager=true");
  ASSERT_EQ(chart.exit_code, 0) << chart.err;
  const ObjectsByName objects = Comparable(chart.out);
  EXPECT_TRUE(objects.contains("Certificate kueue-system/kueue-serving-cert"));
  EXPECT_TRUE(objects.contains("Issuer kueue-system/kueue-selfsigned-issuer"));
  EXPECT_FALSE(objects.contains("Secret kueue-system/kueue-webhook-server-cert"));
  EXPECT_THAT(chart.out,
              HasSubstr("cert-manager.io/inject-ca-from: kueue-system/kueue-serving-cert"));
  EXPECT_THAT(json::Print(objects.at("ConfigMap kueue-system/kueue-manager-config")),
              HasSubstr("internalCertManagement:\\n  enable: false"));
  EXPECT_THAT(json::Print(objects.at("Role kueue-system/kueue-leader-election-role")),
              Not(HasSubstr("secrets")));
}

TEST_F(Chart, RejectsUnsupportedValues) {
  for (const char* value : {"enableKueueViz=true", "fullnameOverride=mine"}) {
    const Outcome chart = Template(std::string("--set ") + value);
    EXPECT_NE(chart.exit_code, 0) << value;
    EXPECT_THAT(chart.err, HasSubstr("is set, "));
  }
}

// --- Image --------------------------------------------------------------------------------------

TEST(Image, HasAllDependenciesOfTheProgram) {
  if (getuid() != 0) GTEST_SKIP() << "only root can look at it from inside";
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the search for leaks needs /proc, and there is none inside";
#endif
  const Folder folder;
  const Outcome made = Shell(BERTH_SOURCE_DIR "/deploy/image-root $BERTH " + folder / "root");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string inside =
      "chroot --userspec=65532:65532 " + folder / "root" + " /usr/bin/berth ";
  const Outcome version = Shell(inside + "version");
  EXPECT_EQ(version.exit_code, 0) << version.err;
  EXPECT_EQ(version.out, Shell("$BERTH version").out);
  EXPECT_EQ(Shell(inside + "install | $BERTH lint -").exit_code, 0);
  // The image's user owns nothing, so it can change nothing.
  EXPECT_THAT(Shell("find " + folder / "root" + " -user 65532 -o -perm -o=w ! -type l").out,
              IsEmpty());
}

}  // namespace
}  // namespace berth::cli

#include "install/manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "api/meta/manifest.h"

namespace berth::install {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Options DefaultOptions() {
  Options options;
  api::ApplyConfigurationDefaults(options.configuration);
  options.configuration_text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
  return options;
}

std::vector<std::string> KindsOf(const std::vector<json::value>& objects) {
  std::vector<std::string> kinds;
  for (const json::value& object : objects) kinds.emplace_back(json::StringAt(object, {"kind"}));
  return kinds;
}

// All manifests but the CRDs, whose documentation mentions every feature.
std::string TextWithoutDefinitions(const Options& options) {
  std::string text;
  for (const json::value& object : Manifests(options))
    if (json::StringAt(object, {"kind"}) != "CustomResourceDefinition") text += json::Print(object);
  EXPECT_THAT(text, HasSubstr(R"("kind":"Deployment")"));
  return text;
}

const json::value* FindEntry(const std::vector<json::value>& objects, std::string_view name) {
  for (const json::value& object : objects)
    for (const json::value& entry : object.at("webhooks").as_array())
      if (json::StringAt(entry, {"name"}) == name) return &entry;
  return nullptr;
}

TEST(Manifests, ServeTheDashboardOnRequestOnly) {
  Options options = DefaultOptions();
  EXPECT_THAT(TextWithoutDefinitions(options), Not(HasSubstr("dashboard")));
  options.has_dashboard = true;
  EXPECT_THAT(TextWithoutDefinitions(options),
              AllOf(HasSubstr("--dashboard-bind-address=:8444"),
                    HasSubstr(R"("name":"dashboard","containerPort":8444)"),
                    HasSubstr(R"("name":"kueue-dashboard")"), HasSubstr(R"({"port":8444)")));
}

TEST(Manifests, ContainEveryKindOfTheInstallation) {
  const std::vector<std::string> kinds = KindsOf(Manifests(DefaultOptions()));
  EXPECT_EQ(kinds.front(), "Namespace");
  for (const char* kind :
       {"CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding",
        "ServiceAccount", "ConfigMap", "Secret", "Service", "Deployment", "PodDisruptionBudget",
        "NetworkPolicy", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})
    EXPECT_THAT(kinds, Contains(kind));
  EXPECT_THAT(kinds, Not(Contains("ServiceMonitor")));
}

TEST(MetricsManifests, ExposeAndProtectTheMetricsPort) {
  Options options = DefaultOptions();
  options.has_service_monitor = true;
  options.configuration.metrics.bind_address = "127.0.0.1:9999";
  const std::string all = TextWithoutDefinitions(options);
  EXPECT_THAT(all, HasSubstr(R"("name":"metrics","containerPort":9999)"));
  EXPECT_THAT(all, HasSubstr(R"("name":"kueue-controller-manager-metrics-service")"));
  EXPECT_THAT(all, HasSubstr(R"("kind":"ServiceMonitor")"));
  EXPECT_THAT(all, HasSubstr(R"({"nonResourceURLs":["/metrics"],"verbs":["get"]})"));
  EXPECT_THAT(all, AllOf(HasSubstr("tokenreviews"), HasSubstr("subjectaccessreviews")));
}

TEST(MetricsManifests, AreAbsentWhereMetricsAreOff) {
  Options options = DefaultOptions();
  options.has_service_monitor = true;
  options.configuration.metrics.bind_address = "0";
  EXPECT_THAT(TextWithoutDefinitions(options), Not(HasSubstr("metrics")));
}

TEST(VisibilityManifests, RegisterTheVisibilityApi) {
  Options options = DefaultOptions();
  options.configuration.visibility_server->bind_port = 9999;
  const std::string all = TextWithoutDefinitions(options);
  EXPECT_THAT(all, HasSubstr(R"("name":"visibility","containerPort":9999)"));
  EXPECT_THAT(all, HasSubstr(R"("name":"v1beta1.visibility.kueue.x-k8s.io")"));
  EXPECT_THAT(all, HasSubstr(R"("name":"v1beta2.visibility.kueue.x-k8s.io")"));
  EXPECT_THAT(all, HasSubstr(R"("name":"extension-apiserver-authentication-reader")"));
  EXPECT_THAT(all, HasSubstr(R"("resources":["localqueues/pendingworkloads"])"));
}

TEST(VisibilityManifests, AreAbsentWhereTheGateIsOff) {
  Options options = DefaultOptions();
  options.configuration.metrics.bind_address = "0";
  options.configuration.feature_gates["VisibilityOnDemand"] = false;
  EXPECT_THAT(TextWithoutDefinitions(options),
              AllOf(Not(HasSubstr("visibility")), Not(HasSubstr("pendingworkloads")),
                    Not(HasSubstr("tokenreviews"))));
}

TEST(DashboardManifests, LetTheDashboardAskWhoItsUsersAre) {
  Options options = DefaultOptions();
  options.configuration.metrics.bind_address = "0";
  options.configuration.feature_gates["VisibilityOnDemand"] = false;
  options.has_dashboard = true;
  EXPECT_THAT(TextWithoutDefinitions(options),
              AllOf(HasSubstr("tokenreviews"), HasSubstr("subjectaccessreviews")));
}

TEST(Manifests, AreWellFormed) {
  for (const json::value& object : Manifests(DefaultOptions())) {
    const std::string text = json::Print(object);
    EXPECT_THAT(text, AllOf(Not(HasSubstr("$NAMESPACE")), Not(HasSubstr("$WEBHOOK"))));
    for (const api::Manifest& manifest : api::ReadManifests(text))
      if (manifest.known != nullptr)
        for (const schema::Problem& problem : manifest.problems)
          ADD_FAILURE() << manifest.kind << ": " << schema::ToString(problem);
  }
}

// The webhook sets the finalizer that protects them.
TEST(Manifests, CallTheWebhookOnCreationOfQueuesAndFlavors) {
  const std::vector<json::value> webhooks = Webhooks(DefaultOptions());
  for (const char* name : {"mclusterqueue.kb.io", "mresourceflavor.kb.io"}) {
    const json::value* entry = FindEntry(webhooks, name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->at("rules").as_array()[0].at("operations").as_array(), json::array{"CREATE"});
  }
}

TEST(Manifests, GrantLeastPrivilege) {
  EXPECT_THAT(Roles(DefaultOptions()), Not(IsEmpty()));
  for (const json::value& role : Roles(DefaultOptions())) {
    const std::string text = json::Print(role);
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\"*\"")), Not(HasSubstr("deletecollection")),
                            Not(HasSubstr("escalate")), Not(HasSubstr("pytorchjobs"))));
  }
  Options options = DefaultOptions();
  options.configuration.integrations->frameworks = {"batch/job", "kubeflow.org/pytorchjob"};
  EXPECT_THAT(json::Print(Roles(options)[0]), HasSubstr("pytorchjobs"));
}

TEST(Manifests, AllowDeletingJobsWhereTheRetentionPolicyNeedsIt) {
  const auto may_delete = [](const Options& options) {
    const json::value role = Roles(options)[0];
    return std::ranges::any_of(role.at("rules").as_array(), [](const json::value& rule) {
      return rule.at("resources").as_array() == json::array{"jobs"} &&
             rule.at("verbs").as_array() == json::array{"delete"};
    });
  };
  Options options = DefaultOptions();
  EXPECT_FALSE(may_delete(options));
  options.configuration.object_retention_policies = api::ObjectRetentionSettings{
      .workloads = api::WorkloadRetentionSettings{.after_deactivated_by_kueue = base::Duration{}}};
  EXPECT_TRUE(may_delete(options));
}

TEST(Manifests, AllowReadingTrainingRuntimesWhereTrainJobsAreEnabled) {
  const auto may_read = [](std::string framework) {
    Options options = DefaultOptions();
    options.configuration.integrations->frameworks = {std::move(framework)};
    return TextWithoutDefinitions(options).contains(
        R"("resources":["clustertrainingruntimes","trainingruntimes"])");
  };
  EXPECT_TRUE(may_read("trainer.kubeflow.org/trainjob"));
  EXPECT_FALSE(may_read("batch/job"));
}

TEST(Manifests, AllowReadingRayClustersWhereJobsCreateThem) {
  const auto may_read = [](std::string framework) {
    Options options = DefaultOptions();
    options.configuration.integrations->frameworks = {std::move(framework)};
    return TextWithoutDefinitions(options).contains(R"("resources":["rayclusters"])");
  };
  EXPECT_TRUE(may_read("ray.io/rayjob"));
  EXPECT_FALSE(may_read("batch/job"));
}

TEST(Manifests, AllowEndingPodsThatFailedNodesHold) {
  const auto rules = [](std::initializer_list<std::pair<std::string_view, bool>> gates) {
    Options options = DefaultOptions();
    for (const auto& [gate, is_on] : gates) options.configuration.feature_gates.Set(gate, is_on);
    return TextWithoutDefinitions(options);
  };
  constexpr std::string_view kFail = R"("resources":["pods/status"],"verbs":["patch"])";
  constexpr std::string_view kDelete = R"("resources":["pods"],"verbs":["delete"])";
  EXPECT_THAT(rules({}), AllOf(HasSubstr(kFail), Not(HasSubstr(kDelete))));
  EXPECT_THAT(rules({{"TASFailedNodeReplacement", false}}), Not(HasSubstr(kFail)));
  EXPECT_THAT(rules({{"FailureRecoveryPolicy", true}}),
              AllOf(HasSubstr(kFail), HasSubstr(kDelete)));
}

TEST(Manifests, AllowUngatingPodsOfElasticAndOfPlacedJobs) {
  const auto may_patch = [](bool elastic, bool topology) {
    Options options = DefaultOptions();
    options.configuration.feature_gates.Set("ElasticJobsViaWorkloadSlices", elastic);
    options.configuration.feature_gates.Set("TopologyAwareScheduling", topology);
    return TextWithoutDefinitions(options).contains(R"("resources":["pods"],"verbs":["patch"])");
  };
  EXPECT_TRUE(may_patch(true, false));
  EXPECT_TRUE(may_patch(false, true));
  EXPECT_FALSE(may_patch(false, false));
}

TEST(WebhookManifests, AreAtTheirPaths) {
  const auto objects = Webhooks(DefaultOptions());
  const json::value* job = FindEntry(objects, "mjob.kb.io");
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(json::StringAt(*job, {"clientConfig", "service", "path"}), "/mutate-batch-v1-job");
  EXPECT_NE(FindEntry(objects, "vworkload.kb.io"), nullptr);
  EXPECT_EQ(FindEntry(objects, "mcohort.kb.io"), nullptr);
  EXPECT_EQ(FindEntry(objects, "mpod.kb.io"), nullptr) << "pods are not listed";
}

TEST(WebhookManifests, CoverThePodsOfListedWorkloadSets) {
  Options options = DefaultOptions();
  options.configuration.integrations->frameworks = {"deployment"};
  const auto objects = Webhooks(options);
  EXPECT_NE(FindEntry(objects, "mpod.kb.io"), nullptr);
}

TEST(WebhookManifests, FailClosedOnlyForJobsWithAQueueName) {
  const auto objects = Webhooks(DefaultOptions());
  EXPECT_EQ(json::StringAt(*FindEntry(objects, "mjob.kb.io"), {"failurePolicy"}), "Fail");
  EXPECT_EQ(json::StringAt(*FindEntry(objects, "mjob-unqueued.kb.io"), {"failurePolicy"}),
            "Ignore");
  Options options = DefaultOptions();
  options.configuration.manage_jobs_without_queue_name = true;
  const auto all = Webhooks(options);
  const json::value* unqueued = FindEntry(all, "mjob-unqueued.kb.io");
  EXPECT_EQ(json::StringAt(*unqueued, {"failurePolicy"}), "Fail");
}

TEST(WebhookManifests, ExcludeSystemNamespaces) {
  int checked = 0;
  for (const json::value& object : Webhooks(DefaultOptions())) {
    for (const json::value& entry : object.at("webhooks").as_array()) {
      if (!entry.as_object().contains("objectSelector")) continue;  // Kueue's own kinds
      EXPECT_THAT(json::Print(entry.at("namespaceSelector")), HasSubstr("kube-system"));
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(WebhookManifests, HaveUniqueNames) {
  std::set<std::string> names;
  for (const json::value& object : Webhooks(DefaultOptions()))
    for (const json::value& entry : object.at("webhooks").as_array())
      EXPECT_TRUE(names.insert(std::string(json::StringAt(entry, {"name"}))).second);
  EXPECT_GT(names.size(), 5u);
}

}  // namespace
}  // namespace berth::install

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "control/reconcile/job_plan.h"
#include "control/reconcile/ray_clusters.h"
#include "install/manifests.h"
#include "jobs/integration.h"
#include "jobs/training_runtime.h"

namespace berth::install {
namespace {

using Words = std::vector<std::string>;

const Words kLook{"get", "list", "watch"};
const Words kLookAndChange{"get", "list", "patch", "update", "watch"};

json::array ArrayOf(const Words& words) {
  json::array list;
  for (const std::string& word : words) list.emplace_back(word);
  return list;
}

json::object Rule(const std::string& group, const Words& resources, const Words& verbs,
                  const Words& names = {}) {
  json::object rule{{"apiGroups", ArrayOf({group})}, {"resources", ArrayOf(resources)}};
  if (!names.empty()) rule["resourceNames"] = ArrayOf(names);
  rule["verbs"] = ArrayOf(verbs);
  return rule;
}

Words KueueKinds(std::string_view suffix = {}, bool only_with_status = false,
                 bool only_converted = false) {
  Words plurals;
  for (const schema::Kind* kind : api::AllKinds())
    if (kind->group == api::kKueueGroup && !kind->plural.empty() &&
        (!only_with_status || kind->has_status) && (!only_converted || kind->is_converted))
      plurals.push_back(std::string(kind->plural) + std::string(suffix));
  return plurals;
}

Words RuntimeKinds() {
  Words plurals;
  for (const jobs::TrainingRuntimeKind& kind : jobs::kTrainingRuntimeKinds)
    plurals.emplace_back(kind.plural);
  return plurals;
}

constexpr std::string_view kRayClusters = "rayclusters";

// Whether the retention policy deletes jobs of deactivated Workloads.
bool DeletesJobs(const api::Configuration& configuration) {
  const auto& kept = configuration.object_retention_policies;
  return kept && kept->workloads && kept->workloads->after_deactivated_by_kueue;
}

// Listed job kinds: read, start and stop. Plain pods are also deleted, because that is how they are
// stopped.
void AddJobRules(const Options& options, json::array& rules) {
  std::map<std::string, Words> plurals;
  bool has_pods = false;
  bool follows_ray = false;
  for (const jobs::Integration* integration : ListedIntegrations(options)) {
    plurals[std::string(integration->group())].push_back(integration->plural);
    has_pods |= integration->suspension == jobs::kSuspendedByGate;
    if (integration->derives == jobs::kDerivesTrainJob)
      rules.push_back(Rule(std::string(integration->group()), RuntimeKinds(), kLook));
    follows_ray |= control::FollowsRayCluster(*integration);
  }
  Words& ray = plurals["ray.io"];
  if (follows_ray && std::ranges::find(ray, kRayClusters) == ray.end())
    rules.push_back(Rule("ray.io", {std::string(kRayClusters)}, kLook));
  if (ray.empty()) plurals.erase("ray.io");
  for (const auto& [group, kinds] : plurals) {
    Words parts;
    for (const std::string& kind : kinds) {
      parts.push_back(kind + "/finalizers");
      parts.push_back(kind + "/status");
    }
    rules.push_back(Rule(group, kinds, kLookAndChange));
    if (DeletesJobs(options.configuration)) rules.push_back(Rule(group, kinds, {"delete"}));
    rules.push_back(Rule(group, parts, {"get", "patch", "update"}));
  }
  if (has_pods) rules.push_back(Rule("", {"pods"}, {"delete"}));
}

// Pods of jobs: the scheduling gates of those of elastic and of placed jobs, and those that a
// failed node keeps from starting or from ending.
void AddRulesOfStartedPods(const Options& options, json::array& rules) {
  const api::FeatureGates gates = api::KnownFeatureGates(options.configuration.feature_gates);
  const control::JobPolicy policy = control::JobPolicy::From(options.configuration, gates);
  if (policy.workload.has_elastic_jobs || policy.start.has_topology)
    rules.push_back(Rule("", {"pods"}, {"patch"}));
  if (policy.node_failures || policy.deletes_stuck_pods)
    rules.push_back(Rule("", {"pods/status"}, {"patch"}));
  if (policy.deletes_stuck_pods) rules.push_back(Rule("", {"pods"}, {"delete"}));
}

json::array ClusterRules(const Options& options) {
  json::array rules;
  const std::string kueue(api::kKueueGroup);
  rules.push_back(Rule(kueue, KueueKinds(), kLookAndChange));
  rules.push_back(Rule(kueue, KueueKinds("/status", true), {"get", "patch", "update"}));
  rules.push_back(Rule(kueue, KueueKinds("/finalizers"), {"update"}));
  rules.push_back(Rule(kueue, {"workloads"}, {"create", "delete"}));
  rules.push_back(Rule("", {"limitranges", "namespaces", "nodes", "pods"}, kLook));
  rules.push_back(Rule("", {"events"}, {"create", "patch", "update"}));
  rules.push_back(Rule("events.k8s.io", {"events"}, {"create", "patch", "update"}));
  rules.push_back(Rule("node.k8s.io", {"runtimeclasses"}, kLook));
  rules.push_back(Rule("scheduling.k8s.io", {"priorityclasses"}, kLook));
  rules.push_back(
      Rule("resource.k8s.io",
           {"deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices"}, kLook));
  // Reads owners of jobs, which decide whether a job is managed.
  rules.push_back(Rule("apps", {"deployments", "replicasets", "statefulsets"}, {"get"}));
  rules.push_back(Rule("batch", {"cronjobs", "jobs"}, {"get"}));
  AddJobRules(options, rules);
  AddRulesOfStartedPods(options, rules);
  // Authenticates and authorizes clients of metrics, the visibility API and the dashboard.
  if (MetricsPort(options) != 0 || VisibilityPort(options) != 0 || options.has_dashboard) {
    rules.push_back(Rule("authentication.k8s.io", {"tokenreviews"}, {"create"}));
    rules.push_back(Rule("authorization.k8s.io", {"subjectaccessreviews"}, {"create"}));
  }
  // Writes the caBundle of webhook configurations and CRDs.
  rules.push_back(Rule("admissionregistration.k8s.io", {"mutatingwebhookconfigurations"},
                       {"get", "update"}, {"kueue-mutating-webhook-configuration"}));
  rules.push_back(Rule("admissionregistration.k8s.io", {"validatingwebhookconfigurations"},
                       {"get", "update"}, {"kueue-validating-webhook-configuration"}));
  rules.push_back(Rule("apiextensions.k8s.io", {"customresourcedefinitions"}, {"get", "update"},
                       KueueKinds("." + kueue, false, true)));
  return rules;
}

json::array OwnNamespaceRules(const Options& options) {
  const auto& election = options.configuration.leader_election;
  const auto& certificates = options.configuration.internal_cert_management;
  json::array rules;
  // RBAC cannot restrict create by name.
  rules.push_back(Rule("coordination.k8s.io", {"leases"}, {"create", "list", "watch"}));
  if (election)
    rules.push_back(
        Rule("coordination.k8s.io", {"leases"}, {"get", "update"}, {election->resource_name}));
  if (certificates && certificates->enable.value_or(true))
    rules.push_back(
        Rule("", {"secrets"}, {"get", "update"}, {certificates->webhook_secret_name.value_or("")}));
  return rules;
}

json::value RoleNamed(const char* kind, const char* name, const std::string& namespace_name,
                      json::array rules) {
  json::object metadata{{"name", name}};
  if (!namespace_name.empty()) metadata["namespace"] = namespace_name;
  return json::object{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                      {"kind", kind},
                      {"metadata", std::move(metadata)},
                      {"rules", std::move(rules)}};
}

json::value BindingOf(const char* kind, const char* role, const char* name,
                      const std::string& namespace_name, const std::string& own_namespace) {
  json::object metadata{{"name", name}};
  if (!namespace_name.empty()) metadata["namespace"] = namespace_name;
  return json::object{
      {"apiVersion", "rbac.authorization.k8s.io/v1"},
      {"kind", std::string(kind) + "Binding"},
      {"metadata", std::move(metadata)},
      {"roleRef",
       json::object{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", role}}},
      {"subjects", json::array{json::object{{"kind", "ServiceAccount"},
                                            {"name", "kueue-controller-manager"},
                                            {"namespace", own_namespace}}}}};
}

// For clients that scrape metrics; bound to no subject.
void AddMetricsReader(std::vector<json::value>& all) {
  const json::object read{{"nonResourceURLs", ArrayOf({"/metrics"})}, {"verbs", ArrayOf({"get"})}};
  all.push_back(RoleNamed("ClusterRole", "kueue-metrics-reader", "", json::array{read}));
}

// Reads the front-proxy ConfigMap, and lets users read pending workloads. The second role is
// aggregated to view and to Kueue's roles for administrators and users.
void AddVisibility(const std::string& own_namespace, std::vector<json::value>& all) {
  all.push_back(BindingOf("Role", "extension-apiserver-authentication-reader",
                          "kueue-visibility-server-auth-reader", "kube-system", own_namespace));
  for (const bool is_local : {false, true}) {
    json::value role = RoleNamed(
        "ClusterRole",
        is_local ? "kueue-pending-workloads-lq-viewer-role"
                 : "kueue-pending-workloads-cq-viewer-role",
        "",
        {Rule("visibility.kueue.x-k8s.io",
              {is_local ? "localqueues/pendingworkloads" : "clusterqueues/pendingworkloads"},
              kLook)});
    json::object labels{{"rbac.authorization.k8s.io/aggregate-to-admin", "true"},
                        {"rbac.authorization.k8s.io/aggregate-to-edit", "true"},
                        {"rbac.authorization.k8s.io/aggregate-to-view", "true"},
                        {"rbac.kueue.x-k8s.io/batch-admin", "true"}};
    if (is_local) labels["rbac.kueue.x-k8s.io/batch-user"] = "true";
    role.at("metadata").as_object()["labels"] = std::move(labels);
    all.push_back(std::move(role));
  }
}

}  // namespace

std::vector<json::value> Roles(const Options& options) {
  const std::string& own = options.configuration.namespace_;
  std::vector<json::value> all{
      RoleNamed("ClusterRole", "kueue-manager-role", "", ClusterRules(options)),
      BindingOf("ClusterRole", "kueue-manager-role", "kueue-manager-rolebinding", "", own),
      RoleNamed("Role", "kueue-leader-election-role", own, OwnNamespaceRules(options)),
      BindingOf("Role", "kueue-leader-election-role", "kueue-leader-election-rolebinding", own,
                own)};
  if (MetricsPort(options) != 0) AddMetricsReader(all);
  if (VisibilityPort(options) != 0) AddVisibility(own, all);
  return all;
}

}  // namespace berth::install

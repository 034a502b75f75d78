#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "control/reconcile/job_cache.h"
#include "install/manifests.h"
#include "jobs/integration.h"
#include "jobs/managed.h"
#include "schema/encode.h"
#include "webhook_server/admission.h"

namespace berth::install {
namespace {

using webhook_server::ReviewStage;

// The subject of one entry of a webhook configuration.
struct Hook {
  std::string group;
  std::string version;
  std::string kind;
  std::string plural;
  bool changes_on_update = false;
  bool has_status = false;
};

json::value WithoutSystemNamespaces(const std::string& own_namespace) {
  return json::object{
      {"matchExpressions",
       json::array{json::object{{"key", "kubernetes.io/metadata.name"},
                                {"operator", "NotIn"},
                                {"values", json::array{"kube-system", own_namespace}}}}}};
}

json::value QueueNameIs(const char* there) {
  return json::object{
      {"matchExpressions", json::array{json::object{{"key", json::BoostView(api::kQueueNameLabel)},
                                                    {"operator", there}}}}};
}

std::string HookName(ReviewStage stage, const Hook& hook, std::string_view addition = {}) {
  std::string name = stage == ReviewStage::kMutate ? "m" : "v";
  for (const char c : hook.kind)
    name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return name + std::string(addition) + ".kb.io";
}

json::object EntryFor(ReviewStage stage, const Hook& hook, const Options& options) {
  json::array operations{"CREATE"};
  if (stage == ReviewStage::kValidate || hook.changes_on_update) operations.emplace_back("UPDATE");
  json::array resources{hook.plural};
  if (hook.has_status && stage == ReviewStage::kValidate)
    resources.emplace_back(hook.plural + "/status");
  const auto& certificates = options.configuration.internal_cert_management;
  const std::string service =
      certificates ? certificates->webhook_service_name.value_or("kueue-webhook-service")
                   : "kueue-webhook-service";
  return json::object{
      {"name", HookName(stage, hook)},
      {"admissionReviewVersions", json::array{"v1"}},
      {"clientConfig",
       json::object{
           {"service", json::object{{"name", service},
                                    {"namespace", options.configuration.namespace_},
                                    {"path", webhook_server::WebhookPath(
                                                 stage, hook.group, hook.version, hook.kind)}}}}},
      {"failurePolicy", "Fail"},
      {"rules", json::array{json::object{{"apiGroups", json::array{hook.group}},
                                         {"apiVersions", json::array{hook.version}},
                                         {"operations", std::move(operations)},
                                         {"resources", std::move(resources)}}}},
      {"sideEffects", "None"},
      {"timeoutSeconds", 10}};
}

// Fail closed for jobs with a queue name. Fail open for others, unless all jobs are managed, and
// then only in managed namespaces.
void AddJobEntries(ReviewStage stage, const Hook& hook, const Options& options,
                   json::array& entries) {
  const api::Configuration& configuration = options.configuration;
  json::object queued = EntryFor(stage, hook, options);
  queued["namespaceSelector"] = WithoutSystemNamespaces(configuration.namespace_);
  queued["objectSelector"] = QueueNameIs("Exists");
  entries.push_back(std::move(queued));

  json::object other = EntryFor(stage, hook, options);
  other["name"] = HookName(stage, hook, "-unqueued");
  other["objectSelector"] = QueueNameIs("DoesNotExist");
  other["failurePolicy"] = configuration.manage_jobs_without_queue_name ? "Fail" : "Ignore";
  other["namespaceSelector"] = WithoutSystemNamespaces(configuration.namespace_);
  if (configuration.manage_jobs_without_queue_name && configuration.managed_jobs_namespace_selector)
    other["namespaceSelector"] =
        json::Parse(schema::Encode(*configuration.managed_jobs_namespace_selector))
            .value_or(json::object());
  entries.push_back(std::move(other));
}

Hook HookOf(const jobs::Integration& integration) {
  const store::Resource resource = control::ResourceOf(integration);
  return {.group = resource.group,
          .version = resource.version,
          .kind = resource.kind,
          .plural = resource.plural,
          .changes_on_update = integration.suspension != jobs::kSuspendedByFlag &&
                               integration.suspension != jobs::kSuspendedByGate};
}

// Kueue's own kinds that have a webhook.
std::vector<Hook> KueueHooks(ReviewStage stage) {
  std::vector<Hook> hooks;
  for (const char* name : {"ClusterQueue", "Cohort", "ResourceFlavor", "Workload"}) {
    const std::string version = std::string(api::kKueueGroup) + "/v1beta2";
    const api::FoundKind found = api::FindKind(version, name);
    const bool is_cohort = std::string_view(name) == "Cohort";
    if (!found || (is_cohort && stage == ReviewStage::kMutate)) continue;
    hooks.push_back({.group = std::string(found.kind->group),
                     .version = std::string(found.kind->version),
                     .kind = name,
                     .plural = std::string(found.kind->plural),
                     .has_status = std::string_view(name) == "Workload"});
  }
  return hooks;
}

json::value Configuration(ReviewStage stage, const Options& options) {
  json::array entries;
  for (const Hook& hook : KueueHooks(stage)) entries.push_back(EntryFor(stage, hook, options));
  for (const jobs::Integration* integration : ListedIntegrations(options))
    AddJobEntries(stage, HookOf(*integration), options, entries);
  const bool is_mutating = stage == ReviewStage::kMutate;
  return json::object{
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", is_mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration"},
      {"metadata", json::object{{"name", is_mutating ? "kueue-mutating-webhook-configuration"
                                                     : "kueue-validating-webhook-configuration"}}},
      {"webhooks", std::move(entries)}};
}

}  // namespace

std::vector<json::value> Webhooks(const Options& options) {
  return {Configuration(ReviewStage::kMutate, options),
          Configuration(ReviewStage::kValidate, options)};
}

}  // namespace berth::install

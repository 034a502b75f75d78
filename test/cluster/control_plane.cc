#include "cluster/control_plane.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <utility>

#include "api/batch/job.h"
#include "api/core/namespace.h"
#include "api/core/pod.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/registry.h"
#include "apiserver/testing/command.h"
#include "base/text.h"
#include "control/reconcile/job_cache.h"
#include "jobs/integration_set.h"
#include "kube/find_access.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"

namespace berth::cluster {
namespace {

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(60);
constexpr base::Duration kTimeout = base::Duration::Seconds(60);

constexpr std::string_view kOurNamespace = "kueue-system";

// Namespaces that do not belong to tests.
bool IsSystemNamespace(std::string_view space) {
  return space == "default" || space == kOurNamespace || space.starts_with("kube-");
}

const store::Resource kCustomResourceDefinitions{.group = "apiextensions.k8s.io",
                                                 .version = "v1",
                                                 .plural = "customresourcedefinitions",
                                                 .kind = "CustomResourceDefinition"};

// Kinds with objects of the server itself or of the installation.
bool IsExcluded(const store::Resource& resource) {
  static const std::set<std::string, std::less<>> kLeft{"Namespace",      "Secret",    "Service",
                                                        "ServiceAccount", "ConfigMap", "Lease"};
  return resource.plural.empty() || kLeft.contains(resource.kind);
}

std::vector<store::Resource> KindsOfTests() {
  std::set<store::Resource> kinds;
  for (const schema::Kind* kind : api::AllKinds()) kinds.insert(store::ResourceOf(*kind));
  for (const jobs::Integration& integration : jobs::IntegrationSet::BuiltIn().all())
    kinds.insert(control::ResourceOf(integration));
  std::erase_if(kinds, IsExcluded);
  std::vector<store::Resource> list(kinds.begin(), kinds.end());
  list.push_back(kCustomResourceDefinitions);
  return list;
}

std::string PluralOf(std::string_view kind) {
  std::string plural = base::LowerCase(kind);
  if (!plural.ends_with('y')) return plural + (plural.ends_with('s') ? "es" : "s");
  plural.pop_back();
  return plural + "ies";
}

// Points the Service to the loopback, where the test serves the webhooks.
void PointToLoopback(json::value& object, uint16_t port) {
  if (json::StringAt(object, {"kind"}) == "Service")
    object.as_object()["spec"] =
        json::object{{"type", "ExternalName"}, {"externalName", "localhost"}};
  if (json::value* service =
          json::Find(object, {"spec", "conversion", "webhook", "clientConfig", "service"}))
    service->as_object()["port"] = port;
  json::value* hooks = json::Find(object, {"webhooks"});
  if (hooks == nullptr) return;
  for (json::value& hook : hooks->as_array())
    if (json::value* service = json::Find(hook, {"clientConfig", "service"}))
      service->as_object()["port"] = port;
}

bool IsWebhookConfiguration(const json::value& object) {
  return json::StringAt(object, {"kind"}).ends_with("WebhookConfiguration");
}

bool IsEstablished(const json::value& definition) {
  const json::value* conditions = json::Find(definition, {"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->get_array(), [](const json::value& condition) {
    return json::StringAt(condition, {"type"}) == "Established" &&
           json::StringAt(condition, {"status"}) == "True";
  });
}

bool IsUnseenQueue(const store::Object& queue) {
  const json::value tree = json::Parse(queue.text()).value_or(nullptr);
  const json::value* generation = json::Find(tree, {"metadata", "generation"});
  const json::value* conditions = json::Find(tree, {"status", "conditions"});
  if (generation == nullptr || json::Find(tree, {"metadata", "deletionTimestamp"}) != nullptr)
    return false;
  return conditions == nullptr ||
         std::ranges::none_of(conditions->as_array(), [&](const json::value& condition) {
           const json::value* observed = json::Find(condition, {"observedGeneration"});
           return json::StringAt(condition, {"type"}) == api::condition::kActive &&
                  observed != nullptr && *observed == *generation;
         });
}

std::string ContentOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

store::Resource ResourceOfObject(const json::value& object) {
  const std::string_view api_version = json::StringAt(object, {"apiVersion"});
  const std::string_view kind = json::StringAt(object, {"kind"});
  const size_t slash = api_version.find('/');
  const bool has_group = slash != api_version.npos;
  return {.group = std::string(has_group ? api_version.substr(0, slash) : ""),
          .version = std::string(has_group ? api_version.substr(slash + 1) : api_version),
          .plural = PluralOf(kind),
          .kind = std::string(kind),
          .is_namespaced = !json::StringAt(object, {"metadata", "namespace"}).empty()};
}

ControlPlane& ControlPlane::Get() {
  static ControlPlane& plane = []() -> ControlPlane& {
    const char* directory = std::getenv("BERTH_TEST_CLUSTER");
    // Never destroyed.
    auto& made = *new ControlPlane(directory == nullptr ? "" : directory);
    const auto connected = directory == nullptr
                               ? base::Fail("BERTH_TEST_CLUSTER names no control plane",
                                            "run make test-cluster, or see test/cluster/README.md")
                               : made.Connect();
    if (connected) return made;
    std::cerr << base::ToString(connected.error()) << '\n';
    std::exit(2);
  }();
  return plane;
}

base::Result<void> ControlPlane::Connect() {
  const auto port = [&](const char* file) {
    return static_cast<uint16_t>(std::atoi(ContentOf(directory_ / file).c_str()));
  };
  webhook_port_ = port("webhook-port");
  visibility_port_ = port("visibility-port");
  auto access = kube::FindAccess(kubeconfig());
  if (!access) return std::unexpected(access.error());
  auto account = kube::FindAccess(directory_ / "controller.kubeconfig");
  if (!account) return std::unexpected(account.error());
  account_ = std::move(*account);
  auto client = kube::Client::Make(std::move(*access), {.requests_per_second = 0});
  if (!client) return std::unexpected(client.error());
  client_ = std::move(*client);
  return {};
}

bool ControlPlane::Eventually(const std::function<bool()>& holds) {
  return store::testing::Eventually(holds, kTimeout);
}

store::Outcome<store::Reply> ControlPlane::Do(store::Call call) {
  return store::WaitFor(*client_, std::move(call), kAnswerLimit);
}

store::Outcome<store::Reply> ControlPlane::Apply(const json::value& object, bool is_dry_run) {
  return Do(
      store::Patch{.resource = ResourceOfObject(object),
                   .namespace_ = std::string(json::StringAt(object, {"metadata", "namespace"})),
                   .name = std::string(json::StringAt(object, {"metadata", "name"})),
                   .subresource = "",
                   .type = store::PatchType::kApply,
                   .body = json::Print(object),
                   .is_forced = true,
                   .options = {.is_dry_run = is_dry_run, .field_manager = "test-cluster"}});
}

// --- Installing ---------------------------------------------------------------------------------

base::Result<void> ControlPlane::ApplyAll(const std::vector<json::value>& objects) {
  for (const json::value& object : objects)
    if (const auto applied = Apply(object); !applied)
      return base::Fail(store::ToString(applied.error()) + " for " + json::Print(object));
  return {};
}

bool ControlPlane::AreEstablished(const std::vector<json::value>& manifests) {
  return std::ranges::all_of(manifests, [&](const json::value& object) {
    if (json::StringAt(object, {"kind"}) != kCustomResourceDefinitions.kind) return true;
    const auto got =
        Do(store::Get{.resource = kCustomResourceDefinitions,
                      .namespace_ = "",
                      .name = std::string(json::StringAt(object, {"metadata", "name"}))});
    return got && IsEstablished(json::Parse(got->object.text()).value_or(nullptr));
  });
}

base::Result<void> ControlPlane::Install(const api::Configuration& configuration) {
  std::vector<json::value> manifests =
      install::Manifests({.configuration = configuration, .replicas = 0});
  std::erase_if(manifests, [](const json::value& object) {
    return IsWebhookConfiguration(object) || json::StringAt(object, {"kind"}) == "APIService";
  });
  for (json::value& object : manifests) PointToLoopback(object, webhook_port_);
  if (manifests == installed_) return {};
  if (auto applied = ApplyAll(manifests); !applied) return applied;
  if (!Eventually([&] { return AreEstablished(manifests); }))
    return base::Fail("the definitions are not established");
  installed_ = std::move(manifests);
  return {};
}

base::Result<void> ControlPlane::AwaitCollector() {
  if (knows_collector_) return {};
  const store::Resource resource = store::ResourceOf<api::LocalQueue>();
  const auto made =
      Do(store::Create{.resource = resource,
                       .namespace_ = "default",
                       .object = R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
                    "metadata": {"name": "garbage", "ownerReferences": [{"apiVersion": "v1",
                      "kind": "ConfigMap", "name": "missing",
                      "uid": "01234567-89ab-cdef-0123-456789abcdef"}]},
                    "spec": {"clusterQueue": "missing"}})",
                       .options = {}});
  if (!made && !made.error().IsAlreadyExists()) return base::Fail(store::ToString(made.error()));
  knows_collector_ = Eventually([&] {
    const auto got =
        Do(store::Get{.resource = resource, .namespace_ = "default", .name = "garbage"});
    return !got && got.error().IsNotFound();
  });
  if (!knows_collector_) return base::Fail("garbage of our kinds is not collected");
  return {};
}

bool ControlPlane::HasGarbage() {
  const std::array kinds{store::ResourceOf<api::Job>(), store::ResourceOf<api::Pod>(),
                         store::ResourceOf<api::Workload>()};
  std::set<std::string, std::less<>> uids;
  std::vector<json::value> owners_of;  // of each object that has owners
  for (const store::Resource& resource : kinds) {
    const auto list = Do(store::List{.resource = resource, .selection = {}});
    if (!list) return true;
    for (const store::Object& object : list->items) {
      uids.insert(object.uid);
      const json::value tree = json::Parse(object.text()).value_or(nullptr);
      const json::value* owners = json::Find(tree, {"metadata", "ownerReferences"});
      if (owners != nullptr && json::Find(tree, {"metadata", "deletionTimestamp"}) == nullptr)
        owners_of.push_back(*owners);
    }
  }
  const auto is_gone = [&](const json::value& owner) {
    return std::ranges::any_of(kinds,
                               [&](const store::Resource& kind) {
                                 return kind.kind == json::StringAt(owner, {"kind"});
                               }) &&
           !uids.contains(json::StringAt(owner, {"uid"}));
  };
  return std::ranges::any_of(owners_of, [&](const json::value& owners) {
    return std::ranges::all_of(owners.as_array(), is_gone);
  });
}

bool ControlPlane::HasUnseenQueues() {
  for (const store::Resource& resource :
       {store::ResourceOf<api::ClusterQueue>(), store::ResourceOf<api::LocalQueue>()}) {
    const auto list = Do(store::List{.resource = resource, .selection = {}});
    if (!list || std::ranges::any_of(list->items, IsUnseenQueue)) return true;
  }
  return false;
}

// Creates a ClusterQueue that only a webhook rejects. Returns the error; "" if accepted.
std::string ControlPlane::ProbeRefusal() {
  const auto answer = Do(store::Create{
      .resource = store::ResourceOf(*api::FindKind("kueue.x-k8s.io/v1beta2", "ClusterQueue").kind),
      .namespace_ = "",
      .object = R"({"apiVersion":"kueue.x-k8s.io/v1beta2",
                             "kind":"ClusterQueue","metadata":{"name":"probe"},
                             "spec":{"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
                               {"name":"f","resources":[{"name":"cpu","nominalQuota":"-1"}]}]}]}})",
      .options = {.is_dry_run = true}});
  return answer ? "" : store::ToString(answer.error());
}

// Webhook configurations take effect with a delay. While no webhook is served, failing writes show
// that they are called.
base::Result<void> ControlPlane::InstallWebhooks(const api::Configuration& configuration) {
  std::vector<json::value> webhooks = install::Webhooks({.configuration = configuration});
  for (json::value& object : webhooks) PointToLoopback(object, webhook_port_);
  if (auto applied = ApplyAll(webhooks); !applied) return applied;
  std::string refusal;
  const bool are_called = Eventually([&] {
    refusal = ProbeRefusal();
    return refusal.contains("failed calling webhook");
  });
  if (!are_called) return base::Fail("the API server does not call the webhooks: " + refusal);
  return {};
}

bool ControlPlane::AreWebhooksServed() { return ProbeRefusal().contains("denied the request"); }

// --- Parts --------------------------------------------------------------------------------------

base::Result<void> ControlPlane::Parts(const std::string& verb,
                                       const std::vector<std::string>& parts) {
  std::vector<std::string> command{BERTH_SOURCE_DIR "/test/cluster/plane", verb, directory_};
  command.insert(command.end(), parts.begin(), parts.end());
  const auto result = apiserver::testing::RunCommand(command);
  if (result.code != 0) return base::Fail(result.err);
  return {};
}

base::Result<void> ControlPlane::RunPods(bool are_run) {
  if (are_run == runs_pods_) return {};
  runs_pods_ = are_run;
  knows_collector_ = false;
  if (auto stopped = Parts("stop", {"kwok", "kube-scheduler", "kube-controller-manager"}); !stopped)
    return stopped;
  std::ofstream(directory_ / "controllers") << (are_run ? "*" : "garbage-collector-controller");
  std::vector<std::string> parts{"kube-controller-manager"};
  if (are_run) parts.insert(parts.end(), {"kube-scheduler", "kwok"});
  return Parts("start", parts);
}

// --- Cleanup ------------------------------------------------------------------------------------

void ControlPlane::Remove(const store::Resource& resource, const store::Object& object) {
  const auto tree = json::Parse(object.text()).value_or(json::object());
  const std::string space(json::StringAt(tree, {"metadata", "namespace"}));
  const std::string name(json::StringAt(tree, {"metadata", "name"}));
  (void)Do(store::Delete{
      .resource = resource,
      .namespace_ = space,
      .name = name,
      .options = {.propagation = store::Propagation::kBackground, .grace_period_seconds = 0}});
  if (resource.kind == "Namespace") {
    json::value emptied = tree;
    if (json::value* finalizers = json::Find(emptied, {"spec", "finalizers"}))
      *finalizers = json::array();
    emptied.as_object()["metadata"].as_object().erase("resourceVersion");
    (void)Do(store::Update{.resource = resource,
                           .namespace_ = "",
                           .name = name,
                           .subresource = "finalize",
                           .object = json::Print(emptied),
                           .options = {}});
  } else if (json::Find(tree, {"metadata", "finalizers"}) != nullptr) {
    (void)Do(store::Patch{.resource = resource,
                          .namespace_ = space,
                          .name = name,
                          .subresource = "",
                          .type = store::PatchType::kMerge,
                          .body = R"({"metadata":{"finalizers":null}})",
                          .is_forced = false,
                          .options = {}});
  }
}

// True if no object of tests is left.
bool ControlPlane::ClearKind(const store::Resource& resource) {
  const auto list = Do(store::List{.resource = resource, .selection = {}});
  if (!list) return list.error().IsNotFound();
  bool is_empty = true;
  for (const store::Object& object : list->items) {
    const auto tree = json::Parse(object.text()).value_or(json::object());
    const std::string_view name = json::StringAt(tree, {"metadata", "name"});
    const std::string_view space = json::StringAt(tree, {"metadata", "namespace"});
    if (resource.kind == "Namespace" && IsSystemNamespace(name)) continue;
    if (space == kOurNamespace && resource.kind != "Event") continue;
    if (resource.kind == "PriorityClass" && name.starts_with("system-")) continue;
    if (resource == kCustomResourceDefinitions && name.ends_with(".kueue.x-k8s.io")) continue;
    Remove(resource, object);
    is_empty = false;
  }
  return is_empty;
}

base::Result<void> ControlPlane::Clear() {
  for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})
    (void)Do(store::DeleteCollection{.resource = {.group = "admissionregistration.k8s.io",
                                                  .version = "v1",
                                                  .plural = PluralOf(kind),
                                                  .kind = kind},
                                     .selection = {},
                                     .options = {}});
  std::string refusal;
  if (!Eventually([&] { return (refusal = ProbeRefusal()).find("webhook") == refusal.npos; }))
    return base::Fail("the API server goes on calling webhooks: " + refusal);
  std::vector<store::Resource> left = KindsOfTests();
  left.push_back(store::ResourceOf<api::Namespace>());
  const bool is_cleared = Eventually([&] {
    std::erase_if(left, [&](const store::Resource& kind) { return ClearKind(kind); });
    return left.empty();
  });
  if (!is_cleared) return base::Fail("objects of " + left.front().kind + " do not go away");
  return {};
}

}  // namespace berth::cluster

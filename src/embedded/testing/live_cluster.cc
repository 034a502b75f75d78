#include "embedded/testing/live_cluster.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/config/configuration.h"
#include "api/core/events_v1_event.h"
#include "api/core/namespace.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/registry.h"
#include "control/reconcile/job_cache.h"
#include "control/reconcile/training_runtimes.h"
#include "jobs/managed.h"
#include "schema/decode.h"
#include "schema/yaml/to_json.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::embedded::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr base::Duration kReplyLimit = base::Duration::Seconds(30);
constexpr base::Duration kTimeout = base::Duration::Seconds(60);
constexpr auto kQuietTime = milliseconds(200);

}  // namespace

store::Resource ResourceOfKind(std::string_view kind) {
  for (const jobs::Integration& integration : jobs::IntegrationSet::BuiltIn().all())
    if (integration.kind == kind) return control::ResourceOf(integration);
  for (const jobs::TrainingRuntimeKind& runtime : jobs::kTrainingRuntimeKinds)
    if (runtime.kind == kind)
      return control::ResourceOf(
          *jobs::IntegrationSet::BuiltIn().FindFramework("trainer.kubeflow.org/trainjob"), runtime);
  std::optional<store::Resource> found;
  for (const schema::Kind* known : api::AllKinds())
    if (known->kind == kind && (!found || known->group == api::kKueueGroup))
      found = store::ResourceOf(*known);
  if (kind == "CustomResourceDefinition")
    return {.group = "apiextensions.k8s.io",
            .version = "v1",
            .plural = "customresourcedefinitions",
            .kind = "CustomResourceDefinition",
            .is_namespaced = false};
  // The server reports the unknown kind.
  return found.value_or(store::Resource{.group = "", .version = "v1", .kind = std::string(kind)});
}

namespace {

// In the version that the object is written in.
store::Resource ResourceOfObject(const json::value& object) {
  store::Resource resource = ResourceOfKind(json::StringAt(object, {"kind"}));
  const std::string_view api_version = json::StringAt(object, {"apiVersion"});
  if (const size_t slash = api_version.find('/');
      slash != api_version.npos && api_version.substr(0, slash) == resource.group)
    resource.version = api_version.substr(slash + 1);
  return resource;
}

// "Job team/train".
struct Target {
  store::Resource resource;
  std::string namespace_;
  std::string name;

  explicit Target(std::string_view text) {
    const size_t space = text.find(' ');
    resource = ResourceOfKind(text.substr(0, space));
    text.remove_prefix(space + 1);
    const size_t slash = text.find('/');
    if (slash != text.npos) namespace_ = text.substr(0, slash);
    name = slash == text.npos ? text : text.substr(slash + 1);
  }
};

base::Result<std::vector<std::string>> DocumentsOf(std::string_view yaml) {
  auto read = schema::YamlToJson(yaml, {.file = "test"});
  if (!read) return std::unexpected(read.error());
  std::vector<std::string> documents;
  for (schema::YamlDocument& document : *read)
    if (document.json != "null") documents.push_back(std::move(document.json));
  return documents;
}

base::Result<Cluster::Options> OptionsFrom(std::string_view configuration) {
  const auto documents = DocumentsOf(configuration);
  if (!documents) return std::unexpected(documents.error());
  auto read = schema::Decode<api::Configuration>(documents->empty() ? "{}" : documents->front());
  if (!read) return base::Fail(schema::ToString(read.error().front()), "");
  const auto gates = api::ReadFeatureGates(read->feature_gates);
  if (!gates) return base::Fail(schema::ToString(gates.error().front()), "");
  Cluster::Options options;
  options.configuration = *std::move(read);
  api::ApplyConfigurationDefaults(options.configuration);
  options.gates = *gates;
  options.serves_https = false;
  options.nodes.reset();
  return options;
}

Answer AnswerFrom(const store::Outcome<store::Reply>& outcome) {
  if (!outcome) return {.refusal = store::ToString(outcome.error()), .warnings = {}};
  return {.refusal = "", .warnings = outcome->warnings};
}

}  // namespace

// Written by the controllers' thread.
struct LiveCluster::Log {
  mutable std::mutex mutex;
  std::vector<std::string> lines;
};

LiveCluster::LiveCluster(std::string_view configuration, OnFailure fail,
                         std::optional<embedded::SimulationSettings> nodes, store::Taps taps)
    : fail_(std::move(fail)), log_(std::make_shared<Log>()) {
  auto options = OptionsFrom(configuration);
  if (!options) {
    fail_(options.error().message);
    return;
  }
  options->nodes = std::move(nodes);
  options->taps = std::move(taps);
  options->log = [log = log_](std::string_view line) {
    const std::lock_guard lock(log->mutex);
    log->lines.emplace_back(line);
  };
  auto started = StartEnvironment(*std::move(options));
  if (!started) {
    fail_(started.error().message);
    return;
  }
  cluster_ = *std::move(started);
}

std::string LiveCluster::StartError(std::string_view configuration) {
  auto options = OptionsFrom(configuration);
  if (!options) return options.error().message;
  const auto started = StartEnvironment(*std::move(options));
  return started ? "" : started.error().message;
}

// --- Requests -----------------------------------------------------------------------------------

store::Outcome<store::Reply> LiveCluster::Do(store::Call call) {
  return store::WaitFor(cluster_->store(), std::move(call), kReplyLimit);
}

store::Outcome<store::Reply> LiveCluster::ApplyOne(std::string_view text) {
  const json::value tree = json::Parse(text).value_or(json::object());
  return Do(store::Patch{.resource = ResourceOfObject(tree),
                         .namespace_ = std::string(json::StringAt(tree, {"metadata", "namespace"})),
                         .name = std::string(json::StringAt(tree, {"metadata", "name"})),
                         .subresource = "",
                         .type = store::PatchType::kApply,
                         .body = std::string(text),
                         .is_forced = true,
                         .options = {.field_manager = "test"}});
}

void LiveCluster::Apply(std::string_view yaml) {
  const auto documents = DocumentsOf(yaml);
  if (!documents) return fail_(documents.error().message);
  for (const std::string& document : *documents) {
    const auto outcome = ApplyOne(document);
    if (!outcome) fail_(store::ToString(outcome.error()) + " for " + document);
  }
}

json::value LiveCluster::Create(std::string_view yaml) {
  const auto documents = DocumentsOf(yaml);
  if (!documents || documents->size() != 1) {
    fail_("this is not one object: " + std::string(yaml));
    return {};
  }
  const json::value tree = json::Parse(documents->front()).value_or(json::object());
  const auto outcome =
      Do(store::Create{.resource = ResourceOfObject(tree),
                       .namespace_ = std::string(json::StringAt(tree, {"metadata", "namespace"})),
                       .object = documents->front()});
  if (!outcome) {
    fail_(store::ToString(outcome.error()) + " for " + documents->front());
    return {};
  }
  if (json::StringAt(tree, {"kind"}) == "CustomResourceDefinition") AwaitServed(tree);
  return json::Parse(outcome->object.text()).value_or(json::value());
}

void LiveCluster::AwaitServed(const json::value& definition) {
  const store::Resource defined{
      .group = json::TextAt(definition, "spec.group"),
      .version = json::TextAt(definition, "spec.versions[0].name"),
      .plural = json::TextAt(definition, "spec.names.plural"),
      .kind = json::TextAt(definition, "spec.names.kind"),
      .is_namespaced = json::TextAt(definition, "spec.scope") == "Namespaced"};
  Await(defined.kind + " is served", [&] {
    return Do(store::List{.resource = defined,
                          .selection = {},
                          .continue_token = {},
                          .resource_version = {}})
        .has_value();
  });
}

Answer LiveCluster::TryApply(std::string_view yaml) {
  const auto documents = DocumentsOf(yaml);
  if (!documents || documents->size() != 1) {
    fail_("this is not one object: " + std::string(yaml));
    return {};
  }
  return AnswerFrom(ApplyOne(documents->front()));
}

Answer LiveCluster::TryPatch(std::string_view object, std::string_view patch,
                             std::string_view subresource) {
  const Target target(object);
  return AnswerFrom(Do(store::Patch{.resource = target.resource,
                                    .namespace_ = target.namespace_,
                                    .name = target.name,
                                    .subresource = std::string(subresource),
                                    .type = store::PatchType::kMerge,
                                    .body = std::string(patch),
                                    .is_forced = false,
                                    .options = {}}));
}

void LiveCluster::Patch(std::string_view object, std::string_view patch,
                        std::string_view subresource) {
  const Answer answer = TryPatch(object, patch, subresource);
  if (!answer.refusal.empty()) fail_(answer.refusal + " for " + std::string(object));
}

void LiveCluster::Delete(std::string_view object) {
  const Target target(object);
  const auto outcome =
      Do(store::Delete{.resource = target.resource,
                       .namespace_ = target.namespace_,
                       .name = target.name,
                       .options = {.propagation = store::Propagation::kBackground}});
  if (!outcome) fail_(store::ToString(outcome.error()));
}

void LiveCluster::Complete(std::string_view job) {
  Patch(job, R"({"status": {"startTime": "2030-01-01T00:00:00Z",
      "completionTime": "2030-01-01T00:00:01Z", "succeeded": 1, "conditions": [
      {"type": "SuccessCriteriaMet", "status": "True"},
      {"type": "Complete", "status": "True"}]}})",
        "status");
}

std::optional<json::value> LiveCluster::Find(std::string_view object) {
  const Target target(object);
  const auto reply = Do(store::Get{.resource = target.resource,
                                   .namespace_ = target.namespace_,
                                   .name = target.name,
                                   .subresource = ""});
  if (!reply) return std::nullopt;
  auto tree = json::Parse(reply->object.text());
  return tree ? std::optional(*std::move(tree)) : std::nullopt;
}

std::optional<api::Workload> LiveCluster::FindWorkload(std::string_view namespaced_name) {
  const auto tree = Find("Workload " + std::string(namespaced_name));
  if (!tree) return std::nullopt;
  auto workload = schema::Decode<api::Workload>(json::Print(*tree));
  return workload ? std::optional(*std::move(workload)) : std::nullopt;
}

std::optional<api::Workload> LiveCluster::WorkloadOf(std::string_view job) {
  std::vector<api::Workload> workloads = WorkloadsOf(job);
  return workloads.empty() ? std::nullopt : std::optional(std::move(workloads.front()));
}

std::vector<api::Workload> LiveCluster::WorkloadsOf(std::string_view job) {
  std::vector<api::Workload> workloads;
  const auto owner = Find(job);
  if (!owner) return workloads;
  const auto list =
      Do(store::List{.resource = store::ResourceOf<api::Workload>(), .selection = {}});
  if (!list) return workloads;
  for (const store::Object& object : list->items) {
    auto workload = object.Decode<api::Workload>();
    if (workload && std::ranges::any_of(workload->metadata.owner_references, [&](const auto& one) {
          return one.uid == json::StringAt(*owner, {"metadata", "uid"});
        }))
      workloads.push_back(*std::move(workload));
  }
  return workloads;
}

std::vector<std::string> LiveCluster::EventsAbout(std::string_view name) {
  std::vector<std::string> events;
  const auto list =
      Do(store::List{.resource = store::ResourceOf<api::EventsV1Event>(), .selection = {}});
  if (!list) return events;
  for (const store::Object& object : list->items) {
    const auto event = object.Decode<api::EventsV1Event>();
    if (event && event->regarding.name == name)
      events.push_back(event->type + " " + event->reason + ": " + event->note);
  }
  return events;
}

int LiveCluster::EventCount(std::string_view name, std::string_view reason) {
  const auto list =
      Do(store::List{.resource = store::ResourceOf<api::EventsV1Event>(), .selection = {}});
  if (!list) return 0;
  for (const store::Object& object : list->items) {
    const auto event = object.Decode<api::EventsV1Event>();
    if (event && event->regarding.name == name && event->reason == reason)
      return event->series ? event->series->count : 1;
  }
  return 0;
}

std::vector<std::string> LiveCluster::log() const {
  const std::lock_guard lock(log_->mutex);
  return log_->lines;
}

// --- Jobs ---------------------------------------------------------------------------------------

bool LiveCluster::IsSuspended(std::string_view job) {
  const auto tree = Find(job);
  const json::value* flag = tree ? json::Find(*tree, {"spec", "suspend"}) : nullptr;
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

bool LiveCluster::IsRunning(std::string_view job) {
  const auto workload = WorkloadOf(job);
  return workload && workload::HoldsQuota(*workload) && !workload::IsEvicted(*workload) &&
         !IsSuspended(job);
}

std::string LiveCluster::PendingReason(std::string_view job) {
  const auto workload = WorkloadOf(job);
  const api::Condition* quota =
      workload ? api::FindCondition(workload->status.conditions, api::condition::kQuotaReserved)
               : nullptr;
  return quota == nullptr || quota->status == api::kConditionTrue ? "" : quota->reason;
}

void LiveCluster::Await(const std::string& description, const std::function<bool()>& holds) {
  if (!store::testing::Eventually(holds, kTimeout)) fail_("timed out waiting for: " + description);
}

void LiveCluster::AwaitRunning(std::string_view job) {
  Await(std::string(job) + " runs", [&] { return IsRunning(job); });
}

void LiveCluster::AwaitPending(std::string_view job, std::string_view reason) {
  Await(std::string(job) + " waits because of " + std::string(reason),
        [&] { return PendingReason(job) == reason; });
}

void LiveCluster::AwaitIdle() {
  std::string last;
  auto since = steady_clock::now();
  Await("nothing is under way", [&] {
    const auto list = Do(
        store::List{.resource = store::ResourceOf<api::Namespace>(), .selection = {}, .limit = 1});
    const std::string version = list ? list->resource_version : "";
    if (version != last || !cluster_->IsQuiet()) since = steady_clock::now();
    last = version;
    return steady_clock::now() - since > kQuietTime;
  });
}

// --- Objects ------------------------------------------------------------------------------------

std::string Definition(std::string_view api_version, std::string_view kind, std::string_view plural,
                       bool is_namespaced) {
  const std::string group(api_version.substr(0, api_version.find('/')));
  const std::string version(api_version.substr(group.size() + 1));
  const std::string name(plural);
  return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " +
         name + "." + group + "}\nspec:\n  group: " + group +
         "\n  scope: " + (is_namespaced ? "Namespaced" : "Cluster") +
         "\n  names: {kind: " + std::string(kind) + ", plural: " + name +
         "}\n  versions:\n  - name: " + version + R"(
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
)";
}

std::string Team(std::string_view name, int cpu, std::string_view spec) {
  const std::string n(name);
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + n +
         "}\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: "
         "standard}\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: "
         "{name: " +
         n +
         "}\nspec:\n  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n"
         "    flavors:\n    - name: standard\n      resources: [{name: cpu, nominalQuota: " +
         std::to_string(cpu) + "}]\n" + std::string(spec) +
         "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: main, "
         "namespace: " +
         n + "}\nspec: {clusterQueue: " + n + "}\n";
}

// Kubernetes requires limits for resources that cannot be overcommitted: extended resources and
// huge pages.
static std::string LimitsFor(std::string_view requests) {
  std::string limits;
  while (!requests.empty()) {
    const size_t comma = requests.find(',');
    const std::string_view request = requests.substr(0, comma);
    requests.remove_prefix(comma == requests.npos ? requests.size() : comma + 1);
    if (request.contains('/') || request.contains("hugepages-"))
      limits += (limits.empty() ? "" : ",") + std::string(request);
  }
  return limits;
}

std::string Job(const JobText& job) {
  const auto text = [](std::string_view part) { return std::string(part); };
  std::string labels = job.queue.empty() ? "" : "kueue.x-k8s.io/queue-name: " + text(job.queue);
  if (!job.labels.empty()) labels += (labels.empty() ? "" : ", ") + text(job.labels);
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: " + text(job.name) +
         "\n  namespace: " + text(job.space) + "\n  labels: {" + labels + "}\n  annotations: {" +
         text(job.annotations) + "}\n" + text(job.metadata) + "spec:\n" + text(job.spec) +
         "  template:\n    metadata: {annotations: {" + text(job.pod_annotations) +
         "}}\n    spec: {" + text(job.pod) +
         " restartPolicy: Never, containers: [{name: main, image: example.com/main, resources: "
         "{requests: {" +
         text(job.requests) + "}, limits: {" + LimitsFor(job.requests) + "}}}]}\n";
}

}  // namespace berth::embedded::testing

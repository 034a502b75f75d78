#include "jobs/defaulting.h"

#include <algorithm>

#include "api/pod.h"
#include "api/well_known.h"
#include "jobs/job_state.h"
#include "jobs/pod_group.h"
#include "jobs/start_stop.h"
#include "jobs/workload_for.h"
#include "quantity/quantity.h"
#include "schema/decode.h"

namespace berth::jobs {
namespace {

void SetText(json::value& root, std::string_view map, std::string_view key, std::string_view text) {
  if (json::value* at = MakeAt(root, std::string(map) + "[" + std::string(key) + "]"))
    *at = json::string(store::BoostView(text));
}

void SetLabel(json::value& root, std::string_view key, std::string_view text) {
  SetText(root, "metadata.labels", key, text);
}

void SetAnnotation(json::value& root, std::string_view key, std::string_view text) {
  SetText(root, "metadata.annotations", key, text);
}

void AddGate(json::value& pods, std::string_view name) {
  json::value* at = MakeAt(pods, "spec.schedulingGates");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  json::array& gates = at->get_array();
  const bool is_there = std::ranges::any_of(
      gates, [&](const json::value& gate) { return TextAt(gate, "name") == name; });
  if (!is_there) gates.push_back(json::object{{"name", json::string(store::BoostView(name))}});
}

bool HasManagedKindOwner(const api::ObjectMeta& metadata, const ManagedJobsPolicy& policy) {
  const api::OwnerReference* owner = ControllerOf(metadata);
  return owner != nullptr && policy.IsListedOrExternal(owner->api_version, owner->kind);
}

ObjectView ViewOf(const Integration& integration, const api::ObjectMeta& metadata) {
  return {.api_version = integration.api_version, .kind = integration.kind, .metadata = &metadata};
}

bool IsWaitedThrough(const api::ObjectMeta& metadata) {
  return metadata.annotations.Contains(api::kPodSuspendingParentAnnotation);
}

bool GetsDefaults(const Integration& integration, const api::ObjectMeta& metadata,
                  const DefaultingContext& context) {
  if (!context.policy->IsListed(integration.api_version, integration.kind)) return false;
  if (integration.waits == kWaitsAsPods && IsWaitedThrough(metadata)) return false;
  if (HasManagedKindOwner(metadata, *context.policy)) return false;
  return context.policy->Selects(ViewOf(integration, metadata), *context.namespace_labels);
}

void AddDefaultQueue(const Integration& integration, const DefaultingContext& context,
                     api::ObjectMeta& metadata, json::value& job) {
  if (!context.has_default_queue || !QueueNameOf(metadata).empty()) return;
  if (!GetsDefaults(integration, metadata, context)) return;
  metadata.labels.Set(api::kQueueNameLabel, std::string(api::kDefaultLocalQueueName));
  SetLabel(job, api::kQueueNameLabel, api::kDefaultLocalQueueName);
}

void AddDefaultPriority(const Integration& integration, const DefaultingContext& context,
                        api::ObjectMeta& metadata, json::value& job) {
  if (!context.has_default_priority_class || !WorkloadPriorityClassOf(metadata).empty() ||
      !context.gates.IsOn(api::Gate::kWorkloadPriorityClassDefaulting) ||
      !context.policy->IsListed(integration.api_version, integration.kind) ||
      HasManagedKindOwner(metadata, *context.policy))
    return;
  metadata.labels.Set(api::kPriorityClassLabel, std::string(api::kDefaultPriorityClassName));
  SetLabel(job, api::kPriorityClassLabel, api::kDefaultPriorityClassName);
}

// --- Held back, kind by kind -------------------------------------------------------------------

// What the pods of a template must carry to be known as its owner's.
void MarkTemplate(const Integration& integration, const api::ObjectMeta& metadata,
                  json::value& pods) {
  SetAnnotation(pods, api::kPodSuspendingParentAnnotation, integration.framework);
  if (integration.waits == kWaitsAsGroup) return;  // its pods are marked when they are made
  const std::string_view queue = QueueNameOf(metadata);
  if (!queue.empty()) SetLabel(pods, api::kQueueNameLabel, queue);
  const std::string_view priority = WorkloadPriorityClassOf(metadata);
  if (!priority.empty()) SetLabel(pods, api::kPriorityClassLabel, priority);
  if (integration.waits == kWaitsThroughPods) SetLabel(pods, api::kManagedLabel, "true");
  if (integration.waits == kWaitsAsGroups)
    SetAnnotation(pods, api::kPodGroupServingAnnotation, "true");
}

// Workers beside a leader are numbered from 1, unless they are placed as one group with it.
void OffsetIndices(json::value& pods) {
  const std::string group =
      "metadata.annotations[" + std::string(api::kPodSetGroupNameAnnotation) + "]";
  if (FindAt(pods, group) == nullptr) SetAnnotation(pods, api::kPodIndexOffsetAnnotation, "1");
}

void MarkTemplates(const Integration& integration, const api::ObjectMeta& metadata,
                   const DefaultingContext& context, json::value& job) {
  for (const PodSetRule& rule : integration.pod_sets) {
    json::value* pods = FindAt(job, rule.template_);
    if (pods == nullptr) continue;
    MarkTemplate(integration, metadata, *pods);
  }
  json::value* workers = FindAt(job, "spec.leaderWorkerTemplate.workerTemplate");
  if (context.gates.IsOn(api::Gate::kTopologyAwareScheduling) && workers != nullptr &&
      FindAt(job, "spec.leaderWorkerTemplate.leaderTemplate") != nullptr)
    OffsetIndices(*workers);
}

void AddFinalizer(json::value& pod) {
  json::value* at = MakeAt(pod, "metadata.finalizers");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  const json::string name(store::BoostView(api::kManagedLabel));
  json::array& finalizers = at->get_array();
  if (std::ranges::find(finalizers, json::value(name)) == finalizers.end())
    finalizers.push_back(name);
}

void GatePod(const api::ObjectMeta& metadata, const DefaultingContext& context, json::value& pod) {
  if (!IsWaitedThrough(metadata)) {
    SetLabel(pod, api::kManagedLabel, "true");
    AddFinalizer(pod);
  }
  AddGate(pod, api::kAdmissionSchedulingGate);
  if (context.gates.IsOn(api::Gate::kTopologyAwareScheduling)) {
    const std::string* index = metadata.annotations.Find(api::kPodGroupPodIndexLabelAnnotation);
    const std::string* number = index == nullptr ? nullptr : metadata.labels.Find(*index);
    if (number != nullptr) SetLabel(pod, api::kPodGroupPodIndexLabel, *number);
    AddGate(pod, api::kTopologySchedulingGate);
  }
  const auto read = schema::Decode<api::Pod>(store::PrintJson(pod));
  if (read) SetAnnotation(pod, api::kRoleHashAnnotation, RoleHashOf(*read));
}

// A place for what an admission will change; patches of a TrainJob have owners.
void AddRuntimePatch(json::value& job) {
  json::value* at = MakeAt(job, "spec.runtimePatches");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  for (const json::value& patch : at->get_array()) {
    if (TextAt(patch, "manager") == "kueue.x-k8s.io/manager") return;
  }
  at->get_array().push_back({{"manager", "kueue.x-k8s.io/manager"},
                             {"trainingRuntimeSpec", {{"template", {{"spec", json::object()}}}}}});
}

void HoldBack(const Integration& integration, const api::ObjectMeta& metadata,
              const DefaultingContext& context, json::value& job) {
  if (IsSkipped(integration, job)) return;
  if (integration.waits == kWaitsAsPods) return GatePod(metadata, context, job);
  if (integration.waits != kWaitsSuspended)
    return MarkTemplates(integration, metadata, context, job);
  Suspend(integration, job);
}

// Pods of an elastic job wait each for itself, so that the job can grow before its quota does. A
// RayJob has none of its own: they are those of its cluster.
void GateElastic(const Integration& integration, const api::ObjectMeta& metadata,
                 const DefaultingContext& context, json::value& job) {
  const std::string* elastic = metadata.annotations.Find(api::kElasticJobAnnotation);
  if (!integration.allows_elastic || elastic == nullptr || *elastic != "true" ||
      !context.gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices) ||
      integration.framework == "ray.io/rayjob")
    return;
  const auto pod_sets = PodSetsOf(integration, job, PodSetOptions::From(context.gates));
  if (!pod_sets) return;
  for (const JobPodSet& set : *pod_sets)
    if (json::value* pods = FindAt(job, set.template_path))
      AddGate(*pods, api::kElasticJobSchedulingGate);
}

void SpellFractionsOf(json::value& amounts) {
  if (!amounts.is_object()) return;
  for (auto& [name, amount] : amounts.get_object()) {
    if (!amount.is_double()) continue;
    if (const auto read = quantity::Quantity::Parse(store::PrintJson(amount)))
      amount = json::string(store::BoostView(read->ToString()));
  }
}

// Definitions of kinds take whole numbers and text for quantities, and people write `cpu: 0.5`.
// Validation comes after this, so that they may.
void SpellFractions(json::value& tree) {
  if (tree.is_array())
    for (json::value& item : tree.get_array()) SpellFractions(item);
  if (!tree.is_object()) return;
  for (auto& [key, member] : tree.get_object()) {
    const bool is_resources = key == "resources" || key == "resourcesPerNode";
    for (const char* list : {"requests", "limits"})
      if (json::value* amounts = is_resources ? FindAt(member, list) : nullptr)
        SpellFractionsOf(*amounts);
    SpellFractions(member);
  }
}

// What single kinds need whether they are managed or not.
void PrepareKind(const Integration& integration, const api::ObjectMeta& metadata,
                 const DefaultingContext& context, json::value& job) {
  const bool has_topology = context.gates.IsOn(api::Gate::kTopologyAwareScheduling);
  if (integration.injects == kInjectsRuntimePatches) AddRuntimePatch(job);
  GateElastic(integration, metadata, context, job);
  json::value* launcher = FindAt(job, "spec.mpiReplicaSpecs.Launcher.template");
  json::value* worker = FindAt(job, "spec.mpiReplicaSpecs.Worker.template");
  if (has_topology && launcher != nullptr && worker != nullptr &&
      IsSetAt(job, "spec.runLauncherAsWorker"))
    OffsetIndices(*worker);
}

void SetManager(const Integration& integration, const api::ObjectMeta& metadata,
                const DefaultingContext& context, json::value& job) {
  const auto& rule = integration.managed_by;
  if (!rule || !context.is_multi_kueue || !context.gates.IsOn(api::Gate::kMultiKueue)) return;
  const std::string there = TextAt(job, rule->path);
  if (!there.empty() && there != rule->controller) return;
  const std::string_view queue = QueueNameOf(metadata);
  if (queue.empty() || !context.is_multi_kueue(queue)) return;
  if (json::value* at = MakeAt(job, rule->path))
    *at = json::string(store::BoostView(api::kMultiKueueControllerName));
}

}  // namespace

base::Result<DefaultedJob> ApplyJobDefaults(const Integration& integration, const json::value& job,
                                            const DefaultingContext& context) {
  auto metadata = MetadataOf(job);
  if (!metadata) return std::unexpected(metadata.error());
  DefaultedJob result{.job = job, .managed = {}};
  AddDefaultQueue(integration, context, *metadata, result.job);
  AddDefaultPriority(integration, context, *metadata, result.job);
  result.managed = IsManaged(ViewOf(integration, *metadata), *context.namespace_labels,
                             context.owners, *context.policy);
  if (result.managed.is_managed() && !metadata->deletion_timestamp)
    HoldBack(integration, *metadata, context, result.job);
  PrepareKind(integration, *metadata, context, result.job);
  SetManager(integration, *metadata, context, result.job);
  SpellFractions(result.job);
  return result;
}

}  // namespace berth::jobs

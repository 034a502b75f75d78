#include "jobs/defaulting.h"

#include <algorithm>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "jobs/job_state.h"
#include "jobs/pods/pod_group.h"
#include "jobs/start_stop.h"
#include "jobs/workload_for.h"
#include "objects/owner_chain.h"
#include "quantity/quantity.h"
#include "schema/decode.h"

namespace berth::jobs {
namespace {

void SetText(json::value& root, std::string_view map, std::string_view key, std::string_view text) {
  if (json::value* at = json::MakeAt(root, std::string(map) + "[" + std::string(key) + "]"))
    *at = json::string(json::BoostView(text));
}

void SetLabel(json::value& root, std::string_view key, std::string_view text) {
  SetText(root, "metadata.labels", key, text);
}

void SetAnnotation(json::value& root, std::string_view key, std::string_view text) {
  SetText(root, "metadata.annotations", key, text);
}

std::string AnnotationPath(std::string_view key) {
  return "metadata.annotations[" + std::string(key) + "]";
}

void RemoveAnnotation(json::value& root, std::string_view key) {
  json::value* annotations = json::FindAt(root, "metadata.annotations");
  if (annotations != nullptr && annotations->is_object())
    annotations->get_object().erase(json::BoostView(key));
}

bool HasAnnotation(const json::value& pods, std::string_view key) {
  return json::FindAt(pods, AnnotationPath(key)) != nullptr;
}

void AddGate(json::value& pods, std::string_view name) {
  json::value* at = json::MakeAt(pods, "spec.schedulingGates");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  json::array& gates = at->get_array();
  const bool is_there = std::ranges::any_of(
      gates, [&](const json::value& gate) { return json::TextAt(gate, "name") == name; });
  if (!is_there) gates.push_back(json::object{{"name", json::string(json::BoostView(name))}});
}

bool HasManagedKindOwner(const api::ObjectMeta& metadata, const ManagedJobsPolicy& policy) {
  const api::OwnerReference* owner = objects::ControllerOf(metadata);
  return owner != nullptr && policy.IsListedOrExternal(owner->api_version, owner->kind);
}

ObjectView ViewOf(const Integration& integration, const api::ObjectMeta& metadata) {
  return {.api_version = integration.api_version, .kind = integration.kind, .metadata = &metadata};
}

bool HasServingOwner(const api::ObjectMeta& metadata) {
  return metadata.annotations.Contains(api::kPodSuspendingParentAnnotation);
}

bool GetsDefaults(const Integration& integration, const api::ObjectMeta& metadata,
                  const DefaultingContext& context) {
  if (!context.policy->IsListed(integration.api_version, integration.kind)) return false;
  if (integration.suspension == kSuspendedByGate && HasServingOwner(metadata)) return false;
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

// --- Suspension by kind -------------------------------------------------------------------------

// Marks a pod template so that its pods are attributed to their owner.
void MarkTemplate(const Integration& integration, const api::ObjectMeta& metadata,
                  json::value& pods) {
  SetAnnotation(pods, api::kPodSuspendingParentAnnotation, integration.framework);
  if (integration.suspension == kSuspendedAsGroup) return;  // pods are marked on creation
  const std::string_view queue = QueueNameOf(metadata);
  if (!queue.empty()) SetLabel(pods, api::kQueueNameLabel, queue);
  const std::string_view priority = WorkloadPriorityClassOf(metadata);
  if (!priority.empty()) SetLabel(pods, api::kPriorityClassLabel, priority);
  if (integration.suspension == kSuspendedByPodGates) SetLabel(pods, api::kManagedLabel, "true");
  if (integration.suspension == kSuspendedAsGroups)
    SetAnnotation(pods, api::kPodGroupServingAnnotation, "true");
}

// Workers beside a leader have indexes from 1, unless both are in one pod set group.
void OffsetIndices(json::value& pods) {
  if (!HasAnnotation(pods, api::kPodSetGroupNameAnnotation))
    SetAnnotation(pods, api::kPodIndexOffsetAnnotation, "1");
}

// Lists the constraints of a pod template that are copies.
constexpr std::string_view kCopiedConstraints = "berth.dev/copied-constraints";

// "kueue.x-k8s.io/cannot-borrow=true", as in the list of copies.
std::string CopyText(std::string_view key, std::string_view value) {
  return std::string(key) + "=" + std::string(value);
}

// Each pod of a Deployment has a Workload of its own. Copies follow the Deployment; what its author
// wrote into the template stays. The template lists the copies.
void CopyConstraints(const api::ObjectMeta& metadata, json::value& pods) {
  const std::string earlier = "," + json::TextAt(pods, AnnotationPath(kCopiedConstraints)) + ",";
  std::string copies;
  for (const std::string_view key : {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation}) {
    const bool is_there = HasAnnotation(pods, key);
    const std::string copy = CopyText(key, json::TextAt(pods, AnnotationPath(key)));
    if (is_there && !earlier.contains("," + copy + ",")) continue;
    const std::string* value = metadata.annotations.Find(key);
    if (value == nullptr) {
      RemoveAnnotation(pods, key);
      continue;
    }
    SetAnnotation(pods, key, *value);
    copies += (copies.empty() ? "" : ",") + CopyText(key, *value);
  }
  if (copies.empty())
    RemoveAnnotation(pods, kCopiedConstraints);
  else
    SetAnnotation(pods, kCopiedConstraints, copies);
}

void MarkTemplates(const Integration& integration, const api::ObjectMeta& metadata,
                   const DefaultingContext& context, json::value& job) {
  for (const PodSetRule& rule : integration.pod_sets) {
    json::value* pods = json::FindAt(job, rule.template_);
    if (pods == nullptr) continue;
    MarkTemplate(integration, metadata, *pods);
    if (integration.suspension == kSuspendedByPodGates &&
        context.gates.IsOn(api::Gate::kWorkloadAdmissionConstraints))
      CopyConstraints(metadata, *pods);
  }
  json::value* workers = json::FindAt(job, "spec.leaderWorkerTemplate.workerTemplate");
  if (context.gates.IsOn(api::Gate::kTopologyAwareScheduling) && workers != nullptr &&
      json::FindAt(job, "spec.leaderWorkerTemplate.leaderTemplate") != nullptr)
    OffsetIndices(*workers);
}

void AddFinalizer(json::value& pod) {
  json::value* at = json::MakeAt(pod, "metadata.finalizers");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  const json::string name(json::BoostView(api::kManagedLabel));
  json::array& finalizers = at->get_array();
  if (std::ranges::find(finalizers, json::value(name)) == finalizers.end())
    finalizers.push_back(name);
}

void GatePod(const api::ObjectMeta& metadata, const DefaultingContext& context, json::value& pod) {
  if (!HasServingOwner(metadata)) {
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
  const auto read = schema::Decode<api::Pod>(json::Print(pod));
  if (read) SetAnnotation(pod, api::kRoleHashAnnotation, RoleHashOf(*read));
}

// Reserves the runtime patch for the admission: patches of a TrainJob are keyed by manager.
void AddRuntimePatch(json::value& job) {
  json::value* at = json::MakeAt(job, "spec.runtimePatches");
  if (at == nullptr) return;
  if (!at->is_array()) at->emplace_array();
  for (const json::value& patch : at->get_array()) {
    if (json::TextAt(patch, "manager") == "kueue.x-k8s.io/manager") return;
  }
  at->get_array().push_back({{"manager", "kueue.x-k8s.io/manager"},
                             {"trainingRuntimeSpec", {{"template", {{"spec", json::object()}}}}}});
}

void SuspendManaged(const Integration& integration, const api::ObjectMeta& metadata,
                    const DefaultingContext& context, json::value& job) {
  if (IsSkipped(integration, job)) return;
  if (integration.suspension == kSuspendedByGate) return GatePod(metadata, context, job);
  if (integration.suspension != kSuspendedByFlag)
    return MarkTemplates(integration, metadata, context, job);
  Suspend(integration, job);
}

// Pods of an elastic job are gated one by one, so that the job can scale up before its quota does.
// The pods of a RayJob are those of its cluster.
void GateElasticPods(const Integration& integration, const api::ObjectMeta& metadata,
                     const DefaultingContext& context, json::value& job) {
  const std::string* elastic = metadata.annotations.Find(api::kElasticJobAnnotation);
  if (!integration.allows_elastic || elastic == nullptr || *elastic != "true" ||
      !context.gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices) ||
      integration.framework == "ray.io/rayjob")
    return;
  const auto pod_sets = PodSetsOf(integration, job, PodSetOptions::From(context.gates));
  if (!pod_sets) return;
  for (const JobPodSet& set : *pod_sets)
    if (json::value* pods = json::FindAt(job, set.template_path))
      AddGate(*pods, api::kElasticJobSchedulingGate);
}

void ConvertFractionsOf(json::value& amounts) {
  if (!amounts.is_object()) return;
  for (auto& [name, amount] : amounts.get_object()) {
    if (!amount.is_double()) continue;
    if (const auto read = quantity::Quantity::Parse(json::Print(amount)))
      amount = json::string(json::BoostView(read->ToString()));
  }
}

// CRDs accept integers and strings as quantities, but users write `cpu: 0.5`. Defaulting runs
// before validation and converts such numbers to strings.
void ConvertFractions(json::value& tree) {
  if (tree.is_array())
    for (json::value& item : tree.get_array()) ConvertFractions(item);
  if (!tree.is_object()) return;
  for (auto& [key, member] : tree.get_object()) {
    const bool is_resources = key == "resources" || key == "resourcesPerNode";
    for (const char* list : {"requests", "limits"})
      if (json::value* amounts = is_resources ? json::FindAt(member, list) : nullptr)
        ConvertFractionsOf(*amounts);
    ConvertFractions(member);
  }
}

// A slice without a size is a job of the JobSet.
void AddSliceSizes(json::value& job_set) {
  json::value* jobs = json::FindAt(job_set, "spec.replicatedJobs");
  if (jobs == nullptr || !jobs->is_array()) return;
  for (json::value& job : jobs->get_array()) {
    json::value* pods = json::FindAt(job, "template.spec.template");
    if (pods == nullptr || !HasAnnotation(*pods, api::kSliceRequiredTopologyAnnotation) ||
        HasAnnotation(*pods, api::kSliceSizeAnnotation))
      continue;
    const int32_t parallelism = json::IntAt(job, "template.spec.parallelism").value_or(1);
    SetAnnotation(*pods, api::kSliceSizeAnnotation, std::to_string(parallelism));
  }
}

// Kind-specific defaults, for managed and unmanaged jobs.
void ApplyKindDefaults(const Integration& integration, const api::ObjectMeta& metadata,
                       const DefaultingContext& context, json::value& job) {
  const bool has_topology = context.gates.IsOn(api::Gate::kTopologyAwareScheduling);
  if (integration.injects == kInjectsRuntimePatches) AddRuntimePatch(job);
  GateElasticPods(integration, metadata, context, job);
  if (has_topology && integration.framework == "jobset.x-k8s.io/jobset") AddSliceSizes(job);
  json::value* launcher = json::FindAt(job, "spec.mpiReplicaSpecs.Launcher.template");
  json::value* worker = json::FindAt(job, "spec.mpiReplicaSpecs.Worker.template");
  if (has_topology && launcher != nullptr && worker != nullptr &&
      json::IsSetAt(job, "spec.runLauncherAsWorker"))
    OffsetIndices(*worker);
}

void SetManager(const Integration& integration, const api::ObjectMeta& metadata,
                const DefaultingContext& context, json::value& job) {
  const auto& rule = integration.managed_by;
  if (!rule || !context.is_multi_kueue || !context.gates.IsOn(api::Gate::kMultiKueue)) return;
  const std::string there = json::TextAt(job, rule->path);
  if (!there.empty() && there != rule->controller) return;
  const std::string_view queue = QueueNameOf(metadata);
  if (queue.empty() || !context.is_multi_kueue(queue)) return;
  if (json::value* at = json::MakeAt(job, rule->path))
    *at = json::string(json::BoostView(api::kMultiKueueControllerName));
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
  const bool is_let_go = metadata->deletion_timestamp &&
                         context.gates.IsOn(api::Gate::kSkipAncestorCheckForDeletedWorkloads);
  if (result.managed.is_managed() && !is_let_go)
    SuspendManaged(integration, *metadata, context, result.job);
  ApplyKindDefaults(integration, *metadata, context, result.job);
  SetManager(integration, *metadata, context, result.job);
  ConvertFractions(result.job);
  return result;
}

}  // namespace berth::jobs

#include "control/placement/node_failure_controller.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "control/write/pod_failure.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

// Kueue's condition and Event of a pod that cannot start on its node.
constexpr std::string_view kTerminatedByKueue = "TerminatedByKueue";
constexpr std::string_view kUnschedulable = "UnschedulableOnAssignedNode";
constexpr std::string_view kPodTerminated = "PodTerminatedByKueue";
constexpr std::string_view kPodTerminatedAction = "PodTerminated";

ObjectKey PodKeyOf(const store::ObjectName& pod) {
  return ObjectKey::Of(store::ResourceOf<api::Pod>(), pod.namespace_, pod.name);
}

store::ObjectName PodNameOf(const ObjectKey& key) {
  return {.namespace_ = key.namespace_, .name = key.name};
}

template <class Map, class Key>
void EraseFrom(Map& index, const Key& key, const std::string& name) {
  const auto entry = index.find(key);
  if (entry == index.end()) return;
  entry->second.erase(name);
  if (entry->second.empty()) index.erase(entry);
}

}  // namespace

NodeFailureController::NodeFailureController(store::Store& store, store::Executor& executor,
                                             const ControllerContext& context, PlacedPods& pods,
                                             const NodeFailurePolicy& policy, Hooks hooks)
    : executor_(executor),
      context_(context),
      pods_(pods),
      policy_(policy),
      hooks_(std::move(hooks)),
      requeues_(executor, [this](const std::string& name) { Enqueue(name); }),
      writer_(store, executor, context_.events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.log("Pod " + PodNameOf(key).ToString() +
                           " not set to Failed: " + store::ToString(failure));
              }) {}

NodeFailureController::~NodeFailureController() = default;

ObjectWriter::Cache NodeFailureController::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const PlacedPod* pod = pods_.Find(PodNameOf(key));
            if (pod == nullptr) return std::nullopt;
            return pod->version;
          },
          .upsert = [this](const ObjectKey&, const store::Object& pod) { pods_.OnWritten(pod); }};
}

// --- The queue -----------------------------------------------------------------------------------

void NodeFailureController::AddHandlers(workload::ObjectHandlers& handlers) {
  handlers.Add<api::Node>(
      {.on_upsert = [this](const api::Node& node,
                           const api::Node*) { EnqueueOn(nodes_.Upsert(node)); },
       .on_delete = [this](std::string_view,
                           std::string_view name) { EnqueueOn(nodes_.Erase(name)); }});
}

void NodeFailureController::Enqueue(const std::string& workload) {
  queued_.insert(workload);
  hooks_.on_enqueued();
}

void NodeFailureController::OnPodsOf(const std::set<store::ObjectName>& owners) {
  for (const store::ObjectName& owner : owners)
    if (const auto known = workloads_of_.find(owner); known != workloads_of_.end())
      for (const std::string& workload : known->second) Enqueue(workload);
}

void NodeFailureController::EnqueueOn(const std::set<std::string>& hosts) {
  for (const std::string& host : hosts)
    if (const auto known = workloads_on_.find(host); known != workloads_on_.end())
      for (const std::string& workload : known->second) Enqueue(workload);
}

void NodeFailureController::OnWorkload(const api::Workload& workload) {
  const std::string name = workload::NamespacedName(workload.metadata);
  const auto known = placed_.find(name);
  if (known != placed_.end()) known->second.reports.OnListed(workload.status.unhealthy_nodes);
  if (known != placed_.end() || workload.status.admission) Enqueue(name);
}

void NodeFailureController::OnWorkloadDeleted(const api::Workload& workload) {
  const std::string name = workload::NamespacedName(workload.metadata);
  queued_.erase(name);
  requeues_.Erase(name);
  Erase(name);
}

void NodeFailureController::OnPodChange(const store::ObjectName& pod,
                                        const std::set<store::ObjectName>& workloads) {
  if (workloads.empty()) return;
  writer_.OnWatchEvent(PodKeyOf(pod));
  OnPodsOf(workloads);
}

// --- The index -----------------------------------------------------------------------------------

NodeFailureController::Placed* NodeFailureController::UpdatePlaced(const std::string& name,
                                                                   const api::Workload* workload) {
  const auto known = placed_.find(name);
  const bool is_known = known != placed_.end();
  if (is_known && workload != nullptr && !workload->metadata.resource_version.empty() &&
      known->second.version == workload->metadata.resource_version)
    return &known->second;
  AssignedNodes nodes = workload == nullptr ? AssignedNodes() : NodesOf(*workload);
  if (nodes.empty()) return Erase(name), nullptr;
  if (!is_known || known->second.nodes != nodes) {
    Placed placed{.owner = PodOwnerName(*workload), .nodes = std::move(nodes)};
    if (is_known)
      placed.reports = std::move(known->second.reports);
    else
      placed.reports.OnListed(workload->status.unhealthy_nodes);
    Erase(name);
    Insert(name, std::move(placed));
  }
  Placed& placed = placed_.at(name);
  placed.version = workload->metadata.resource_version;
  placed.tolerations.reset();
  return &placed;
}

void NodeFailureController::Insert(const std::string& name, Placed placed) {
  for (const auto& [host, pod_sets] : placed.nodes) workloads_on_[host].insert(name);
  workloads_of_[placed.owner].insert(name);
  placed_.insert_or_assign(name, std::move(placed));
}

void NodeFailureController::Erase(const std::string& name) {
  const auto known = placed_.find(name);
  if (known == placed_.end()) return;
  for (const auto& [host, pod_sets] : known->second.nodes) EraseFrom(workloads_on_, host, name);
  EraseFrom(workloads_of_, known->second.owner, name);
  placed_.erase(known);
}

// --- Plans ---------------------------------------------------------------------------------------

void NodeFailureController::Plan(base::Time now) {
  for (const std::string& name : std::exchange(queued_, {})) {
    const api::Workload* workload = context_.cluster.FindWorkload(name);
    Placed* placed = UpdatePlaced(name, workload);
    if (placed == nullptr || context_.workloads.IsBusy(name)) continue;
    if (NeedsPlan(*placed, *workload))
      PlanOne(name, *workload, *placed, now);
    else
      placed->reports.OnPlan({}, {}, {});
  }
}

bool NodeFailureController::NeedsPlan(Placed& placed, const api::Workload& workload) const {
  if (!workload.status.unhealthy_nodes.empty()) return true;
  const bool can_stay = std::ranges::all_of(placed.nodes, [&](const auto& node) {
    return CanStay(node.first, node.second, placed, workload);
  });
  return !can_stay || std::ranges::any_of(pods_.Of(placed.owner), [&](const auto& pod) {
    return IsLost(pod.second, placed.nodes);
  });
}

bool NodeFailureController::CanStay(const std::string& host,
                                    const std::vector<std::string>& pod_sets, Placed& placed,
                                    const api::Workload& workload) const {
  const NodeHealth* node = nodes_.Find(host);
  if (node == nullptr || node->readiness != NodeHealth::Readiness::kReady) return false;
  if (node->taints.empty() || !policy_.minds_taints) return true;
  if (!placed.tolerations) placed.tolerations = PodTolerations::Of(workload, FlavorLookup());
  return placed.tolerations->To(*node, pod_sets) == Tolerance::kForGood;
}

jobs::FindFlavor NodeFailureController::FlavorLookup() const {
  return [this](std::string_view flavor) { return context_.cluster.FindFlavor(flavor); };
}

void NodeFailureController::PlanOne(const std::string& name, const api::Workload& workload,
                                    Placed& placed, base::Time now) {
  const NodeFailurePlan plan =
      PlanNodeFailures(workload,
                       {.nodes = placed.nodes,
                        .pods = pods_.Of(placed.owner),
                        .reported = placed.reports.reported(),
                        .find_node = [this](std::string_view host) { return nodes_.Find(host); },
                        .find_flavor = FlavorLookup()},
                       policy_, now);
  placed.reports.OnPlan(plan.failed, workload.status.unhealthy_nodes,
                        plan.workload.workload.status.unhealthy_nodes);
  if (plan.workload.requeue_at) requeues_.SetFor(name, *plan.workload.requeue_at, now);
  for (const LostPod& lost : plan.lost_pods)
    FailPod({.namespace_ = workload.metadata.namespace_, .name = lost.name}, lost);
  if (plan.workload.write == lifecycle::WorkloadPlan::Write::kNothing) return;
  context_.workloads.Write(name, plan.workload);
}

// --- Pods ----------------------------------------------------------------------------------------

void NodeFailureController::FailPod(const store::ObjectName& pod, const LostPod& lost) {
  const PlacedPod* known = pods_.Find(pod);
  if (known == nullptr || writer_.IsBusy(PodKeyOf(pod))) return;
  const store::ObjectName owner = known->workload;
  ObjectWriter::Sequence sequence;
  sequence.writes.push_back({.build = [this, pod, uid = known->uid, message = lost.message] {
    return BuildFailure(pod, uid, message);
  }});
  sequence.writes.back().accepts_not_found = true;
  sequence.events = [pod, uid = known->uid, message = lost.message] {
    return std::vector<ObjectWriter::ObjectEvent>{
        {.regarding = PodReference(pod, uid),
         .controller = std::string(kNodeFailureReporter),
         .event = {.about = lifecycle::EventRecord::About::kJob,
                   .reason = std::string(kPodTerminated),
                   .message = message,
                   .action = std::string(kPodTerminatedAction)}}};
  };
  sequence.replan = [this, owner] { OnPodsOf({owner}); };
  writer_.Submit(PodKeyOf(pod), std::move(sequence));
}

ObjectWriter::Request NodeFailureController::BuildFailure(const store::ObjectName& pod,
                                                          const std::string& uid,
                                                          const std::string& message) const {
  const PlacedPod* known = pods_.Find(pod);
  if (known == nullptr || known->uid != uid) return ObjectWriter::NothingToWrite{};
  return FailPodCall(
      pod, known->version,
      {.condition = kTerminatedByKueue, .reason = kUnschedulable, .message = message},
      /*has_ended=*/false, executor_.Now());
}

}  // namespace berth::control

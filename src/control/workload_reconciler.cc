#include "control/workload_reconciler.h"

#include <optional>
#include <utility>

#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/core/priority_class.h"
#include "api/core/runtime_class.h"
#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/conditions.h"
#include "control/reconcile/job_plan.h"
#include "control/report/pending_message.h"
#include "control/report/queue_status.h"
#include "jobs/managed.h"
#include "lifecycle/messages.h"
#include "objects/owner_chain.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

// Whether an update left everything but the status as it was.
bool IsStatusUpdate(const api::ObjectMeta* before, const api::ObjectMeta& after) {
  return before != nullptr && before->generation != 0 && before->generation == after.generation &&
         before->uid == after.uid && before->deletion_timestamp == after.deletion_timestamp;
}

template <class T>
bool IsStatusUpdate(const T* before, const T& after) {
  return IsStatusUpdate(before == nullptr ? nullptr : &before->metadata, after.metadata);
}

bool IsMisconfigured(const api::Workload& workload) {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  return quota != nullptr && quota->reason == api::reason::kMisconfigured;
}

// The reason why the scheduler would not admit the workload, however much quota there is; "" if it
// would.
std::string MisconfigurationOf(const api::Workload& workload, const std::string& queue,
                               workload::ClusterState& cluster) {
  const engine::WorkloadId id = cluster.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || cluster.engine().IsReserved(id)) return "";
  const engine::Workload& known = cluster.engine().state().workload(id);
  if (known.has_namespace_mismatch)
    return lifecycle::messages::NamespaceMismatch(workload.metadata.namespace_, queue);
  if (known.lacks_claim) return ClaimMessage(workload, cluster);
  if (known.is_invalid && !workload::HasFailedCheck(workload))
    return lifecycle::messages::InvalidPods(cluster.PodProblems(workload));
  return "";
}

}  // namespace

WorkloadReconciler::WorkloadReconciler(store::Executor& executor, const Inputs& inputs, Hooks hooks)
    : inputs_(inputs),
      hooks_(std::move(hooks)),
      requeues_(executor, [this](const std::string& name) {
        queue_.insert(name);
        hooks_.on_enqueued();
      }) {}

WorkloadReconciler::~WorkloadReconciler() = default;

// --- The queue -----------------------------------------------------------------------------------

void WorkloadReconciler::AddHandlers(workload::ObjectHandlers& handlers) {
  EnqueueAllOn<api::LimitRange>(handlers);
  EnqueueAllOn<api::RuntimeClass>(handlers);
  EnqueueAllOn<api::DeviceClass>(handlers);
  EnqueueAllOn<api::ResourceClaim>(handlers);
  EnqueueAllOn<api::ResourceClaimTemplate>(handlers);
  EnqueueAllOn<api::ResourceFlavor>(handlers);
  EnqueueAllOn<api::Topology>(handlers);
  EnqueueAllOn<api::Cohort>(handlers);
  EnqueueAllOn<api::ClusterQueue>(handlers);
  EnqueueAllOn<api::PriorityClass>(handlers);
  EnqueueAllOn<api::WorkloadPriorityClass>(handlers);
  // Its status says whether the check is active.
  handlers.Add<api::AdmissionCheck>(
      {.on_upsert = [this](const auto&, const auto*) { EnqueueAll(); },
       .on_delete = [this](auto, auto) { EnqueueAll(); }});
  AddLocalQueueHandler(handlers);
  AddNamespaceHandler(handlers);
  AddPriorityClassHandler(handlers);
}

template <class T>
void WorkloadReconciler::EnqueueAllOn(workload::ObjectHandlers& handlers) {
  handlers.Add<T>({.on_upsert =
                       [this](const T& object, const T* before) {
                         if (!IsStatusUpdate(before, object)) EnqueueAll();
                       },
                   .on_delete = [this](auto, auto) { EnqueueAll(); }});
}

void WorkloadReconciler::AddLocalQueueHandler(workload::ObjectHandlers& handlers) {
  handlers.Add<api::LocalQueue>(
      {.on_upsert =
           [this](const api::LocalQueue& queue, const api::LocalQueue* before) {
             if (IsStatusUpdate(before, queue)) return;
             EnqueueIf([&](const api::Workload& w) {
               return w.spec.queue_name == queue.metadata.name &&
                      w.metadata.namespace_ == queue.metadata.namespace_;
             });
           },
       .on_delete = [this](auto, auto) { EnqueueAll(); }});
}

void WorkloadReconciler::AddNamespaceHandler(workload::ObjectHandlers& handlers) {
  handlers.Add<api::Namespace>(
      {.on_upsert =
           [this](const api::Namespace& space, const api::Namespace* before) {
             if (before != nullptr && before->metadata.labels == space.metadata.labels) return;
             EnqueueIf([&](const api::Workload& w) {
               return w.metadata.namespace_ == space.metadata.name;
             });
           },
       .on_delete = [this](auto, auto) { EnqueueAll(); }});
}

void WorkloadReconciler::AddPriorityClassHandler(workload::ObjectHandlers& handlers) {
  handlers.Add<api::WorkloadPriorityClass>(
      {.on_upsert =
           [this](const api::WorkloadPriorityClass& priority,
                  const api::WorkloadPriorityClass* before) {
             if (before == nullptr || before->value != priority.value)
               priority_sync_.OnClassChange(priority.metadata.name, inputs_.priorities,
                                            inputs_.cluster);
           },
       .on_delete = [](auto, auto) {}});
}

void WorkloadReconciler::EnqueueIf(const std::function<bool(const api::Workload&)>& is_affected) {
  inputs_.cluster.ForEachWorkload([&](const api::Workload& w) {
    if (!workload::IsFinished(w) && is_affected(w))
      queue_.insert(workload::NamespacedName(w.metadata));
  });
}

void WorkloadReconciler::EnqueueAll() {
  EnqueueIf([](const api::Workload&) { return true; });
}

void WorkloadReconciler::OnStateChanged(std::string_view name, const api::Workload* before,
                                        const api::Workload* after) {
  if (before != nullptr) owners_.OnDelete(name, *before);
  if (after == nullptr || workload::HasReservation(*after))
    inputs_.rejected_admissions.Remove(name);
  if (after != nullptr) {
    owners_.OnUpsert(name, *after);
    queue_.emplace(name);
    return;
  }
  requeues_.Erase(std::string(name));
  queue_.erase(std::string(name));
  priority_sync_.OnDelete(name);
  inputs_.uncounted_requests.OnDelete(name);
}

// A Workload may have been seen as deleted before its owner.
void WorkloadReconciler::OnOwnerDeleted(std::string_view uid) {
  const auto& owned = owners_.Of(uid);
  if (owned.empty()) return;
  queue_.insert(owned.begin(), owned.end());
  hooks_.on_enqueued();
}

// --- Plans ---------------------------------------------------------------------------------------

std::vector<ReconciledWorkload> WorkloadReconciler::Plan(base::Time now) {
  // Classes may have changed their values while no replica led.
  if (!std::exchange(has_planned_, true))
    priority_sync_.OnClassChange("", inputs_.priorities, inputs_.cluster);
  std::vector<ReconciledWorkload> reconciled;
  for (const std::string& name : std::exchange(queue_, {})) {
    const api::Workload* w = inputs_.cluster.FindWorkload(name);
    if (w == nullptr || inputs_.writer.IsBusy(name) || ReleaseOrphan(name, *w)) continue;
    reconciled.push_back(PlanOne(name, *w, now));
  }
  return reconciled;
}

ReconciledWorkload WorkloadReconciler::PlanOne(const std::string& name,
                                               const api::Workload& workload, base::Time now) {
  inputs_.uncounted_requests.Record(workload);
  const lifecycle::WorkloadPlan plan =
      lifecycle::PlanWorkload(workload, ContextOf(workload), inputs_.policy, now);
  const bool is_newly_eligible = IsMisconfigured(workload) && !IsMisconfigured(plan.workload);
  if (plan.requeue_at) requeues_.SetFor(name, *plan.requeue_at, now);
  if (plan.write != lifecycle::WorkloadPlan::Write::kNothing) inputs_.writer.Write(name, plan);
  return {.name = name, .is_newly_eligible = is_newly_eligible};
}

lifecycle::WorkloadContext WorkloadReconciler::ContextOf(const api::Workload& workload) {
  const workload::ClusterState& cluster = inputs_.cluster;
  lifecycle::WorkloadContext context;
  context.local_queue = cluster.FindLocalQueueOf(workload);
  std::string queue;
  if (workload.status.admission)
    queue = workload.status.admission->cluster_queue;
  else if (context.local_queue != nullptr)
    queue = context.local_queue->spec.cluster_queue.value_or("");
  context.cluster_queue = cluster.FindClusterQueue(queue);
  context.is_queue_active =
      context.cluster_queue != nullptr && InactiveReason(queue, cluster).empty();
  context.misconfiguration = MisconfigurationOf(workload, queue, inputs_.cluster);
  if (context.misconfiguration.empty())
    context.misconfiguration =
        inputs_.rejected_admissions.WhyRejected(workload::NamespacedName(workload.metadata));
  context.class_priority = priority_sync_.For(workload, inputs_.priorities);
  return context;
}

bool WorkloadReconciler::ReleaseOrphan(const std::string& name, const api::Workload& workload) {
  const api::OwnerReference* owner = objects::ControllerOf(workload.metadata);
  if (owner == nullptr || !workload.metadata.deletion_timestamp || !HasOurFinalizer(workload) ||
      !hooks_.is_owner_gone(*owner))
    return false;
  inputs_.writer.Write(name, {.write = lifecycle::WorkloadPlan::Write::kMetadata,
                              .workload = WithoutFinalizer(workload).workload});
  return true;
}

}  // namespace berth::control

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "control/keyed_timer.h"
#include "control/reconcile/priority_class_sync.h"
#include "control/reconcile/workload_owners.h"
#include "control/report/rejected_admissions.h"
#include "control/report/uncounted_requests.h"
#include "control/write/workload_writer.h"
#include "jobs/priority.h"
#include "lifecycle/workload_plan.h"
#include "store/executor.h"
#include "workload/state/cluster_state.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

struct ReconciledWorkload {
  std::string name;  // namespaced
  // It was misconfigured until this plan, so the scheduler has never considered it as it is now.
  bool is_newly_eligible = false;
};

// Plans what Workloads need besides quota: their conditions, deadlines, checks and finalizers.
class WorkloadReconciler {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    // Whether the owner of a Workload is known to be deleted.
    std::function<bool(const api::OwnerReference&)> is_owner_gone;
  };
  struct Inputs {
    workload::ClusterState& cluster;
    WorkloadWriter& writer;
    UncountedRequests& uncounted_requests;
    RejectedAdmissions& rejected_admissions;
    const lifecycle::LifecyclePolicy& policy;
    const jobs::PriorityTable& priorities;
  };

  // All references must outlive this.
  WorkloadReconciler(store::Executor& executor, const Inputs& inputs, Hooks hooks);
  ~WorkloadReconciler();

  // Enqueues Workloads when an object changes that they depend on.
  void AddHandlers(workload::ObjectHandlers& handlers);
  // A Workload changed from one state to another. Null: it does not exist.
  void OnStateChanged(std::string_view name, const api::Workload* before,
                      const api::Workload* after);
  void OnOwnerDeleted(std::string_view uid);

  // Plans all queued Workloads, except those that are being written: they are queued again by the
  // result. Requires that the cluster state is in sync and that this process leads.
  std::vector<ReconciledWorkload> Plan(base::Time now);

  const WorkloadOwners& owners() const { return owners_; }

 private:
  template <class T>
  void EnqueueAllOn(workload::ObjectHandlers& handlers);
  void AddLocalQueueHandler(workload::ObjectHandlers& handlers);
  void AddNamespaceHandler(workload::ObjectHandlers& handlers);
  void AddPriorityClassHandler(workload::ObjectHandlers& handlers);
  void EnqueueAll();
  // Those that are not finished.
  void EnqueueIf(const std::function<bool(const api::Workload&)>& is_affected);

  ReconciledWorkload PlanOne(const std::string& name, const api::Workload& workload,
                             base::Time now);
  lifecycle::WorkloadContext ContextOf(const api::Workload& workload);
  // Removes our finalizer from a deleted Workload whose owner is gone. False if there is none to
  // remove.
  bool ReleaseOrphan(const std::string& name, const api::Workload& workload);

  Inputs inputs_;
  Hooks hooks_;
  WorkloadOwners owners_;
  PriorityClassSync priority_sync_;
  std::set<std::string, std::less<>> queue_;
  KeyedTimer<std::string> requeues_;  // by Workload
  bool has_planned_ = false;
};

}  // namespace berth::control

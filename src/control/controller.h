#pragma once

// The controllers of a cluster as one: caches objects, plans, and writes. Independent of the kind
// of API server.
//
// Everything runs on the executor. A reconcile handles all changes since the last one:
//   1. the engine is synced with the objects;
//   2. Workloads are planned, each on its own;
//   3. cycles run until they decide nothing new;
//   4. jobs are reconciled; their part of a Workload's status is folded into the admission write
//      when there is one;
//   5. the status of queues is updated.
// Writes come back as changes, like everything else.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "control/coalesced_task.h"
#include "control/cycle_runner.h"
#include "control/job_controllers.h"
#include "control/kind_watches.h"
#include "control/object_feed.h"
#include "control/priority_class_cache.h"
#include "control/reconcile/job_plan.h"
#include "control/report/controller_event.h"
#include "control/report/queue_status_controller.h"
#include "control/report/rejected_admissions.h"
#include "control/report/uncounted_requests.h"
#include "control/scheduler.h"
#include "control/workload_reconciler.h"
#include "control/write/event_recorder.h"
#include "control/write/workload_writer.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

class Controller {
 public:
  struct Settings {
    api::Configuration configuration;  // with its defaults
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    std::string instance = "berth";  // this process among its replicas
    // Whether the controller acts from the start. Otherwise it only watches until Lead.
    bool is_leading = true;
    std::function<void(std::string_view)> log = [](std::string_view) {};
    Observe observe = [](const ControllerEvent&, const workload::ClusterState&) {};
    // What goes into the decisions and what comes out, in order and complete from the start.
    workload::RecordCall record_call = [](const workload::StateCall&) {};
    RecordCycle record_cycle = [](const CycleResult&, base::Time) {};
  };

  // The options of its ClusterState.
  static const workload::ClusterStateOptions kStateOptions;

  // Starts at once. The store and the executor must outlive this.
  Controller(store::Store& store, store::Executor& executor, Settings settings);
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Starts to act on the objects that are cached already, so that a replica takes over at once.
  void Lead();

  // Every kind was listed. Nothing is planned before.
  bool is_synced() const { return watches_.is_synced(); }
  // Nothing is left to do until an object changes or a deadline passes.
  bool is_idle() const;

  // Up to date on followers too. Only for queries, some of which cache what they compute.
  workload::ClusterState& cluster();
  // Another number whenever the state may have changed.
  uint64_t revision() const { return revision_; }

 private:
  ControllerContext Context();
  void AddHandlers();
  // Reports the deletion of queues to observers.
  template <class T>
  void AddDeletionObserver();
  void Watch();
  void OnWorkloadChange(const store::Change& change);
  void OnWorkloadStateChanged(std::string_view name, const api::Workload* workload);

  void Reconcile();
  void ScheduleReconcile() { reconcile_.Schedule(); }
  void Log(std::string_view text) const { settings_.log(text); }
  void Notify(const ControllerEvent& event) const { settings_.observe(event, cluster_); }

  store::Executor& executor_;
  Settings settings_;
  JobPolicy policy_;
  jobs::ManagedJobsPolicy managed_;
  workload::ClusterState cluster_;
  EventRecorder events_;
  WorkloadWriter writer_;
  UncountedRequests uncounted_requests_;
  RejectedAdmissions rejected_admissions_;
  PriorityClassCache priorities_;
  KindWatches watches_;
  ObjectFeed feed_;  // of all kinds except Workloads and jobs
  WorkloadReconciler workloads_;
  JobControllers jobs_;
  CycleRunner cycles_;
  QueueStatusController queues_;
  CoalescedTask reconcile_;
  uint64_t revision_ = 0;
};

}  // namespace berth::control

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string_view>

#include "control/kind_watches.h"
#include "control/placement/failure_recovery.h"
#include "control/placement/node_failure_controller.h"
#include "control/placement/placed_pods.h"
#include "control/placement/pod_ungater.h"
#include "control/reconcile/controller_context.h"
#include "control/reconcile/elastic_pods.h"
#include "control/reconcile/job_controller.h"
#include "control/reconcile/pod_controller.h"
#include "control/reconcile/ray_clusters.h"
#include "control/reconcile/training_runtimes.h"
#include "jobs/integration_set.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

// The controllers of everything that Workloads are created for: jobs, pods, and the pods of elastic
// and of placed jobs; with their watches.
class JobControllers {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const ControllerEvent&)> observe;
    // A job or pod is gone that may own Workloads.
    std::function<void(std::string_view uid)> on_owner_deleted;
  };

  // All references, those of the context too, must outlive this.
  JobControllers(store::Store& store, store::Executor& executor, const ControllerContext& context,
                 const jobs::IntegrationSet& integrations, KindWatches& watches, Hooks hooks);
  ~JobControllers();

  // Starts the watches of jobs and pods.
  void Watch();
  // Enqueues jobs when namespaces and priority classes change.
  void AddHandlers(workload::ObjectHandlers& handlers);
  // A Workload was created, changed or deleted.
  void OnWorkload(const api::Workload& workload);
  // After OnWorkload: forgets a Workload that was deleted. Only a leader would drain the queues.
  void OnWorkloadDeleted(const api::Workload& workload);

  // Adds the job's part to a status that is about to be written.
  void CompleteStatus(api::Workload& workload) const { jobs_.CompleteStatus(workload); }
  void Plan(base::Time now);

  // Whether the owner of a Workload is known to be deleted. False for kinds that are not watched.
  bool IsGone(const api::OwnerReference& owner) const;
  const TrainingRuntimes& runtimes() const { return runtimes_; }
  const RayClusters& ray_clusters() const { return ray_clusters_; }
  bool is_idle() const;

 private:
  void WatchJobs(const jobs::Integration& integration);
  void WatchRuntimesOf(const jobs::Integration& integration);
  // For the jobs that create RayClusters, if those are not jobs themselves.
  void WatchRayClusters();
  void OnRayCluster(const store::Change& change);
  void WatchPods(store::Selection selection);
  void OnJobChange(const jobs::Integration& integration, const store::Change& change);
  void OnPodChange(const store::Change& change);
  // An answer changed pods that were placed, of these Workloads (PodOwnerName).
  void OnPodsOf(const std::set<store::ObjectName>& owners);
  void NotifyIfDeleted(const store::Change& change) const;
  // Jobs and pods of one namespace, or of all if it is "".
  void EnqueueAll(std::string_view namespace_name);
  bool IsWatched(const api::OwnerReference& owner) const;

  const jobs::ManagedJobsPolicy& managed_;
  const jobs::IntegrationSet& integrations_;
  KindWatches& watches_;
  Hooks hooks_;
  TrainingRuntimes runtimes_;
  RayClusters ray_clusters_;
  JobController jobs_;
  std::unique_ptr<PodController> pods_;        // null: no managed kind queues as pods
  std::unique_ptr<ElasticPods> elastic_pods_;  // null: elastic jobs are disabled
  PlacedPods placed_pods_;
  std::unique_ptr<PodUngater> ungater_;  // null: topology-aware scheduling is disabled
  std::unique_ptr<NodeFailureController> node_failures_;  // null: failed nodes are not replaced
  std::unique_ptr<FailureRecovery> failure_recovery_;     // null: stuck pods are left alone
};

}  // namespace berth::control

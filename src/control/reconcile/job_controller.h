#pragma once

// Reconciles jobs other than pods. StatefulSets and LeaderWorkerSets are jobs here, too.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/reconcile/controller_context.h"
#include "control/reconcile/job_cache.h"
#include "control/reconcile/owner_lookup.h"
#include "control/write/job_writer.h"
#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/weak_self.h"

namespace berth::control {

class JobController {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // a job was enqueued
    std::function<void(std::string_view)> log;
    std::function<void(const ControllerEvent&)> observe;
  };

  // Everything that is referred to must outlive the controller.
  JobController(store::Store& store, store::Executor& executor, ControllerContext context,
                const jobs::IntegrationSet& integrations, Hooks hooks);
  ~JobController();

  void OnChange(const jobs::Integration& integration, const store::Change& change);
  // A Workload was created, changed or deleted.
  void OnWorkload(const api::Workload& workload);
  // Adds the job's part to a status that is about to be written.
  void CompleteStatus(api::Workload& workload) const;
  // Enqueues the jobs of a namespace, or of all namespaces if it is "".
  void EnqueueAll(std::string_view namespace_name);
  void EnqueueAllOf(const jobs::Integration& integration);

  // Plans the enqueued jobs that are not being written.
  void Reconcile(base::Time now);

  const JobCache& jobs() const { return jobs_; }
  bool is_idle() const { return writer_.is_idle() && owners_.is_idle(); }

 private:
  void Enqueue(const JobKey& key);
  void OnRejected(const JobKey& key, const store::Failure& failure);
  void ReconcileJob(const JobKey& key, base::Time now);
  bool AreWorkloadsBusy(const JobContext& context) const;
  // Nullopt if an owner is not known yet.
  std::optional<jobs::ManagedReason> ManagedReasonOf(const JobKey& key,
                                                     const api::ObjectMeta& metadata);
  // The managed kind that an owner of a job has; null if its kind is not listed.
  const jobs::Integration* KindOf(const api::OwnerReference& owner) const;
  JobPlan PlanByManagement(const JobKey& key, const JobCache::Job& job,
                           const api::ObjectMeta& metadata, const JobContext& context,
                           base::Time now);
  std::vector<const api::Workload*> WorkloadsOf(const JobKey& key,
                                                const api::ObjectMeta& metadata) const;

  store::Executor& executor_;
  ControllerContext context_;
  const jobs::IntegrationSet& integrations_;
  Hooks hooks_;
  JobCache jobs_;
  OwnerLookup owners_;
  JobWriter writer_;
  std::set<JobKey> queued_;
  store::WeakSelf self_;
};

}  // namespace berth::control

#pragma once

// Reconciles pods and pod groups. StatefulSets and LeaderWorkerSets are jobs of JobController;
// their pods get the labels of their group here.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "control/keyed_timer.h"
#include "control/reconcile/controller_context.h"
#include "control/reconcile/job_cache.h"
#include "control/reconcile/pod_cache.h"
#include "control/reconcile/serving_plan.h"
#include "control/write/pod_writer.h"
#include "jobs/integration_set.h"
#include "store/informer.h"

namespace berth::control {

class PodController {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // a unit was enqueued
    std::function<void(std::string_view)> log;
    std::function<void(const ControllerEvent&)> observe;
  };

  // `jobs` holds the sets that pods belong to. Everything that is referred to must outlive the
  // controller.
  PodController(store::Store& store, store::Executor& executor, ControllerContext context,
                const JobCache& jobs, const jobs::IntegrationSet& integrations, Hooks hooks);
  ~PodController();

  // Whether pods, or a kind that waits through its pods, are managed.
  static bool IsNeeded(const jobs::IntegrationSet& integrations,
                       const jobs::ManagedJobsPolicy& managed);

  void OnPodChange(const store::Change& change);
  // A Workload was created, changed or deleted.
  void OnWorkload(const api::Workload& workload);
  void OnSet(const JobKey& set);
  // Enqueues the units of a namespace, or of all namespaces if it is "".
  void EnqueueAll(std::string_view namespace_name);

  // Plans the enqueued units that are not being written.
  void Reconcile(base::Time now);

  bool HasPod(std::string_view uid) const { return pods_.FindByUid(uid) != nullptr; }
  bool is_idle() const { return writer_.is_idle(); }

 private:
  void Enqueue(const PodUnitKey& key);
  void ReportUngated(const PodUnitKey& key) const;
  void ReconcileUnit(const PodUnitKey& key, base::Time now);
  PodContext ContextOf(const PodUnitKey& key, const PodUnit& unit) const;
  std::set<std::string> ReplacedPods(const PodUnit& unit) const;
  bool AreWorkloadsBusy(const PodContext& context) const;
  // The labels, annotations and gates that the pods lack as pods of their set.
  PodPlan PlanServingPods(const PodUnit& unit) const;
  const jobs::Integration* SetKindOf(const api::Pod& pod) const;
  ServingGroup GroupOf(const jobs::Integration& kind, const JobCache::Job& set) const;
  const JobCache::Job* FindSet(const api::Pod& pod, const jobs::Integration& kind) const;
  // Whether the pod waits for a gate of its set, which is not managed any more.
  bool IsGatedForReleasedSet(const api::Pod& pod) const;
  // Pods of a set are managed as the set is.
  jobs::ManagedReason ManagedReasonOf(const api::Pod& pod) const;
  // Nullopt if the pods are not managed.
  std::optional<PodPlan> PlanByManagement(const PodUnit& unit, const PodContext& context,
                                          base::Time now) const;

  store::Executor& executor_;
  ControllerContext context_;
  const JobCache& jobs_;
  const jobs::IntegrationSet& integrations_;
  Hooks hooks_;
  PodCache pods_;
  PodWriter writer_;
  std::set<PodUnitKey> queued_;
  KeyedTimer<PodUnitKey> requeues_;
};

}  // namespace berth::control

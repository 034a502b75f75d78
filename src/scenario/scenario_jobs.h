#pragma once

// The jobs of a scenario, with the effects of webhooks and controllers.
//
// A new job gets its queue and is suspended, as by the webhook of its kind. Managed jobs have
// Workloads, made of their pod templates; which jobs are managed is decided again after every
// change. A job whose Workload holds quota runs. A job that stops being managed because its
// namespace is not selected any more is released: it runs, and its Workload is gone.
//
// Workloads are named after kind and name of their jobs, such as job-train, without the uid hash
// that they have in a cluster.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/core/priority_class.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/object.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "jobs/priority.h"
#include "jobs/workload_for.h"
#include "scenario/any_object.h"
#include "scenario/outcome.h"
#include "scenario/scenario.h"
#include "workload/state/cluster_state.h"

namespace berth::scenario {

class ScenarioJobs {
 public:
  // The Configuration must have its defaults. The cluster state must outlive it.
  ScenarioJobs(const api::Configuration& configuration, const api::FeatureGates& gates,
               workload::ClusterState& cluster);

  // Applies the changes of a step. The order of its objects does not matter. The cluster state must
  // have the objects of the step already; this adds Workloads to it.
  void Change(const Step& step);

  // Runs jobs whose Workloads hold quota, suspends the others.
  void SyncSuspension();

  JobOutcomes Outcomes() const;

 private:
  struct Job {
    AnyObject object;
    const jobs::Integration* integration =
        nullptr;  // null: an unsupported kind, which may be an owner
    jobs::ManagedAnswer answer;
    Names workloads;  // created for it
    std::string problem;
  };
  using Key = std::string;  // "Kind namespace/name"

  void OnUpsert(const api::Object& object);
  void OnDelete(const ObjectName& name);
  void UpsertJob(const AnyObject& object, std::vector<Key>& created);
  void ApplyWebhookDefaults(Job& job);

  jobs::ObjectView ViewOf(const AnyObject& object) const;
  // Found by uid, nearest first.
  std::vector<jobs::ObjectView> OwnersOf(const AnyObject& object) const;
  api::Labels LabelsOf(const std::string& namespace_name) const;
  jobs::PriorityTable Priorities() const;

  void Sync();
  void SyncJob(Job& job, const jobs::PriorityTable& priorities);
  void SyncGroups(const jobs::PriorityTable& priorities);
  void MakeWorkloads(Job& job, const jobs::PriorityTable& priorities);
  void Release(Job& job);
  void DropWorkloads(Job& job);
  std::string UpsertWorkload(api::Workload made, const AnyObject& job);
  std::string GroupOf(const Job& job) const;
  // The Workload of its owner covers the pod.
  bool WaitsInOwnersWorkload(const Job& job) const;

  const api::FeatureGates gates_;
  const jobs::ManagedJobsPolicy policy_;
  const jobs::WorkloadOptions options_;
  const jobs::IntegrationSet& integrations_ = jobs::IntegrationSet::BuiltIn();
  workload::ClusterState& cluster_;

  std::map<Key, Job> jobs_;
  std::map<Key, AnyObject> others_;  // possible owners of jobs; without trees
  std::map<std::string, api::Labels, std::less<>> namespaces_;
  std::map<std::string, api::PriorityClass> pod_priorities_;
  std::map<std::string, api::WorkloadPriorityClass> workload_priorities_;
};

}  // namespace berth::scenario

#pragma once

// The jobs of a scenario: what webhooks and controllers make of them.
//
// A new job gets a queue, and is held back, as by the webhook of its kind. Jobs that are managed
// have Workloads, made of their pod templates; which they are is asked again whenever something
// changes. A job whose Workload holds quota runs. One that stops being managed because its
// namespace is not selected any more is released: it runs, and its Workload is gone.
//
// Workloads are called by kind and name of their jobs, such as job-train: without the hash of the
// uid that they have in a cluster.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/object.h"
#include "api/priority_class.h"
#include "api/workload_priority_class.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "jobs/priority.h"
#include "jobs/workload_for.h"
#include "sim/any_object.h"
#include "sim/outcome.h"
#include "sim/scenario.h"
#include "workload/engine_feed.h"

namespace berth::sim {

class ScenarioJobs {
 public:
  // The Configuration must have its defaults. The feed must outlive it.
  ScenarioJobs(const api::Configuration& configuration, const api::FeatureGates& gates,
               workload::EngineFeed& feed);

  // What a step changes, all at once: the order of its objects does not matter. The feed must have
  // learned of its objects already, and learns of Workloads here.
  void Change(const Step& step);

  // Starts and stops jobs by what their Workloads hold now.
  void Follow();

  JobOutcomes Outcomes() const;

 private:
  struct Job {
    AnyObject object;
    const jobs::Integration* integration = nullptr;  // null: a kind that is only an owner
    jobs::ManagedAnswer answer;
    Names workloads;  // made for it
    std::string problem;
  };
  using Key = std::string;  // "Kind namespace/name"

  void Learn(const api::Object& object);
  void Forget(const ObjectName& name);
  void Put(const AnyObject& object, std::vector<Key>& created);
  void Default(Job& job);

  jobs::ObjectView ViewOf(const AnyObject& object) const;
  // By uid, nearest first, as far as they are there.
  std::vector<jobs::ObjectView> OwnersOf(const AnyObject& object) const;
  api::Labels LabelsOf(const std::string& namespace_name) const;
  jobs::PriorityTable Priorities() const;

  void Sync();
  void SyncJob(Job& job, const jobs::PriorityTable& priorities);
  void SyncGroups(const jobs::PriorityTable& priorities);
  void MakeWorkloads(Job& job, const jobs::PriorityTable& priorities);
  void Release(Job& job);
  void DropWorkloads(Job& job);
  std::string Keep(api::Workload made, const AnyObject& job);
  std::string GroupOf(const Job& job) const;
  // Its owner's Workload is for all pods.
  bool WaitsInOwnersWorkload(const Job& job) const;

  const api::FeatureGates gates_;
  const jobs::ManagedJobsPolicy policy_;
  const jobs::WorkloadOptions options_;
  const jobs::IntegrationSet& integrations_ = jobs::IntegrationSet::BuiltIn();
  workload::EngineFeed& feed_;

  std::map<Key, Job> jobs_;
  std::map<Key, AnyObject> others_;  // that may own jobs; without trees
  std::map<std::string, api::Labels, std::less<>> namespaces_;
  std::map<std::string, api::PriorityClass> pod_priorities_;
  std::map<std::string, api::WorkloadPriorityClass> workload_priorities_;
};

}  // namespace berth::sim

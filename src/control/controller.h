#pragma once

// The controllers, as one: keeps a picture of the objects, plans what follows from it, and has it
// written. Which API server it talks to it does not know.
//
// Everything runs on the executor. A turn goes over what changed since the last:
//   1. the engine learns of it;
//   2. Workloads that are concerned are planned, each on its own;
//   3. cycles run until they decide nothing new;
//   4. so are jobs: what they have to say of a Workload went with a decision, if there was one;
//   5. the status of queues follows.
// What a turn writes comes back as changes, and so does everything else that happens.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/priority_class.h"
#include "api/selector.h"
#include "api/workload_priority_class.h"
#include "control/alarm.h"
#include "control/class_values.h"
#include "control/elastic_pods.h"
#include "control/event_recorder.h"
#include "control/fact.h"
#include "control/held_waits.h"
#include "control/job_controller.h"
#include "control/job_plan.h"
#include "control/pod_controller.h"
#include "control/queue_desk.h"
#include "control/refusals.h"
#include "control/training_runtimes.h"
#include "control/uncounted_requests.h"
#include "control/workload_desk.h"
#include "control/workload_owners.h"
#include "control/workload_plan.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "jobs/priority.h"
#include "store/informer.h"
#include "store/store.h"
#include "workload/engine_feed.h"

namespace berth::control {

class Controller {
 public:
  struct Settings {
    api::Configuration configuration;  // with its defaults
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    std::string instance = "berth";  // this process among its replicas
    // Whether it acts from the beginning. Otherwise it only watches until Lead.
    bool is_leading = true;
    std::function<void(std::string_view)> log = [](std::string_view) {};
    Observe observe = [](const Fact&, const workload::EngineFeed&) {};
  };

  // Starts at once. The store and the executor must outlive it.
  Controller(store::Store& store, store::Executor& executor, Settings settings);
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // From now on it acts: with what it has seen so far, so that a replica takes over at once.
  void Lead();

  // Every kind was listed; before that nothing is planned.
  bool is_synced() const;
  // Nothing is left to do, as far as is known, before something changes or the time comes.
  bool is_idle() const;

  // What is known, up to date also where this only watches.
  const workload::EngineFeed& feed();

 private:
  JobWorld World();
  void Watch(const schema::Kind& kind);
  void OnChange(const schema::Kind& kind, const store::Change& change);
  void Forget(const schema::Kind& kind, const store::Object& object);
  void Learn(const schema::Kind& kind, const api::Object& object, bool is_status_only);
  void OnWorkloadKnown(std::string_view name, const api::Workload* workload);
  // What may be defined later; until then there is nothing of it.
  void WatchIfDefined(const store::Resource& resource,
                      std::function<void(const store::Change&)> on_change);
  void WatchJobs(const jobs::Integration& integration);
  void WatchRuntimesOf(const jobs::Integration& integration);
  void OnJobChange(const jobs::Integration& integration, const store::Change& change);
  void WatchPods(store::Selection selection);
  void OnPodChange(const store::Change& change);
  void TouchWorkloadsOwnedBy(std::string_view uid);
  void TouchJobOf(const api::Workload& workload);
  void LearnNamespace(const api::Namespace& space);
  // Those of all namespaces if it is "".
  void TouchJobsIn(std::string_view namespace_name);
  void NotePriorities(const schema::Kind& kind);
  void TouchWorkloadsOf(const std::function<bool(const api::Workload&)>& is_concerned);

  void WantTurn();
  void Turn();
  bool IsWatched(const api::OwnerReference& owner) const;
  // Its job is gone: nothing needs our finalizer.
  bool LetGoOfJob(const std::string& name, const api::Workload& workload);
  void PlanWorkloads(base::Time now);
  void RunCycles(base::Time now);
  void AdmitOneByOne(base::Time now);
  void TellOfCycle(CycleFact& fact, base::Time began);
  void Tell(const Fact& fact) const { settings_.observe(fact, feed_); }
  void CarryOut(WorkloadChange change, base::Time now);
  void SayWhyTheyWait(base::Time now);
  // How many more reasons to wait may be on their way.
  size_t RoomForWaits() const;
  void SayWhatEqualsSay();
  // Why the scheduler would not look at it, however much quota there is; "" if it would.
  std::string MisfitOf(const api::Workload& workload, const std::string& queue);
  // In Events and the log, where that is news.
  void TellWhatDoesNotCount(const api::Workload& workload);
  void LookAgainAt(const std::string& name, base::Time when, base::Time now);

  void LearnWritten(const schema::Kind& kind, const store::Object& written);

  store::Store& store_;
  store::Executor& executor_;
  Settings settings_;
  JobPolicy policy_;
  jobs::ManagedJobsPolicy managed_;
  workload::EngineFeed feed_;
  EventRecorder events_;
  UncountedRequests uncounted_;
  WorkloadDesk desk_;
  std::map<std::string, api::Labels, std::less<>> namespaces_;
  jobs::PriorityTable priorities_;
  std::map<std::string, api::PriorityClass, std::less<>> pod_priorities_;
  std::map<std::string, api::WorkloadPriorityClass, std::less<>> workload_priorities_;
  ClassValues class_values_;
  WorkloadOwners owners_;
  TrainingRuntimes runtimes_;

  JobController jobs_;
  std::unique_ptr<PodController> pods_;        // null: no pod waits for itself
  std::unique_ptr<ElasticPods> elastic_pods_;  // null: no job is elastic
  QueueDesk queues_;
  HeldWaits waits_;
  Alarm alarm_;  // for them

  std::set<std::string, std::less<>> touched_workloads_;
  Refusals refusals_;
  std::vector<std::string> looked_at_;         // Workloads, in this turn
  std::set<std::string, std::less<>> joined_;  // Workloads that lacked something until now
  std::map<std::string, base::Time, std::less<>> looks_;  // when a Workload is looked at again
  bool is_turn_wanted_ = false;
  bool has_led_ = false;

  std::map<store::Resource, std::unique_ptr<store::Informer>> informers_;
  std::set<store::Resource> absent_;  // kinds that nobody has defined yet
  std::shared_ptr<Controller*> self_;
};

}  // namespace berth::control

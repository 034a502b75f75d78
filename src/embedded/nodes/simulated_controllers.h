#pragma once

// Runs simulated_sets.h, simulated_jobs.h and simulated_pod.h over a store: pods and their
// controllers behave as in a cluster, but no container runs.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "embedded/nodes/simulated_pod.h"
#include "embedded/nodes/simulated_scheduler.h"
#include "embedded/nodes/simulated_sets.h"
#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::embedded {

// Everything runs on the executor.
class SimulatedControllers {
 public:
  SimulatedControllers(store::Store& store, store::Executor& executor,
                       const jobs::IntegrationSet& integrations, SimulationSettings settings);
  ~SimulatedControllers();
  SimulatedControllers(const SimulatedControllers&) = delete;
  SimulatedControllers& operator=(const SimulatedControllers&) = delete;

 private:
  using Simulate =
      std::function<SimulatedSetPlan(const json::value&, std::span<const json::value> children)>;
  // The objects of one kind.
  struct Watched {
    store::Resource resource;
    Simulate simulate;  // empty for pods
    Watched* children = nullptr;
    std::unique_ptr<store::Informer> informer;
    std::map<std::string, std::set<store::ObjectName>, std::less<>> by_owner;  // by uid
    std::map<store::ObjectName, int> busy;  // number of writes in flight
    std::set<store::ObjectName> dirty;      // changed during a write
    std::set<store::ObjectName> queued;     // to be reconciled soon
  };

  Watched& Watch(store::Resource resource, Simulate simulate, Watched* children);
  void WatchJobs(const jobs::IntegrationSet& integrations, Watched& pods);
  void OnChange(Watched& watched, const store::Change& change);
  void ReconcileOwner(const Watched& watched, const store::Object& child);
  void Reconcile(Watched& watched, const store::ObjectName& name);
  void ReconcileSet(Watched& watched, const store::Object& set);
  void ReconcilePod(Watched& pods, const store::Object& pod);
  // False if its node, or the lack of it, decides what becomes of the pod.
  bool FollowNode(Watched& pods, const store::Object& pod);
  void Bind(Watched& pods, const store::Object& pod);
  void Evict(Watched& pods, const store::Object& pod);
  void Remove(Watched& pods, const store::Object& pod);
  // Once, however often it changes until then.
  void Enqueue(Watched& watched, const store::ObjectName& name);
  void ReconcileAfter(Watched& watched, const store::ObjectName& name, base::Duration delay);
  void WriteStatus(Watched& watched, const store::Object& object, json::object status);
  // Writes on behalf of the object, which is reconciled again after all replies.
  void Send(Watched& watched, const store::ObjectName& name, store::Call call,
            const std::function<void()>& on_failure = nullptr);

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  std::vector<std::unique_ptr<Watched>> watched_;
  std::unique_ptr<SimulatedScheduler> scheduler_;  // null without nodes
  store::WeakSelf self_;
};

}  // namespace berth::embedded

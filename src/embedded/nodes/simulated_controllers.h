#pragma once

// Runs simulated_sets.h and simulated_pod.h over a store: pods and their controllers behave as in a
// cluster, but no container runs.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "embedded/nodes/simulated_pod.h"
#include "embedded/nodes/simulated_sets.h"
#include "store/informer.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::embedded {

// Everything runs on the executor.
class SimulatedControllers {
 public:
  SimulatedControllers(store::Store& store, store::Executor& executor, SimulationSettings settings);
  ~SimulatedControllers();
  SimulatedControllers(const SimulatedControllers&) = delete;
  SimulatedControllers& operator=(const SimulatedControllers&) = delete;

 private:
  using Simulate = SimulatedSetPlan (*)(const json::value&, std::span<const json::value>);
  // The objects of one kind.
  struct Watched {
    store::Resource resource;
    Simulate simulate = nullptr;  // null for pods
    Watched* children = nullptr;
    std::unique_ptr<store::Informer> informer;
    std::map<std::string, std::set<store::ObjectName>, std::less<>> by_owner;  // by uid
    std::map<store::ObjectName, int> busy;  // number of writes in flight
    std::set<store::ObjectName> dirty;      // changed during a write
  };

  Watched& Watch(store::Resource resource, Simulate simulate, Watched* children);
  void OnChange(Watched& watched, const store::Change& change);
  void ReconcileOwner(const Watched& watched, const store::Object& child);
  void Reconcile(Watched& watched, const store::ObjectName& name);
  void ReconcileSet(Watched& watched, const store::Object& set);
  void ReconcilePod(Watched& pods, const store::Object& pod);
  void ReconcileAfter(Watched& watched, const store::ObjectName& name, base::Duration delay);
  void WriteStatus(Watched& watched, const store::Object& object, json::object status);
  // Writes on behalf of the object, which is reconciled again after all replies.
  void Send(Watched& watched, const store::ObjectName& name, store::Call call);

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  std::vector<std::unique_ptr<Watched>> watched_;
  store::WeakSelf self_;
};

}  // namespace berth::embedded

#pragma once

// Runs simulated_sets.h and simulated_pod.h over a store: with it, pods and what makes pods live
// as in a cluster, though no container runs.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/simulated_pod.h"
#include "control/simulated_sets.h"
#include "store/informer.h"
#include "store/store.h"

namespace berth::control {

// Everything runs on the executor.
class SimulatedControllers {
 public:
  SimulatedControllers(store::Store& store, store::Executor& executor, SimulationSettings settings);
  ~SimulatedControllers();
  SimulatedControllers(const SimulatedControllers&) = delete;
  SimulatedControllers& operator=(const SimulatedControllers&) = delete;

 private:
  using Simulate = SimulatedSetPlan (*)(const store::json::value&,
                                        std::span<const store::json::value>);
  // Objects of one kind.
  struct Watched {
    store::Resource resource;
    Simulate simulate = nullptr;  // null: pods
    Watched* children = nullptr;
    std::unique_ptr<store::Informer> informer;
    std::map<std::string, std::set<store::ObjectName>, std::less<>> by_owner;  // by uid
    std::map<store::ObjectName, int> busy;  // how many writes are under way
    std::set<store::ObjectName> missed;     // what changed meanwhile
  };

  Watched& Watch(store::Resource resource, Simulate simulate, Watched* children);
  void OnChange(Watched& watched, const store::Change& change);
  void LookAtOwner(const Watched& watched, const store::Object& child);
  void Look(Watched& watched, const store::ObjectName& name);
  void LookAtSet(Watched& watched, const store::Object& set);
  void LookAtPod(Watched& pods, const store::Object& pod);
  void LookLater(Watched& watched, const store::ObjectName& name, base::Duration delay);
  void WriteStatus(Watched& watched, const store::Object& object, store::json::object status);
  // A write about the object; it is looked at again when all are answered.
  void Send(Watched& watched, const store::ObjectName& name, store::Call call);

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  std::vector<std::unique_ptr<Watched>> watched_;
  std::shared_ptr<SimulatedControllers*> self_;
};

}  // namespace berth::control

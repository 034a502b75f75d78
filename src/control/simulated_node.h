#pragma once

// Stands in for everything below a job: no container runs, but jobs that may run get pods, become
// ready and end after a while. For one machine without a cluster, for demonstrations and tests.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "control/simulated_controllers.h"
#include "control/simulation.h"
#include "jobs/integration.h"
#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/json.h"
#include "store/store.h"

namespace berth::control {

struct SimulatedStep {
  std::optional<store::json::value> status;  // as it is to be; absent: as it is
  std::optional<base::Time> look_again;
};

// What becomes of a job of one of these kinds now.
SimulatedStep SimulateJob(const jobs::Integration& integration, const store::json::value& job,
                          const SimulationSettings& settings, base::Time now);

// Does it, for all jobs of a store. Everything runs on the executor.
class SimulatedNode {
 public:
  SimulatedNode(store::Store& store, store::Executor& executor,
                const jobs::IntegrationSet& integrations, SimulationSettings settings);
  ~SimulatedNode();
  SimulatedNode(const SimulatedNode&) = delete;
  SimulatedNode& operator=(const SimulatedNode&) = delete;

 private:
  struct Watched {
    const jobs::Integration* integration = nullptr;
    std::unique_ptr<store::Informer> informer;
    std::set<store::ObjectName> busy;
  };

  void Look(Watched& watched, const store::ObjectName& name);
  // To a write that was made for this version.
  void OnAnswer(Watched& watched, const store::ObjectName& name, const std::string& version,
                const store::Outcome<store::Reply>& reply);

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  SimulatedControllers pods_;  // and what makes pods
  std::vector<std::unique_ptr<Watched>> watched_;
  std::shared_ptr<SimulatedNode*> self_;
};

}  // namespace berth::control

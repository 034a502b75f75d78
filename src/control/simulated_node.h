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
#include "jobs/integration.h"
#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/json.h"
#include "store/store.h"

namespace berth::control {

// How long a job runs, in Go's syntax ("90s"), and with "true" that it fails in the end. On the
// job.
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";
inline constexpr std::string_view kFailsAnnotation = "berth.dev/fails";

struct SimulationSettings {
  base::Duration run_time = base::Duration::Seconds(10);          // where the job does not say
  base::Duration start_time = base::Duration::Milliseconds(300);  // until pods are ready
  double failure_rate = 0;  // of jobs that do not say; the same jobs fail each time
};

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

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  std::vector<std::unique_ptr<Watched>> watched_;
  std::shared_ptr<SimulatedNode*> self_;
};

}  // namespace berth::control

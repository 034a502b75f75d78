#pragma once

// Simulates nodes: jobs that may run get pods, become ready and finish after their run time, but no
// container runs. For single machines, demonstrations and tests.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "embedded/nodes/simulated_controllers.h"
#include "embedded/nodes/simulated_nodes.h"
#include "jobs/integration.h"
#include "jobs/integration_set.h"
#include "json/json.h"
#include "store/informer.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::embedded {

struct SimulatedStep {
  std::optional<json::value> status;  // the new status; absent if unchanged
  std::optional<base::Time> requeue_at;
};

// The next step of a job of this kind. At most `max_ready` of its pods run: the others are gated.
SimulatedStep SimulateJob(const jobs::Integration& integration, const json::value& job,
                          const SimulationSettings& settings, base::Time now,
                          std::optional<int64_t> max_ready = std::nullopt);

// Simulates all jobs of a store. Everything runs on the executor.
class SimulatedNode {
 public:
  SimulatedNode(store::Store& store, store::Executor& executor,
                const jobs::IntegrationSet& integrations, const SimulationSettings& settings);
  ~SimulatedNode();
  SimulatedNode(const SimulatedNode&) = delete;
  SimulatedNode& operator=(const SimulatedNode&) = delete;

 private:
  struct Watched {
    const jobs::Integration* integration = nullptr;
    std::unique_ptr<store::Informer> informer;
    std::set<store::ObjectName> busy;
  };

  void Reconcile(Watched& watched, const store::ObjectName& name);
  void OnWorkload(const store::Change& change);
  // The pods of an elastic job that its slices have quota for; nullopt for other jobs.
  std::optional<int64_t> MaxReadyOf(const std::string& job_uid) const;
  // Handles the reply to a write based on this resourceVersion.
  void OnReply(Watched& watched, const store::ObjectName& name, const std::string& version,
               const store::Outcome<store::Reply>& reply);

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  SimulatedControllers pods_;  // and their controllers
  std::vector<std::unique_ptr<Watched>> watched_;
  // The slices of elastic jobs, by the uid of the job and by name.
  std::map<std::string, std::map<std::string, api::Workload>> slices_;
  std::unique_ptr<store::Informer> workloads_;
  store::WeakSelf self_;
};

}  // namespace berth::embedded

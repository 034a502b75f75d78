#pragma once

// The runtimes that are known, for the TrainJobs that name them.

#include <map>

#include "jobs/integration.h"
#include "jobs/training_runtime.h"
#include "store/informer.h"
#include "store/json.h"
#include "store/resource.h"

namespace berth::control {

class TrainingRuntimes {
 public:
  void OnChange(const jobs::TrainingRuntimeKind& kind, const store::Change& change);

  // Null if there is no such runtime.
  const store::json::value* FindFor(const store::json::value& train_job) const;

 private:
  std::map<jobs::TrainingRuntimeName, store::json::value> runtimes_;
};

// `integration`: that of TrainJobs.
store::Resource ResourceOf(const jobs::Integration& integration,
                           const jobs::TrainingRuntimeKind& kind);

}  // namespace berth::control

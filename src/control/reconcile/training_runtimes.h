#pragma once

// The known training runtimes, which TrainJobs refer to.

#include <map>

#include "jobs/integration.h"
#include "jobs/training_runtime.h"
#include "json/json.h"
#include "store/informer.h"
#include "store/resource.h"

namespace berth::control {

class TrainingRuntimes {
 public:
  void OnChange(const jobs::TrainingRuntimeKind& kind, const store::Change& change);

  // Null if there is no such runtime.
  const json::value* FindFor(const json::value& train_job) const;

 private:
  std::map<jobs::TrainingRuntimeName, json::value> runtimes_;
};

// `integration` is the one of TrainJobs.
store::Resource ResourceOf(const jobs::Integration& integration,
                           const jobs::TrainingRuntimeKind& kind);

}  // namespace berth::control

#pragma once

#include <string>
#include <string_view>

#include "jobs/path.h"

// What describes the pods of TrainJobs: runtimes, of the same group and version as they.
namespace berth::jobs {

struct TrainingRuntimeKind {
  std::string_view kind;
  std::string_view plural;
  bool is_namespaced = false;  // false: it is for all namespaces
};
inline constexpr TrainingRuntimeKind kTrainingRuntimeKinds[] = {
    {.kind = "ClusterTrainingRuntime", .plural = "clustertrainingruntimes"},
    {.kind = "TrainingRuntime", .plural = "trainingruntimes", .is_namespaced = true},
};

struct TrainingRuntimeName {
  std::string kind;
  std::string namespace_;  // "" if it is for all
  std::string name;

  friend auto operator<=>(const TrainingRuntimeName&, const TrainingRuntimeName&) = default;
};

// The one that a TrainJob names: one for all unless it says otherwise.
TrainingRuntimeName RuntimeNamedBy(const json::value& train_job);

}  // namespace berth::jobs

#pragma once

#include <string>
#include <string_view>

#include "json/path.h"

// Training runtimes, which describe the pods of TrainJobs. They share the group and version of
// TrainJobs.
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
  std::string namespace_;  // "" for a ClusterTrainingRuntime
  std::string name;

  friend auto operator<=>(const TrainingRuntimeName&, const TrainingRuntimeName&) = default;
};

// The runtime of a TrainJob; a ClusterTrainingRuntime by default.
TrainingRuntimeName RuntimeNamedBy(const json::value& train_job);

}  // namespace berth::jobs

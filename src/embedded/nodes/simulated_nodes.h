#pragma once

// Settings of the simulation.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/time.h"
#include "json/json.h"

namespace berth::embedded {

// Annotations of a job or pod: its run time in Go's syntax ("90s"), and whether it fails ("true").
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";
inline constexpr std::string_view kFailsAnnotation = "berth.dev/fails";

inline constexpr std::string_view kBatchJob = "batch/job";  // a framework

struct SimulationSettings {
  base::Duration run_time = base::Duration::Seconds(10);          // without the annotation
  base::Duration start_time = base::Duration::Milliseconds(300);  // until pods are ready
  double failure_rate = 0;  // of jobs without the annotation; deterministic for each job
  // Nodes to register. Null: pods of sets run on one node without limits, jobs have no pods.
  std::shared_ptr<const std::vector<api::Node>> nodes;
  base::Duration eviction_delay = base::Duration::Seconds(5);  // until pods leave a failed node
  std::function<void(std::string_view line)> log = [](std::string_view) {};

  bool has_nodes() const { return nodes != nullptr; }
};

bool HasRunTimeAnnotation(const json::value& object);
base::Duration SimulatedRunTime(const json::value& object, const SimulationSettings& settings);
bool SimulatedRunFails(const json::value& object, const SimulationSettings& settings);

}  // namespace berth::embedded

#pragma once

// Settings of the simulation.

#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace berth::embedded {

// Annotations of a job or pod: its run time in Go's syntax ("90s"), and whether it fails ("true").
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";
inline constexpr std::string_view kFailsAnnotation = "berth.dev/fails";

struct SimulationSettings {
  base::Duration run_time = base::Duration::Seconds(10);          // without the annotation
  base::Duration start_time = base::Duration::Milliseconds(300);  // until pods are ready
  double failure_rate = 0;  // of jobs without the annotation; deterministic for each job
};

bool HasRunTimeAnnotation(const json::value& object);
base::Duration SimulatedRunTime(const json::value& object, const SimulationSettings& settings);
bool SimulatedRunFails(const json::value& object, const SimulationSettings& settings);

}  // namespace berth::embedded

#pragma once

// What all that only pretends to run goes by.

#include <string_view>

#include "base/time.h"
#include "store/json.h"

namespace berth::control {

// How long a job or pod runs, in Go's syntax ("90s"), and with "true" that it fails in the end. On
// the job, or the pod.
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";
inline constexpr std::string_view kFailsAnnotation = "berth.dev/fails";

struct SimulationSettings {
  base::Duration run_time = base::Duration::Seconds(10);          // where the job does not say
  base::Duration start_time = base::Duration::Milliseconds(300);  // until pods are ready
  double failure_rate = 0;  // of jobs that do not say; the same jobs fail each time
};

bool HasOwnRunTime(const store::json::value& object);
base::Duration SimulatedRunTime(const store::json::value& object,
                                const SimulationSettings& settings);
bool FailsInTheEnd(const store::json::value& object, const SimulationSettings& settings);

}  // namespace berth::control

#pragma once

// Converts manifests and dumps of a cluster to the input of a simulation.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"
#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

// The run time, in Go's syntax ("90m"). On a Workload, its owner, or its pods.
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";

struct LoadOptions {
  api::Configuration configuration;  // with defaults
  api::FeatureGates gates;
  std::optional<base::Time> start;  // absent: the latest timestamp of the objects
};

struct Loaded {
  Input input;
  size_t unknown_run_times = 0;  // jobs without a known run time
  schema::Problems problems;     // not empty: the input is incomplete
};

// Loads objects as an API server would store them (objects::AsStored). Of several objects with the
// same name the last one wins.
//
//   Workloads   all that are neither finished nor deactivated. Those with quota keep running
//   jobs        of supported kinds, with a queue name, not finished and without a Workload: get the
//               Workload that the controller would create
//   pods        that are bound to a node take room there until the end, unless topology-aware
//               scheduling placed them: these count with their Workload
//   others      unchanged
Loaded Load(std::span<const api::Manifest> manifests, LoadOptions options);

// Loads the objects of a change likewise, except Workloads and jobs.
std::vector<api::Object> LoadChange(std::span<const api::Manifest> manifests);

}  // namespace berth::simulate

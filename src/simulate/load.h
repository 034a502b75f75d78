#pragma once

// From manifests and dumps of a cluster to the input of a simulation.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/manifest.h"
#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

// On a Workload, the job that owns it, or its pods: how long it runs, in Go's syntax ("90m").
inline constexpr std::string_view kRunTimeAnnotation = "berth.dev/run-time";

struct LoadOptions {
  api::Configuration configuration;  // with defaults
  api::FeatureGates gates;
  std::optional<base::Time> start;  // absent: the latest moment that the objects speak of
};

struct Loaded {
  Input input;
  size_t unknown_run_times = 0;  // jobs whose run time nothing says
  schema::Problems problems;     // then the input is not complete
};

// Takes every object as an API server would store it: with defaults, in the namespace "default"
// where it needs one and names none; of two objects of the same name the last counts.
//
//   Workloads   those that are neither finished nor deactivated. What holds quota goes on running
//   jobs        of the kinds that Berth knows, with a queue name, not finished, and without a
//               Workload: they get the one that a controller would make
//   the rest    as it is
Loaded Load(std::span<const api::Manifest> manifests, LoadOptions options);

// Objects of a change, in the same way. Workloads and jobs are left out.
std::vector<api::Object> LoadChange(std::span<const api::Manifest> manifests);

}  // namespace berth::simulate

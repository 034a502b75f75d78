#pragma once

// The lifecycle of a pod on simulated nodes: an ungated pod gets a node, runs, becomes ready and
// finishes. A pod with restartPolicy Always runs until it is deleted, unless its annotation sets a
// run time.

#include <optional>
#include <string_view>

#include "base/time.h"
#include "embedded/nodes/simulated_nodes.h"
#include "json/json.h"

namespace berth::embedded {

inline constexpr std::string_view kSimulatedNodeName = "simulated";

struct SimulatedPodStep {
  // At most one of the following is done; then the pod is reconciled again.
  bool needs_node = false;
  std::optional<json::object> status;  // the new status
  bool is_stopped = false;             // terminating and stopped: may be removed
  std::optional<base::Time> requeue_at;
};

SimulatedPodStep SimulatePod(const json::value& pod, const SimulationSettings& settings,
                             base::Time now);
// The status of a pod without a node; nullopt if it says so already.
std::optional<json::object> UnschedulableStatus(const json::value& pod, std::string_view message,
                                                base::Time now);
// The status of a pod that has to leave its node because of a taint.
json::object EvictedStatus(const json::value& pod, base::Time now);

}  // namespace berth::embedded

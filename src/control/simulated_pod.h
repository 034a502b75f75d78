#pragma once

// What becomes of a pod on nodes that only pretend: a pod that no gate holds back gets a node,
// runs, becomes ready, and ends after a while. One whose containers are restarted for ever
// (restartPolicy: Always, as in Deployments) runs until it is deleted, unless an annotation says
// how long.

#include <optional>
#include <string_view>

#include "base/time.h"
#include "control/simulation.h"
#include "store/json.h"

namespace berth::control {

inline constexpr std::string_view kSimulatedNodeName = "simulated";

struct SimulatedPodStep {
  // At most one of these is done; then the pod is looked at again.
  bool gets_node = false;
  std::optional<store::json::object> status;  // as it is to be
  bool is_over = false;                       // deleted, and nothing runs any more: it may go
  std::optional<base::Time> look_again;
};

SimulatedPodStep SimulatePod(const store::json::value& pod, const SimulationSettings& settings,
                             base::Time now);

}  // namespace berth::control

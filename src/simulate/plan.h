#pragma once

// The immediate effect of a change on a cluster: no job ends, and none arrives.

#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "simulate/input.h"
#include "simulate/world/world.h"

namespace berth::simulate {

struct PlannedEviction {
  uint32_t job = kNoIndex;
  uint32_t by = kNoIndex;  // none: its queue is drained, or a node fails
  std::string reason;
};

// Differences to the same moment without the change. Jobs are in the order of the input.
struct Plan {
  std::vector<uint32_t> admitted;
  std::vector<uint32_t> not_admitted;  // admitted only without the change
  std::vector<PlannedEviction> evicted;
  std::vector<uint32_t> not_evicted;  // evicted only without the change
  std::vector<uint32_t> moved;        // pods move from a failed node to another one
  std::vector<uint32_t> infeasible;   // could be admitted before, and never can with the change
  std::vector<uint32_t> unqueued;     // leave their ClusterQueue
  std::vector<std::string> inactive;  // ClusterQueues that become inactive: "name: reason"
  std::vector<std::string> active;    // ClusterQueues that become active

  bool empty() const {
    return admitted.empty() && not_admitted.empty() && evicted.empty() && not_evicted.empty() &&
           moved.empty() && infeasible.empty() && unqueued.empty() && inactive.empty() &&
           active.empty();
  }
};

// `configuration`: that of the change; nullopt: the change has none.
Plan MakePlan(const Input& input, std::shared_ptr<const std::vector<api::Object>> change,
              const std::optional<api::Configuration>& configuration);

std::string ToText(const Plan& plan, const Input& input);
std::string ToJson(const Plan& plan, const Input& input);

}  // namespace berth::simulate

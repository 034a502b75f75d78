#pragma once

// What a change does to a cluster as it is, at once: nobody ends, nobody comes.

#include <string>
#include <vector>

#include "api/configuration.h"
#include "simulate/input.h"
#include "simulate/world.h"

namespace berth::simulate {

struct PlannedEviction {
  uint32_t job = kNobody;
  uint32_t by = kNobody;  // nobody: its queue is drained
  std::string reason;
};

// Names are in the order of the input. What would happen without the change as well is left out.
struct Plan {
  std::vector<uint32_t> admitted;
  std::vector<uint32_t> not_admitted;  // would be admitted now, and are not with the change
  std::vector<PlannedEviction> evicted;
  std::vector<uint32_t> not_evicted;  // would be, and are not
  std::vector<uint32_t> hopeless;     // can never be admitted (again), and could before
  std::vector<uint32_t> outside;      // in no ClusterQueue any more
  std::vector<std::string> inactive;  // ClusterQueues that turn so: "name: reason"
  std::vector<std::string> active;    // those that were not, and turn so

  bool empty() const {
    return admitted.empty() && not_admitted.empty() && evicted.empty() && not_evicted.empty() &&
           hopeless.empty() && outside.empty() && inactive.empty() && active.empty();
  }
};

// `configuration`: that of the change, if it brings one.
Plan MakePlan(const Input& input, std::shared_ptr<const std::vector<api::Object>> change,
              const std::optional<api::Configuration>& configuration);

std::string ToText(const Plan& plan, const Input& input);
std::string ToJson(const Plan& plan, const Input& input);

}  // namespace berth::simulate

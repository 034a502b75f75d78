#pragma once

// Stands in for the controllers of Deployments, ReplicaSets, StatefulSets and LeaderWorkerSets,
// where no cluster has them: as many pods as a set asks for, and what they are in its status. Much
// simpler than the real ones: a new template replaces all pods at once, and there is no history.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/json.h"

namespace berth::control {

// What a set needs. Children are objects that name it as their controller.
struct SimulatedSetPlan {
  std::vector<store::json::value> create;
  std::vector<std::string> remove;  // by name
  // Children with another number of replicas, by name.
  std::vector<std::pair<std::string, int32_t>> scale;
  std::optional<store::json::object> status;  // as it is to be; absent: as it is
};

// ReplicaSets are the children of a Deployment, pods those of the others. None of these objects may
// be on its way out; children may.
SimulatedSetPlan SimulateDeployment(const store::json::value& deployment,
                                    std::span<const store::json::value> replica_sets);
SimulatedSetPlan SimulateReplicaSet(const store::json::value& set,
                                    std::span<const store::json::value> pods);
SimulatedSetPlan SimulateStatefulSet(const store::json::value& set,
                                     std::span<const store::json::value> pods);
// Pods of each replica: a leader and its workers.
SimulatedSetPlan SimulateLeaderWorkerSet(const store::json::value& set,
                                         std::span<const store::json::value> pods);

}  // namespace berth::control

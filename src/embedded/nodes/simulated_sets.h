#pragma once

// Simulates the controllers of Deployments, ReplicaSets, StatefulSets and LeaderWorkerSets: the
// desired number of pods, and the status. Simplified: a new template replaces all pods at once, and
// there is no revision history. Pods are created in batches, and no more than kMostPodsOfSet.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "json/json.h"

namespace berth::embedded {

// The actions for a set. Children are objects that have it as their controller.
struct SimulatedSetPlan {
  std::vector<json::value> create;
  std::vector<std::string> remove;  // by name
  // New replica counts of children, by name.
  std::vector<std::pair<std::string, int32_t>> scale;
  std::optional<json::object> status;  // the new status; absent if unchanged
};

// The children of a Deployment are ReplicaSets, those of the others pods. The set must not be
// terminating; children may be.
SimulatedSetPlan SimulateDeployment(const json::value& deployment,
                                    std::span<const json::value> replica_sets);
SimulatedSetPlan SimulateReplicaSet(const json::value& set, std::span<const json::value> pods);
SimulatedSetPlan SimulateStatefulSet(const json::value& set, std::span<const json::value> pods);
// Each replica is a leader and its workers.
SimulatedSetPlan SimulateLeaderWorkerSet(const json::value& set, std::span<const json::value> pods);

}  // namespace berth::embedded

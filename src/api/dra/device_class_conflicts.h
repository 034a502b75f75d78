#pragma once

// KEP-2941 rule 2 across objects: a resource counts the same device classes in all ClusterQueues
// and Cohorts of a tree. Otherwise borrowing would mix devices of different classes.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"

namespace berth::api {

// A disagreement between a ClusterQueue and another node of its tree.
struct DeviceClassConflict {
  std::string resource;
  std::vector<std::string> classes;  // of the queue, sorted; empty: a core resource
  std::string other;                 // name of the other
  bool is_other_cohort = false;
  std::vector<std::string> other_classes;

  friend bool operator==(const DeviceClassConflict&, const DeviceClassConflict&) = default;
};

// `"gpus" counts device class "a" here and device class "b" in ClusterQueue "other" of the same
// cohort tree`. `place` is that of the queue, as "in ClusterQueue x" for readers of another object.
std::string ToString(const DeviceClassConflict& conflict, std::string_view place = "here");

// The conflicts by ClusterQueue: the first conflicting resource, with the first ClusterQueue, or
// else Cohort, by name. The result does not depend on the order of the input, and both sides of a
// conflict are reported. Trees are identified by names alone: a Cohort without an object is a node,
// and a cycle of Cohorts is a tree.
std::map<std::string, DeviceClassConflict, std::less<>> FindDeviceClassConflicts(
    std::span<const ClusterQueue* const> queues, std::span<const Cohort* const> cohorts);

}  // namespace berth::api

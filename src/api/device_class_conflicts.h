#pragma once

// KEP-2941 rule 2, as far as it is about several objects: a resource counts the same device classes
// in all ClusterQueues and Cohorts of a tree. Otherwise one would borrow devices of another kind.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "api/cohort.h"

namespace berth::api {

// What a ClusterQueue and another node of its tree disagree about.
struct DeviceClassConflict {
  std::string resource;
  std::vector<std::string> classes;  // of the queue, sorted; none: a core resource
  std::string other;                 // name of the other
  bool is_other_cohort = false;
  std::vector<std::string> other_classes;

  friend bool operator==(const DeviceClassConflict&, const DeviceClassConflict&) = default;
};

// `"gpus" counts device class "a" here and "b" in ClusterQueue "other" of the same cohort tree`.
std::string ToString(const DeviceClassConflict& conflict);

// The conflicts, by ClusterQueue: of each that disagrees with another node the first resource, and
// of the others the first ClusterQueue, or else Cohort, by name. Nothing depends on the order of
// the input, so both of two that disagree are found. Trees are told by names alone: a cohort
// without an object is one, and a cycle of cohorts is a tree.
std::map<std::string, DeviceClassConflict, std::less<>> FindDeviceClassConflicts(
    std::span<const ClusterQueue* const> queues, std::span<const Cohort* const> cohorts);

}  // namespace berth::api

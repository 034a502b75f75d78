#pragma once

// Where the pods of a failed node go.
//
// The pods of the failed node are placed again, the other ones stay. All other domains must still
// exist. The new place is:
//   - if slices are requested and the missing pods are no whole slices: the domain of the slice
//     level whose remaining pods and the missing ones make whole slices (of several layers: of the
//     innermost one that is broken), with the slice size reduced to that of the innermost layer
//     that divides the missing count, or 1. If there is no such domain: anywhere.
//   - if the request is required: the domain of the remaining pods at the required level;
//   - otherwise, and if nothing remains: anywhere.
//
// The last slice may be incomplete (placement.h). Then the domain of a broken slice may also be the
// one whose remaining pods and the missing ones make whole slices and that one. If no slice that
// remains is broken, the missing pods hold the incomplete slice, and are placed like whole slices,
// with no more room than they need.

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/topology/topologies.h"
#include "engine/topology/topology_forest.h"
#include "engine/topology/topology_spec.h"

namespace berth::engine {

struct NodeReplacement {
  bool is_possible = false;
  int32_t count = 0;                  // pods to place again
  std::vector<DomainPods> remaining;  // pods that stay
  DomainIndex within = kNoDomain;
  PodSetTopology request;  // of the missing pods
};

NodeReplacement ReplaceNode(const Topologies& topologies, const TopologyForest& forest,
                            const PodSetTopology& request, const std::vector<DomainPods>& placed,
                            std::string_view failed_node);

// Both lists, in the order of level values, with one entry per domain.
std::vector<DomainPods> MergePlacements(const TopologyForest& forest,
                                        const std::vector<DomainPods>& a,
                                        const std::vector<DomainPods>& b);

}  // namespace berth::engine

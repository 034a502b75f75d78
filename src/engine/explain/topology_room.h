#pragma once

// The room for the pods of one podset in the topology of one flavor, by level and domain.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/request.h"
#include "engine/topology/topologies.h"
#include "engine/topology/topology_spec.h"

namespace berth::engine {

struct State;

// Nodes in domains that do not match the podset, by the first reason. None unless the lowest level
// is the hostname.
struct NodeExclusions {
  size_t tainted = 0;
  size_t by_selector = 0;
  size_t by_affinity = 0;
};

struct DomainRoom {
  std::vector<std::string> path;  // values from the widest level down
  size_t nodes = 0;
  int32_t pods = 0;           // that fit, beside the leader if there is one
  int32_t slices = 0;         // at the slice level and above
  std::vector<Request> free;  // of each requested resource, on nodes that match
  ResourceId scarcest;        // the resource that limits the pods
};

struct LevelRoom {
  std::string level;
  size_t domains = 0;
  // The pods of the largest podset with this request that fits in one domain: now, and if the pods
  // that run were packed into as few domains as possible.
  int32_t largest = 0;
  int32_t largest_if_packed = 0;
  // At most kMostDomains, those with the most room first.
  std::vector<DomainRoom> best;

  // By how much the largest podset is smaller than it could be, in percent, rounded down.
  int32_t fragmentation() const {
    if (largest_if_packed <= largest) return 0;
    return static_cast<int32_t>((int64_t{largest_if_packed} - largest) * 100 / largest_if_packed);
  }
};

struct TopologyRoom {
  static constexpr size_t kMostDomains = 10;

  // The topology has the requested levels, and the slices suit each other. Otherwise only the
  // request and the counts of nodes are set.
  bool is_valid = false;
  TopologyKind kind = TopologyKind::kNone;
  int32_t count = 0;
  size_t level = 0;
  size_t slice_level = 0;
  int32_t slice_size = 1;
  bool is_hostname_lowest = false;

  bool fits = false;
  bool fits_if_empty = false;  // with no workload placed
  // Slices, of all that are needed: in the best domain of a required level, or in all domains.
  int32_t needed = 0;
  int32_t fitting = 0;
  int32_t fitting_if_empty = 0;

  FlavorNodes nodes;
  NodeExclusions excluded;
  // Leaves that match, without room for one pod, by the scarcest resource, in the order of names.
  std::vector<std::pair<ResourceId, size_t>> full;
  std::vector<LevelRoom> levels;  // of the topology
};

// Nodes that the podset does not match. O(nodes). Precondition: the flavor has a topology.
NodeExclusions CountExclusions(Topologies& topologies, FlavorId flavor, NodeMatchId match);

// The values of a domain's path, from the widest level down.
std::vector<std::string> PathOf(const TopologyForest& forest, DomainIndex domain);

// The room for `count` pods, and for one of the leader unless it is null. Precondition: the flavor
// has a topology, with its nodes. O(nodes x levels).
TopologyRoom FindRoom(State& state, FlavorId flavor, const PodSetTopology& workers, int32_t count,
                      const PodSetTopology* leader);

}  // namespace berth::engine

#pragma once

// The inputs of topology-aware scheduling: topologies, the flavors that have one, nodes, and the
// requests of podsets. Plain data.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ids.h"
#include "engine/request.h"

namespace berth::engine {

// The node label whose level, as the lowest one, identifies a leaf by its value alone.
inline constexpr std::string_view kHostnameLevel = "kubernetes.io/hostname";

struct TopologySpec {
  std::string name;
  std::vector<std::string> levels;  // node labels, widest first

  friend bool operator==(const TopologySpec&, const TopologySpec&) = default;
};

struct NodeLabel {
  std::string key;
  std::string value;

  friend auto operator<=>(const NodeLabel&, const NodeLabel&) = default;
};

// A flavor whose pods are placed in the domains of a topology.
struct TopologyFlavorSpec {
  FlavorId flavor;
  std::string topology;
  std::vector<NodeLabel> node_labels;  // of all its nodes

  friend bool operator==(const TopologyFlavorSpec&, const TopologyFlavorSpec&) = default;
};

struct ClusterNodeSpec {
  std::string name;
  std::vector<NodeLabel> labels;     // sorted by key
  std::vector<Request> allocatable;  // with `pods`
  bool is_usable = true;             // ready and schedulable
};

// --- Requests of podsets -------------------------------------------------------------------------

enum class TopologyKind : uint8_t { kNone, kRequired, kPreferred, kUnconstrained };

// The level of a request: named, or an end of the topology.
enum class LevelChoice : uint8_t { kNamed, kLowest, kHighest };

// Groups of `size` pods, each within one domain of the level.
struct SliceLayer {
  std::string level;
  int32_t size = 0;

  friend bool operator==(const SliceLayer&, const SliceLayer&) = default;
};

struct PodSetTopology {
  TopologyKind kind = TopologyKind::kNone;  // kNone: the podset is not placed
  LevelChoice level_choice = LevelChoice::kNamed;
  std::string level;               // for kNamed
  std::vector<SliceLayer> slices;  // outermost first
  int32_t group = 0;               // podsets of one group are placed together
  std::vector<Request> per_pod;    // of the pod template, without `pods`
  NodeMatchId match;               // none: every node matches
  // Unconstrained besides its slices: without them its level is the lowest.
  bool is_lowest_without_slices = false;
  // Two admission checks select nodes by different values of one label.
  bool has_conflicting_updates = false;

  friend bool operator==(const PodSetTopology&, const PodSetTopology&) = default;
};

struct WorkloadTopology {
  std::vector<PodSetTopology> pod_sets;
  bool is_elastic = false;
  // Owned by its only pod, which cannot move to another node.
  bool is_single_pod = false;

  friend bool operator==(const WorkloadTopology&, const WorkloadTopology&) = default;
};

// --- Placements ----------------------------------------------------------------------------------

// Pods in a leaf.
struct DomainPods {
  DomainPathId path;
  int32_t count = 0;

  friend auto operator<=>(const DomainPods&, const DomainPods&) = default;
};

// The placement of one podset.
struct PodSetPlacement {
  uint32_t pod_set = 0;
  FlavorId flavor;
  bool is_delayed = false;  // until its admission checks are ready; no domains until then
  std::vector<DomainPods> domains;

  friend bool operator==(const PodSetPlacement&, const PodSetPlacement&) = default;
};

// Why a workload with quota is considered again.
enum class SecondPass : uint8_t {
  kNone,
  kDelayedTopology,  // its checks are ready: its podsets can be placed now
  kFailedNode,       // a node of its placement failed
};

}  // namespace berth::engine

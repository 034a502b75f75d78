#pragma once

// All topologies of the cluster: nodes, the domains of every flavor with a topology, and the usage
// of leaves by workloads.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/inline_vector.h"
#include "engine/ids.h"
#include "engine/topology/fit_cache.h"
#include "engine/topology/leaf_usage.h"
#include "engine/topology/node_match.h"
#include "engine/topology/path_table.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/topology_forest.h"
#include "engine/topology/topology_spec.h"

namespace berth::engine {

// The nodes with all labels of a flavor, and those of them that are in no domain.
struct FlavorNodes {
  size_t total = 0;
  size_t unusable = 0;       // not ready or unschedulable
  size_t without_level = 0;  // usable, without a label for a level of the topology
  // In a domain, with the hostname of another one. Such a domain has no capacity.
  size_t same_hostname = 0;

  friend bool operator==(const FlavorNodes&, const FlavorNodes&) = default;
};

class Topologies {
 public:
  // `shares_hosts`: flavors with hostnames see each other's usage (TASHandleOverlappingFlavors).
  Topologies(ResourceId pods, bool shares_hosts);

  // --- Names -------------------------------------------------------------------------------------
  // The leaf that these values identify in placements: the hostname alone, or all values.
  DomainPathId Path(std::span<const std::string> values);
  std::vector<std::string> ValuesOf(DomainPathId path) const;
  std::string_view LastValueOf(DomainPathId path) const;
  // The characters of all values, with one between them.
  size_t LengthOf(DomainPathId path) const;
  // kNoNodeColumn if neither a node nor a placed workload has the resource.
  NodeColumn ColumnOf(ResourceId resource) const;

  // --- Configuration -----------------------------------------------------------------------------
  // Changes of flavors and topologies forget all usage.
  void SetTopology(const TopologySpec& spec);
  void RemoveTopology(std::string_view name);
  void SetFlavor(const TopologyFlavorSpec& spec);
  void RemoveFlavor(FlavorId flavor);
  void SetMatcher(NodeMatcher matcher);

  // --- Nodes, in O(flavors x levels x log domains) -----------------------------------------------
  const std::string& NodeName(ClusterNodeId id) const {
    return names_.Name(nodes_[id.index()].name);
  }
  // The id is that of the name until the node is removed and no pods are on it.
  ClusterNodeId SetNode(const ClusterNodeSpec& spec);
  void RemoveNode(std::string_view name);
  // The requests of pods on the node that are not placed here, with their number as `pods`.
  void SetOtherUsage(std::string_view node, std::span<const Request> requests);
  // The flavors that the node belongs to.
  std::vector<FlavorId> FlavorsOf(std::string_view node) const;
  // O(nodes). Precondition: the flavor has a topology.
  FlavorNodes CountNodes(FlavorId flavor) const;

  // --- Domains -----------------------------------------------------------------------------------
  // Null if the flavor has no topology, or its Topology is missing.
  const TopologyForest* Find(FlavorId flavor) const;
  const NodeMatchCache::Row* MatchesOf(FlavorId flavor, NodeMatchId match);
  // See FitCache::Update.
  std::vector<DomainFit>& FitsOf(const PlacementRequest& request);
  // What is free in a leaf beyond all usage; may be negative.
  int64_t FreeIn(const TopologyForest& forest, LeafIndex leaf, NodeColumn column) const;
  LeafUsage& usage() { return usage_; }
  const LeafUsage& usage() const { return usage_; }

  // --- Usage of workloads ------------------------------------------------------------------------
  // Adds the pods `times` times; -1 removes them. Flavors without a topology charge nothing.
  void AddUsage(const PodSetTopology& request, const PodSetPlacement& placement, int32_t times);
  // Whether the requests of so many more pods fit into the leaf, beside the usage that the flavor
  // sees now. As in Kueue, the pod limit of nodes does not count here.
  bool FitsNow(const PodSetTopology& request, FlavorId flavor, const DomainPods& pods) const;
  // Whether so many more pods fit into the leaf, with their number, beside the lasting usage and
  // what the current cycle has decided in all flavors.
  bool FitsForGood(const PodSetTopology& request, FlavorId flavor, const DomainPods& pods) const;

  // --- Preferred affinity ------------------------------------------------------------------------
  // As in Kueue, scores of preferred node affinity count only in the first placement of a podset in
  // a flavor within one cycle. True for that one.
  bool TakeFirstScore(WorkloadId workload, uint32_t pod_set, FlavorId flavor);
  void StartCycle() { scored_.clear(); }

 private:
  friend class NodeTrial;

  // There may be a hundred thousand of these.
  struct ClusterNode {
    struct Label {
      LabelNameId key;
      LabelNameId value;
    };
    struct Place {
      FlavorId flavor;
      LeafIndex leaf;
    };
    LabelNameId name;       // none: the id is free
    bool is_known = false;  // pods may name a node before it is there
    bool is_usable = false;
    std::vector<Label> labels;
    std::vector<int64_t> allocatable;  // by column
    std::vector<int64_t> other;        // by column
    base::InlineVector<Place, 1> places;
  };
  struct Flavor {
    bool is_set = false;
    TopologyFlavorSpec spec;
    std::unique_ptr<TopologyForest> forest;
    std::optional<UsageArrays> usage;  // if its leaves are no hosts, its own
  };
  struct Scored {
    WorkloadId workload;
    uint32_t pod_set;
    FlavorId flavor;
    friend bool operator==(const Scored&, const Scored&) = default;
  };

  NodeColumn EnsureColumn(ResourceId resource);
  ClusterNodeId FindNode(std::string_view name) const;
  ClusterNodeId FindOrAddNode(std::string_view name);
  void FreeIfUnused(ClusterNodeId id);
  void SetLabels(const std::vector<NodeLabel>& labels, ClusterNode& node);
  // The value of the label; none if the node does not have it.
  LabelNameId FindLabel(const ClusterNode& node, std::string_view key) const;
  bool HasLabels(const ClusterNode& node, const std::vector<NodeLabel>& wanted) const;
  Flavor& FlavorRecord(FlavorId id);
  void Rebuild(FlavorId id);
  void DropGoneLeaves();
  void RebuildUsersOf(std::string_view topology);
  UsageArrays ArraysOf(Flavor& flavor, const std::vector<std::string>& levels);
  void ForgetUsage();
  bool FitsIn(UsageLayer layer, const PodSetTopology& request, FlavorId flavor,
              const DomainPods& pods) const;
  // Adds the node to the forests of its flavors, or removes it.
  void Enter(ClusterNodeId id);
  void EnterFlavor(ClusterNodeId id, FlavorId flavor);
  void TakeOut(ClusterNodeId id, FlavorId flavor, LeafIndex leaf);
  void AddCapacity(const ClusterNode& node, TopologyForest& forest, LeafIndex leaf, int32_t times);
  void Leave(ClusterNodeId id);
  void LeaveFlavor(ClusterNodeId id, FlavorId flavor);

  bool shares_hosts_;
  LeafUsage usage_;
  UsageArrays host_usage_;  // shared; without `tried`
  NodeMatchCache matches_;
  FitCache fits_;
  std::vector<NodeColumn> columns_;  // by ResourceId
  LabelNames names_;
  PathTable paths_{names_};
  std::deque<ClusterNode> nodes_;  // by ClusterNodeId
  std::vector<ClusterNodeId> free_nodes_;
  std::vector<ClusterNodeId> node_of_name_;                                  // by LabelNameId
  std::vector<Flavor> flavors_;                                              // by FlavorId
  std::map<std::string, std::vector<std::string>, std::less<>> topologies_;  // levels by name
  std::vector<Scored> scored_;
};

}  // namespace berth::engine

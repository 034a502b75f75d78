#pragma once

// The additional room in the topology of a flavor that would admit a podset.
//
// Freed room: slices are completed where the fewest pods are missing, domains of the slice level in
// the order of paths where they are equal; below one, pods go to the leaves with the most room. At
// most as much is freed as placed workloads use. Only the number of slices is minimal.
//
// Added nodes: like the node that can hold the most, beside it. Their number is minimal.
//
// A required level is tried in the domains with the most room, and the smallest change is chosen.

#include <functional>
#include <utility>
#include <vector>

#include "engine/explain/explanation.h"
#include "engine/state.h"
#include "engine/topology/domain_fit.h"
#include "engine/topology/node_trial.h"
#include "engine/topology/placement_request.h"

namespace berth::engine {

class MoreRoom {
 public:
  // `request` is the request of the workers. `admits` is evaluated in the changed state.
  MoreRoom(State& state, const TopologySearch& search, const PodSetTopology& request,
           std::function<bool()> admits);

  // Empty if that does not help.
  std::vector<FreedRoom> FindFreed();
  // No nodes if that does not help.
  TopologyChange FindNodes();

 private:
  // Pods that a leaf has more room for, beyond those that fit now.
  using MorePods = std::vector<std::pair<LeafIndex, int32_t>>;

  // Where the pods of a required level may go; kNoDomain: anywhere.
  std::vector<DomainIndex> DomainsToTry() const;
  // The leaves that match, below the domain.
  std::vector<LeafIndex> LeavesBelow(DomainIndex domain) const;

  // Each completes one more slice.
  std::vector<MorePods> StepsIn(DomainIndex domain) const;
  int32_t MissingIn(DomainIndex slice_domain) const;
  void AddSteps(DomainIndex slice_domain, const std::vector<LeafIndex>& leaves,
                std::vector<MorePods>& steps) const;
  static MorePods SumOf(const std::vector<MorePods>& steps, int64_t count);
  std::vector<Request> Missing(LeafIndex leaf, int32_t pods) const;
  bool AdmitsWith(const MorePods& more);

  LeafIndex LargestLeaf(DomainIndex domain) const;
  bool AdmitsWithNodesLike(LeafIndex leaf, int32_t count);

  State& state_;
  const TopologySearch& search_;
  std::function<bool()> admits_;
  const TopologyForest& forest_;
  PlacementRequest request_;
  std::vector<ResourceId> resources_;  // in the order of request_.worker
  std::vector<DomainFit> fits_, empty_fits_;
};

}  // namespace berth::engine

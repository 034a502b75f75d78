#pragma once

// Step 1 of a placement: how many pods and slices fit into each domain.
//
//   leaf      pods = min over resources of floor(free / request); 0 if its node does not match
//   parent    pods = sum of its children; of a child at a level with an inner slice size, only
//   whole
//             inner slices count
//   slices    at the slice level floor(pods / slice size), above it the sum of the children, below
//             it 0
//
// With a leader each domain also has the numbers that remain if the leader is placed below it. At a
// leaf the leader is subtracted first. A parent loses what the cheapest child that can take the
// leader loses.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/topology/leaf_usage.h"
#include "engine/topology/node_match.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

struct DomainFit {
  int32_t pods = 0;
  int32_t pods_with_leader = 0;
  int32_t slices = 0;
  int32_t slices_with_leader = 0;
  int32_t leaders = 0;  // 1: the leader fits somewhere below
  int64_t score = 0;    // preferred node affinity, summed over nodes

  friend bool operator==(const DomainFit&, const DomainFit&) = default;
};

// The sums of a parent while its children are added.
class ParentFit {
 public:
  ParentFit(const PlacementRequest& request, size_t level) : request_(request), level_(level) {}

  void AddChild(const DomainFit& child);
  DomainFit Finish() const;

 private:
  const PlacementRequest& request_;
  size_t level_;
  DomainFit sum_;
  bool has_place_for_leader_ = false;
  int32_t least_lost_pods_ = 0;
  int32_t least_lost_slices_ = 0;
};

// Counts into `fits`, which is by DomainIndex.
class FitCounter {
 public:
  // All must outlive this.
  FitCounter(const TopologyForest& forest, const LeafUsage& usage,
             const NodeMatchCache::Row* matches, const PlacementRequest& request);

  // Every domain; without the usage that the request assumes.
  void CountAll(std::vector<DomainFit>& fits) const;
  // These leaves, which may be given more than once, and the domains above them.
  void CountAgain(std::span<const LeafIndex> leaves, std::vector<DomainFit>& fits) const;
  // The leaves with usage that the request assumes, and the domains above them.
  void CountAssumed(std::vector<DomainFit>& fits) const;

 private:
  bool IsAllowed(LeafIndex leaf) const;
  DomainFit FitOf(LeafIndex leaf, const int64_t* assumed) const;
  DomainFit SumOf(DomainIndex parent, const std::vector<DomainFit>& fits) const;
  // `domains` are of one level.
  void SumUpAbove(std::vector<DomainIndex> domains, std::vector<DomainFit>& fits) const;

  const TopologyForest& forest_;
  const LeafUsage& usage_;
  const NodeMatchCache::Row* matches_;
  const PlacementRequest& request_;
  int64_t most_pods_;  // per leaf, so that sums do not overflow
};

// Fills in the fit of every domain.
void CountFits(const TopologyForest& forest, const LeafUsage& usage,
               const NodeMatchCache::Row* matches, const PlacementRequest& request,
               std::vector<DomainFit>& fits);

}  // namespace berth::engine

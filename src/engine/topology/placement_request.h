#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/ids.h"
#include "engine/topology/leaf_usage.h"
#include "engine/topology/topology_forest.h"
#include "engine/topology/topology_spec.h"

namespace berth::engine {

// What one pod needs of a resource of nodes. A resource that no node has is kNoNodeColumn.
inline constexpr NodeColumn kNoNodeColumn = ~NodeColumn{0};
struct NodeRequest {
  NodeColumn column = kNoNodeColumn;
  int64_t amount = 0;

  friend auto operator<=>(const NodeRequest&, const NodeRequest&) = default;
};

// Usage that earlier podsets of the same workload will add to a leaf.
struct AssumedUsage {
  DomainPathId path;
  std::vector<int64_t> amounts;  // by column
};

// The request of one podset, or of a group of a leader and workers, in the terms of one forest.
struct PlacementRequest {
  FlavorId flavor;
  TopologyKind kind = TopologyKind::kUnconstrained;
  int32_t count = 0;        // of workers
  bool has_leader = false;  // one more pod, below the same domain of the requested level
  size_t level = 0;
  size_t slice_level = 0;  // not above `level`
  int32_t slice_size = 1;
  std::vector<int32_t> inner_sizes;  // by level below the slice level; 0: none
  std::vector<NodeRequest> worker;   // amounts above 0 alone, with one of `pods`
  std::vector<NodeRequest> leader;
  NodeMatchId match;
  DomainIndex within = kNoDomain;  // place in this domain alone
  bool ignores_usage = false;      // as if no workload were placed
  bool uses_scores = false;        // rank domains by preferred node affinity
  bool takes_least_free = false;   // the profile LeastFreeCapacity
  bool may_balance = false;        // balanced placement of a preferred request
  std::vector<AssumedUsage> assumed;

  // Slices that hold all pods. The last one may be incomplete: no pod is left without a place.
  int32_t slice_count() const {
    return static_cast<int32_t>((int64_t{count} + slice_size - 1) / slice_size);
  }
  // The pods of that many whole slices.
  int64_t pods_of_slices() const { return int64_t{slice_count()} * slice_size; }
  int32_t InnerSize(size_t at_level) const {
    return at_level < inner_sizes.size() ? inner_sizes[at_level] : 0;
  }
};

}  // namespace berth::engine

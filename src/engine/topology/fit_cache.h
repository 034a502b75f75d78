#pragma once

// The fits of all domains for requests that were placed before.
//
// A cycle places many equal pods one after the other, and each placement changes a few leaves. The
// cache follows these changes instead of counting all leaves again.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/topology/change_log.h"
#include "engine/topology/domain_fit.h"
#include "engine/topology/leaf_usage.h"
#include "engine/topology/node_match.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

class FitCache {
 public:
  // What CountFits counts, without `within` and `assumed`. Who changes it changes it back. Valid
  // until the next call. Precondition: `matches` is up to date.
  std::vector<DomainFit>& Update(const TopologyForest& forest, const LeafUsage& usage,
                                 const NodeMatchCache::Row* matches,
                                 const PlacementRequest& request);
  void Erase(FlavorId flavor);
  void Clear();

 private:
  // What fits depend on besides the nodes and their usage.
  struct Key {
    FlavorId flavor;
    NodeMatchId match;
    std::vector<NodeRequest> worker;
    std::vector<NodeRequest> leader;
    std::vector<int32_t> inner_sizes;
    size_t slice_level = 0;
    int32_t slice_size = 1;
    bool has_leader = false;
    bool ignores_usage = false;
    bool uses_scores = false;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Row {
    std::vector<DomainFit> fits;
    size_t leaf_count = 0;
    // Read so far.
    ChangeLog::Position nodes = ChangeLog::kNothingRead;
    ChangeLog::Position lasting = ChangeLog::kNothingRead;
    ChangeLog::Position tried = ChangeLog::kNothingRead;
    uint64_t last_use = 0;
  };
  static constexpr size_t kMostRows = 256;
  static constexpr size_t kMostFits = size_t{1} << 20;  // of all rows: 32 MiB

  static Key KeyOf(const PlacementRequest& request);
  // Fills in changed_. False if it is not known, or too long.
  bool FindChanged(const TopologyForest& forest, const LeafUsage& usage, const Row& row,
                   bool ignores_usage);
  void DropOldRows(const Row& current);

  std::map<Key, Row> rows_;
  std::vector<LeafIndex> changed_;
  uint64_t uses_ = 0;
};

}  // namespace berth::engine

#pragma once

// For balanced placement: which of several domains to use together.

#include <cstdint>
#include <vector>

#include "engine/topology/domain_fit.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

// The domains that a greedy placement would use: the leader first, then the largest.
struct GreedyTest {
  bool fits = false;
  int32_t domain_count = 0;
  DomainIndex leader_domain = kNoDomain;
  DomainIndex last_domain = kNoDomain;  // without the leader
};
GreedyTest TestGreedily(const TopologyForest& forest, const PlacementRequest& request,
                        std::vector<DomainFit>& fits, const std::vector<DomainIndex>& domains);

enum class CandidateOrder : uint8_t {
  kByPath,
  // Can take the leader, more slices with it, higher entropy of the children's pods, path.
  kByEntropy,
};

// The smallest set of domains, with the smallest sufficient capacity among the smallest sets. Empty
// if there is none.
std::vector<DomainIndex> FindDomainSet(const TopologyForest& forest,
                                       const PlacementRequest& request,
                                       std::vector<DomainFit>& fits,
                                       std::vector<DomainIndex> domains, CandidateOrder order);

}  // namespace berth::engine

#pragma once

// The placement of one podset, or of a group of a leader and workers, in the domains of a flavor.
//
// Steps 2 and 3 follow step 1 (domain_fit.h). A unit is a slice, or a pod where there are none.
//
// Step 2, the domains at one level:
//   BestFit     if the first domain in order can take everything, the smallest sufficient one
//   LeastFree   the first domain in order that can take everything
//   otherwise   required: no placement. Preferred: one level up. Unconstrained, or at the top:
//   spread
//               over several domains in order, the one with the leader first; with BestFit the last
//               one is the smallest that suffices.
//
// Step 3, downwards: each chosen domain gets as much as it can take, the last one the rest. Down to
// the slice level, the children of all chosen domains form one list and the whole count is
// distributed again. Below it each domain distributes its own pods, in single pods or in units of
// the inner slice size of that level.
//
// Every pod gets a place: if the count is no multiple of the slice size, the last slice is
// incomplete.

#include <cstdint>
#include <vector>

#include "engine/topology/distribution.h"
#include "engine/topology/domain_fit.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/search_fits.h"
#include "engine/topology/topologies.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

struct Placement {
  bool is_found = false;
  std::vector<DomainPods> workers;  // in the order of level values
  std::vector<DomainPods> leader;
  // If not found: units that fit in the best domain, or in all, of how many.
  int32_t fitting = 0;
  int32_t needed = 0;
};

// Domains of one level that take all pods. Their fits are their shares.
struct ChosenDomains {
  size_t level = 0;
  std::vector<DomainIndex> domains;
  bool is_balanced = false;
};

// Existing domains of a level.
std::vector<DomainIndex> ExistingAt(const TopologyForest& forest, size_t level);
std::vector<DomainIndex> ExistingChildren(const TopologyForest& forest,
                                          const std::vector<DomainIndex>& parents);

// Keeps its buffers between searches.
class PlacementSearch {
 public:
  // Precondition: the flavor of the request has a topology.
  void Find(Topologies& topologies, const PlacementRequest& request, Placement& out);

 private:
  std::vector<DomainFit>& Count(Topologies& topologies);
  // Step 2.
  bool FindAt(size_t level, ChosenDomains& chosen);
  DomainIndex FindSingle(OrderedDomains& domains);
  bool Spread(size_t level, OrderedDomains domains, ChosenDomains& chosen);
  bool CanTakeAll(DomainIndex domain) const;
  // Step 3.
  bool Descend(ChosenDomains& chosen);
  bool ShareAmongAll(ChosenDomains& chosen);
  bool ShareBelowEach(ChosenDomains& chosen);
  Unit UnitBelow(size_t level) const;

  std::vector<DomainIndex> WithoutEmpty(std::vector<DomainIndex> domains) const;
  void Collect(const ChosenDomains& chosen, Placement& out) const;

  const TopologyForest* forest_ = nullptr;
  const PlacementRequest* request_ = nullptr;
  std::vector<DomainFit> own_;  // by DomainIndex
  SearchFits fits_{own_};
  int32_t fitting_ = 0;
};

}  // namespace berth::engine

#pragma once

// Balanced placement of a preferred request (gate TASBalancedPlacement): pods are spread evenly
// over as few domains as possible.
//
// R is the requested level, S the slice level, and the work level R + 1 if R is above S, else R.
//
//   1. For the children at R of every domain above (at the top: all of them together) a greedy test
//      on the domains of the work level tells how many of them are needed. The threshold t is what
//      each of them can hold at least: floor(slices / domains), and no more than the domain of the
//      leader and the last domain can take.
//   2. Domains below t are dropped. What is left must still fit at R; with a leader, t may be
//   lowered
//      once to leave room for it. The best set has the highest t, then the fewest domains at R,
//      then the parent that comes first.
//   3. If R is above S, the domains at R are chosen: as few as the greedy test needs, with the
//      smallest capacity that suffices; then in the same way those of the work level below them.
//   4. Each gets t slices; the others go to the domains in order, as many as each can take.
//
// If any step fails, the ordinary placement is used.

#include <vector>

#include "engine/topology/domain_fit.h"
#include "engine/topology/placement.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

// Fills in the domains of the work level and their shares. Otherwise returns false and leaves the
// fits unchanged.
bool BalancePods(const TopologyForest& forest, const PlacementRequest& request,
                 std::vector<DomainFit>& fits, ChosenDomains& chosen);

}  // namespace berth::engine

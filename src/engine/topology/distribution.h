#pragma once

// Step 3 of a placement: the distribution of a count over the domains of one list.
//
// Domains are filled in order, and the last one takes the rest. With BestFit, as soon as the
// current domain could take the rest, the smallest sufficient one of the remaining domains is used
// instead. A leader goes with the first domain that can take it without making the total capacity
// insufficient.

#include <cstdint>
#include <vector>

#include "engine/topology/domain_fit.h"
#include "engine/topology/domain_order.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/search_fits.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

// What is distributed: units of `size` pods. Slices are counted by the slices of a domain, single
// pods by its pods.
struct Unit {
  int32_t size = 1;
  bool is_slice = false;
};

class Distribution {
 public:
  // `fits` are capacities; a domain that gets a share has its share instead.
  Distribution(const TopologyForest& forest, const PlacementRequest& request, SearchFits& fits)
      : forest_(forest), request_(request), fits_(fits) {}

  OrderedDomains InOrder(std::vector<DomainIndex> domains, bool places_leader) const;
  OrderedDomains AsGiven(std::vector<DomainIndex> domains) const;

  int32_t CapacityOf(DomainIndex domain, Unit unit, bool with_leader) const;
  // The smallest domain from this place on that can take the units and, if wanted, the leader. With
  // scores, among those with the score of the first. Precondition: the first one can.
  DomainIndex SmallestSufficient(OrderedDomains& domains, size_t from, int32_t units,
                                 bool with_leader, Unit unit) const;
  void PutLeaderFirst(OrderedDomains& domains, int32_t units, Unit unit) const;

  // Appends the domains with a share to `chosen`. False if the domains do not suffice.
  bool Share(OrderedDomains& domains, int64_t pods, int32_t leaders, Unit unit,
             std::vector<DomainIndex>& chosen);

 private:
  bool TakeWithLeader(OrderedDomains& domains, size_t place, Unit unit,
                      std::vector<DomainIndex>& chosen);
  bool Take(OrderedDomains& domains, size_t place, Unit unit, std::vector<DomainIndex>& chosen);
  void SetShare(DomainIndex domain, int32_t units, int32_t leaders, Unit unit);

  const TopologyForest& forest_;
  const PlacementRequest& request_;
  SearchFits& fits_;
  int32_t units_left_ = 0;
  int32_t leaders_left_ = 0;
};

}  // namespace berth::engine

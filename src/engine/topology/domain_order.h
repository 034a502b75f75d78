#pragma once

// The order in which domains of one level are considered. Ties go on with the next key.
//
//                                         BestFit        LeastFreeCapacity
//   1 while a leader is to be placed      can take it    can take it
//   2 with preferred node affinity        higher score   higher score
//   3 slices                              more           fewer
//   4 pods                                fewer          fewer
//   5 values of the path                  as strings     as strings
//
// Slices and pods are those with a leader if key 1 applies.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/topology/domain_fit.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

class DomainOrder {
 public:
  struct Profile {
    bool places_leader = false;
    bool uses_scores = false;
    bool takes_least_free = false;
  };

  DomainOrder(const TopologyForest& forest, const std::vector<DomainFit>& fits, Profile profile)
      : forest_(&forest), fits_(&fits), profile_(profile) {}

  bool operator()(DomainIndex a, DomainIndex b) const {
    const DomainFit& x = (*fits_)[a];
    const DomainFit& y = (*fits_)[b];
    if (profile_.places_leader && x.leaders != y.leaders) return x.leaders > y.leaders;
    if (profile_.uses_scores && x.score != y.score) return x.score > y.score;
    const int32_t x_slices = profile_.places_leader ? x.slices_with_leader : x.slices;
    const int32_t y_slices = profile_.places_leader ? y.slices_with_leader : y.slices;
    if (x_slices != y_slices)
      return profile_.takes_least_free ? x_slices < y_slices : x_slices > y_slices;
    const int32_t x_pods = profile_.places_leader ? x.pods_with_leader : x.pods;
    const int32_t y_pods = profile_.places_leader ? y.pods_with_leader : y.pods;
    if (x_pods != y_pods) return x_pods < y_pods;
    return forest_->ComesBefore(a, b);
  }

 private:
  const TopologyForest* forest_;
  const std::vector<DomainFit>* fits_;
  Profile profile_;
};

// Domains in order, sorted only as far as they are looked at: a placement of a thousand pods does
// not sort sixty thousand nodes. Fits of domains that were passed may change, those of later ones
// must not.
class OrderedDomains {
 public:
  OrderedDomains(std::vector<DomainIndex> domains, DomainOrder order)
      : domains_(std::move(domains)), order_(order) {}
  // Keeps the order of the list.
  static OrderedDomains AsGiven(std::vector<DomainIndex> domains, DomainOrder order) {
    OrderedDomains given(std::move(domains), order);
    given.sorted_ = given.size();
    return given;
  }

  size_t size() const { return domains_.size(); }
  DomainIndex operator[](size_t place) {
    if (place >= sorted_) SortUpTo(place + 1);
    return domains_[place];
  }
  // All of them in order.
  std::span<DomainIndex> Sorted() {
    SortUpTo(domains_.size());
    return domains_;
  }
  // The first domain in order, from this place on, with the smallest sufficient size. kNoDomain if
  // there is none. O(domains): nothing is sorted.
  template <class SizeOf>
  DomainIndex Smallest(size_t from, int32_t sufficient, SizeOf size_of) {
    DomainIndex best = kNoDomain;
    int32_t best_size = 0;
    bool is_best_in_order = false;
    for (size_t i = from; i < domains_.size(); ++i) {
      const int32_t size = size_of(domains_[i]);
      if (size < sufficient || (best != kNoDomain && size > best_size)) continue;
      const bool is_tie = best != kNoDomain && size == best_size;
      if (is_tie && (is_best_in_order || !order_(domains_[i], best))) continue;
      best = domains_[i];
      best_size = size;
      is_best_in_order = i < sorted_;
    }
    return best;
  }
  // Those for which `keeps` holds, in any order.
  template <class Keeps>
  std::vector<DomainIndex> Where(Keeps keeps) const {
    std::vector<DomainIndex> kept;
    for (const DomainIndex domain : domains_)
      if (keeps(domain)) kept.push_back(domain);
    return kept;
  }
  const DomainOrder& order() const { return order_; }
  // Only those from this place on, as far as `keeps` holds. Sorts all of them.
  template <class Keeps>
  std::vector<DomainIndex> Run(size_t from, Keeps keeps) {
    SortUpTo(domains_.size());
    std::vector<DomainIndex> run;
    for (size_t i = from; i < domains_.size() && keeps(domains_[i]); ++i)
      run.push_back(domains_[i]);
    return run;
  }
  // Moves a domain to the front, before those in order ahead of it. Sorts all of them.
  void MoveToFront(size_t place);

 private:
  void SortUpTo(size_t count);

  std::vector<DomainIndex> domains_;
  DomainOrder order_;
  size_t sorted_ = 0;
};

}  // namespace berth::engine

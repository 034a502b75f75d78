#include "engine/topology/distribution.h"

#include <algorithm>

namespace berth::engine {

OrderedDomains Distribution::InOrder(std::vector<DomainIndex> domains, bool places_leader) const {
  return {std::move(domains), DomainOrder(forest_, fits_.all(),
                                          {.places_leader = places_leader,
                                           .uses_scores = request_.uses_scores,
                                           .takes_least_free = request_.takes_least_free})};
}

OrderedDomains Distribution::AsGiven(std::vector<DomainIndex> domains) const {
  return OrderedDomains::AsGiven(std::move(domains), DomainOrder(forest_, fits_.all(), {}));
}

int32_t Distribution::CapacityOf(DomainIndex domain, Unit unit, bool with_leader) const {
  const DomainFit& fit = fits_[domain];
  if (unit.is_slice) return with_leader ? fit.slices_with_leader : fit.slices;
  return with_leader ? fit.pods_with_leader : fit.pods;
}

DomainIndex Distribution::SmallestSufficient(OrderedDomains& domains, size_t from, int32_t units,
                                             bool with_leader, Unit unit) const {
  const auto size_of = [&](DomainIndex domain) {
    if (with_leader && fits_[domain].leaders == 0) return -1;
    return CapacityOf(domain, unit, with_leader);
  };
  if (!request_.uses_scores) return domains.Smallest(from, units, size_of);
  const int64_t score = fits_[domains[from]].score;
  OrderedDomains equal =
      AsGiven(domains.Run(from, [&](DomainIndex domain) { return fits_[domain].score == score; }));
  return equal.Smallest(0, units, size_of);
}

void Distribution::PutLeaderFirst(OrderedDomains& domains, int32_t units, Unit unit) const {
  if (domains.size() < 2) return;
  int64_t total = 0;
  for (const DomainIndex domain : domains.Sorted()) total += CapacityOf(domain, unit, false);
  for (size_t i = 0; i < domains.size(); ++i) {
    const DomainIndex domain = domains[i];
    const int32_t lost = CapacityOf(domain, unit, false) - CapacityOf(domain, unit, true);
    if (fits_[domain].leaders == 0 || total - lost < units) continue;
    return domains.MoveToFront(i);
  }
}

void Distribution::SetShare(DomainIndex domain, int32_t units, int32_t leaders, Unit unit) {
  DomainFit& fit = fits_.Change(domain);
  if (unit.is_slice) fit.slices = units;
  fit.pods = units * unit.size;
  fit.leaders = leaders;
}

bool Distribution::Share(OrderedDomains& domains, int64_t pods, int32_t leaders, Unit unit,
                         std::vector<DomainIndex>& chosen) {
  units_left_ = static_cast<int32_t>((pods + unit.size - 1) / unit.size);
  leaders_left_ = leaders;
  if (leaders > 0) PutLeaderFirst(domains, units_left_, unit);
  for (size_t i = 0; i < domains.size(); ++i) {
    const bool is_done = leaders_left_ > 0 ? TakeWithLeader(domains, i, unit, chosen)
                                           : Take(domains, i, unit, chosen);
    if (is_done) return true;
  }
  return false;
}

// True if nothing is left.
bool Distribution::TakeWithLeader(OrderedDomains& domains, size_t place, Unit unit,
                                  std::vector<DomainIndex>& chosen) {
  DomainIndex domain = domains[place];
  const bool suffices =
      CapacityOf(domain, unit, true) >= units_left_ && fits_[domain].leaders >= leaders_left_;
  if (suffices && !request_.takes_least_free)
    domain = SmallestSufficient(domains, place, units_left_, true, unit);
  const int32_t units = std::min(CapacityOf(domain, unit, true), units_left_);
  const int32_t leaders = std::min(fits_[domain].leaders, leaders_left_);
  SetShare(domain, units, leaders, unit);
  chosen.push_back(domain);
  units_left_ -= units;
  leaders_left_ -= leaders;
  return suffices;
}

bool Distribution::Take(OrderedDomains& domains, size_t place, Unit unit,
                        std::vector<DomainIndex>& chosen) {
  DomainIndex domain = domains[place];
  const bool suffices = CapacityOf(domain, unit, false) >= units_left_;
  if (suffices && !request_.takes_least_free)
    domain = SmallestSufficient(domains, place, units_left_, false, unit);
  const int32_t units = std::min(CapacityOf(domain, unit, false), units_left_);
  SetShare(domain, units, 0, unit);
  chosen.push_back(domain);
  units_left_ -= units;
  return suffices;
}

}  // namespace berth::engine

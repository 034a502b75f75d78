#include "engine/topology/placement.h"

#include <algorithm>

#include "engine/topology/balanced_placement.h"

namespace berth::engine {

std::vector<DomainIndex> ExistingAt(const TopologyForest& forest, size_t level) {
  std::vector<DomainIndex> domains;
  domains.reserve(forest.DomainsAt(level).size());
  for (const DomainIndex domain : forest.DomainsAt(level))
    if (forest.Exists(domain)) domains.push_back(domain);
  return domains;
}

std::vector<DomainIndex> ExistingChildren(const TopologyForest& forest,
                                          const std::vector<DomainIndex>& parents) {
  std::vector<DomainIndex> children;
  for (const DomainIndex parent : parents)
    for (const DomainIndex child : forest.domain(parent).children)
      if (forest.Exists(child)) children.push_back(child);
  return children;
}

void PlacementSearch::Find(Topologies& topologies, const PlacementRequest& request,
                           Placement& out) {
  forest_ = topologies.Find(request.flavor);
  request_ = &request;
  fitting_ = 0;
  out = {.workers = {}, .leader = {}, .needed = request.slice_count()};
  fits_ = SearchFits(Count(topologies));
  ChosenDomains chosen;
  const bool is_balanced = request.may_balance && BalancePods(*forest_, request, own_, chosen);
  out.is_found = (is_balanced || FindAt(request.level, chosen)) && Descend(chosen);
  out.fitting = fitting_;
  if (out.is_found) Collect(chosen, out);
  fits_.Restore();
}

// The cached fits if they are for no other request, else own ones.
std::vector<DomainFit>& PlacementSearch::Count(Topologies& topologies) {
  if (request_->within != kNoDomain) {
    CountFits(*forest_, topologies.usage(), topologies.MatchesOf(request_->flavor, request_->match),
              *request_, own_);
    return own_;
  }
  std::vector<DomainFit>& cached = topologies.FitsOf(*request_);
  if (request_->assumed.empty() && !request_->may_balance) return cached;
  own_ = cached;
  FitCounter(*forest_, topologies.usage(), topologies.MatchesOf(request_->flavor, request_->match),
             *request_)
      .CountAssumed(own_);
  return own_;
}

// --- Step 2: the domains at one level ------------------------------------------------------------

bool PlacementSearch::CanTakeAll(DomainIndex domain) const {
  const DomainFit& fit = fits_[domain];
  if (request_->has_leader && fit.leaders == 0) return false;
  return fit.slices_with_leader >= request_->slice_count();
}

// The one domain that takes everything; kNoDomain if there is none.
DomainIndex PlacementSearch::FindSingle(OrderedDomains& domains) {
  const Distribution distribution(*forest_, *request_, fits_);
  const Unit slice{.size = request_->slice_size, .is_slice = true};
  const int32_t units = request_->slice_count();
  if (request_->takes_least_free) {
    const std::vector<DomainIndex> sufficient =
        domains.Where([&](DomainIndex domain) { return CanTakeAll(domain); });
    return sufficient.empty() ? kNoDomain : *std::ranges::min_element(sufficient, domains.order());
  }
  if (CanTakeAll(domains[0]))
    return distribution.SmallestSufficient(domains, 0, units, request_->has_leader, slice);
  if (request_->kind != TopologyKind::kRequired || !request_->uses_scores) return kNoDomain;
  // The domain with the best score is too small: the next ones that suffice.
  for (size_t i = 1; i < domains.size(); ++i) {
    if (CanTakeAll(domains[i]))
      return distribution.SmallestSufficient(domains, i, units, request_->has_leader, slice);
  }
  return kNoDomain;
}

bool PlacementSearch::FindAt(size_t level, ChosenDomains& chosen) {
  const Distribution distribution(*forest_, *request_, fits_);
  OrderedDomains domains = distribution.InOrder(ExistingAt(*forest_, level), true);
  if (domains.size() == 0) return false;
  if (const DomainIndex single = FindSingle(domains); single != kNoDomain) {
    chosen = {.level = level, .domains = {single}};
    return true;
  }
  if (request_->kind == TopologyKind::kRequired) {
    fitting_ = fits_[domains[0]].slices;
    return false;
  }
  if (request_->kind == TopologyKind::kPreferred && level > 0) return FindAt(level - 1, chosen);
  return Spread(level, std::move(domains), chosen);
}

bool PlacementSearch::Spread(size_t level, OrderedDomains domains, ChosenDomains& chosen) {
  const Distribution distribution(*forest_, *request_, fits_);
  const Unit slice{.size = request_->slice_size, .is_slice = true};
  int32_t left = request_->slice_count();
  chosen = {.level = level, .domains = {}};
  const auto take = [&](OrderedDomains& from, size_t place, bool with_leader) {
    DomainIndex domain = from[place];
    if (!request_->takes_least_free && distribution.CapacityOf(domain, slice, with_leader) >= left)
      domain = distribution.SmallestSufficient(from, place, left, with_leader, slice);
    chosen.domains.push_back(domain);
    left -= distribution.CapacityOf(domain, slice, with_leader);
  };
  size_t first = 0;
  if (request_->has_leader) {
    distribution.PutLeaderFirst(domains, left, slice);
    if (fits_[domains[0]].leaders == 0) return false;
    take(domains, first++, true);
  }
  OrderedDomains rest = distribution.InOrder(
      request_->has_leader ? domains.Run(first, [](DomainIndex) { return true; })
                           : WithoutEmpty(domains.Where([](DomainIndex) { return true; })),
      false);
  for (size_t i = 0; left > 0 && i < rest.size(); ++i) take(rest, i, false);
  fitting_ = request_->slice_count() - std::max(0, left);
  return left <= 0;
}

// Domains that can take nothing get no share. Leaving them out saves sorting them.
std::vector<DomainIndex> PlacementSearch::WithoutEmpty(std::vector<DomainIndex> domains) const {
  std::erase_if(domains, [&](DomainIndex domain) {
    return fits_[domain].slices == 0 && fits_[domain].pods == 0;
  });
  return domains;
}

// --- Step 3: downwards ---------------------------------------------------------------------------

bool PlacementSearch::Descend(ChosenDomains& chosen) {
  Distribution distribution(*forest_, *request_, fits_);
  OrderedDomains given = distribution.AsGiven(std::move(chosen.domains));
  chosen.domains.clear();
  const Unit slice{.size = request_->slice_size, .is_slice = true};
  if (!distribution.Share(given, request_->pods_of_slices(), request_->has_leader ? 1 : 0, slice,
                          chosen.domains))
    return false;
  const size_t lowest = forest_->level_count() - 1;
  while (!chosen.is_balanced && chosen.level < std::min(lowest, request_->slice_level))
    if (!ShareAmongAll(chosen)) return false;
  while (chosen.level < lowest)
    if (!ShareBelowEach(chosen)) return false;
  return true;
}

bool PlacementSearch::ShareAmongAll(ChosenDomains& chosen) {
  Distribution distribution(*forest_, *request_, fits_);
  std::vector<DomainIndex> children = ExistingChildren(*forest_, chosen.domains);
  if (!request_->has_leader) children = WithoutEmpty(std::move(children));
  OrderedDomains in_order = distribution.InOrder(std::move(children), false);
  chosen.domains.clear();
  ++chosen.level;
  return distribution.Share(in_order, request_->pods_of_slices(), request_->has_leader ? 1 : 0,
                            {.size = request_->slice_size, .is_slice = true}, chosen.domains);
}

Unit PlacementSearch::UnitBelow(size_t level) const {
  int32_t size = request_->slice_size;  // above the slice level, if balanced
  if (level >= request_->slice_level) size = std::max(1, request_->InnerSize(level + 1));
  return {.size = size, .is_slice = size > 1};
}

bool PlacementSearch::ShareBelowEach(ChosenDomains& chosen) {
  Distribution distribution(*forest_, *request_, fits_);
  const Unit unit = UnitBelow(chosen.level);
  std::vector<DomainIndex> shares;
  for (const DomainIndex parent : chosen.domains) {
    const DomainFit share = fits_[parent];
    if (share.pods == 0 && share.leaders == 0) continue;
    OrderedDomains children = distribution.InOrder(ExistingChildren(*forest_, {parent}), false);
    // The order is that of the outer slices, the capacity that of the inner ones.
    if (unit.is_slice) {
      for (const DomainIndex child : children.Sorted()) {
        DomainFit& fit = fits_.Change(child);
        fit.slices = fit.pods / unit.size;
        fit.slices_with_leader = fit.pods_with_leader / unit.size;
      }
    }
    if (!distribution.Share(children, share.pods, share.leaders, unit, shares)) return false;
  }
  chosen.domains = std::move(shares);
  ++chosen.level;
  return true;
}

// --- The result ----------------------------------------------------------------------------------

void PlacementSearch::Collect(const ChosenDomains& chosen, Placement& out) const {
  std::vector<DomainIndex> leaves = chosen.domains;
  std::ranges::sort(leaves,
                    [&](DomainIndex a, DomainIndex b) { return forest_->ComesBefore(a, b); });
  for (const DomainIndex domain : leaves) {
    const DomainPathId path = forest_->PathOf(forest_->domain(domain).leaf);
    if (fits_[domain].leaders > 0) out.leader.push_back({path, fits_[domain].leaders});
    if (fits_[domain].pods > 0) out.workers.push_back({path, fits_[domain].pods});
  }
  int64_t surplus = request_->pods_of_slices() - request_->count;
  while (surplus > 0 && !out.workers.empty()) {
    DomainPods& last = out.workers.back();
    const auto less = static_cast<int32_t>(std::min<int64_t>(surplus, last.count));
    surplus -= less;
    last.count -= less;
    if (last.count == 0) out.workers.pop_back();
  }
}

}  // namespace berth::engine

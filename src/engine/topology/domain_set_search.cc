#include "engine/topology/domain_set_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/topology/distribution.h"

namespace berth::engine {
namespace {

double EntropyBelow(const TopologyForest& forest, const std::vector<DomainFit>& fits,
                    DomainIndex domain) {
  double total = 0;
  for (const DomainIndex child : forest.domain(domain).children) total += fits[child].pods;
  double entropy = 0;
  for (const DomainIndex child : forest.domain(domain).children) {
    if (fits[child].pods <= 0) continue;
    const double part = fits[child].pods / total;
    entropy -= part * std::log2(part);
  }
  return entropy;
}

// Sets of equal size by what is left to place. A state keeps the first set that reached it.
class DomainSets {
 public:
  DomainSets(const std::vector<DomainFit>& fits, const PlacementRequest& request, size_t most)
      : fits_(fits), by_size_(most + 1) {
    by_size_[0][{request.has_leader ? 1 : 0, request.pods_of_slices()}] = {};
  }

  void Extend(DomainIndex domain) {
    for (size_t size = by_size_.size() - 1; size > 0; --size) {
      for (const auto& [left, domains] : by_size_[size - 1]) ExtendOne(size, left, domains, domain);
    }
  }

  std::vector<DomainIndex> Best() const {
    const std::vector<DomainIndex>* best = nullptr;
    for (const auto& [left, domains] : by_size_.back()) {
      if (left.leaders == 0 && left.pods <= 0) best = &domains;  // in ascending order
    }
    return best == nullptr ? std::vector<DomainIndex>() : *best;
  }

 private:
  struct Left {
    int32_t leaders = 0;
    int64_t pods = 0;
    friend auto operator<=>(const Left&, const Left&) = default;
  };

  void ExtendOne(size_t size, Left left, const std::vector<DomainIndex>& domains,
                 DomainIndex domain) {
    if (left.leaders <= 0 && left.pods <= 0) return;
    const DomainFit& fit = fits_[domain];
    const auto add = [&](Left after) {
      if (by_size_[size].contains(after)) return;
      std::vector<DomainIndex> larger = domains;
      larger.push_back(domain);
      by_size_[size].emplace(after, std::move(larger));
    };
    if (left.leaders > 0 && fit.leaders > 0)
      add({left.leaders - fit.leaders, left.pods - fit.pods_with_leader});
    if (fit.slices > 0) add({left.leaders, left.pods - fit.pods});
  }

  const std::vector<DomainFit>& fits_;
  std::vector<std::map<Left, std::vector<DomainIndex>>> by_size_;
};

}  // namespace

GreedyTest TestGreedily(const TopologyForest& forest, const PlacementRequest& request,
                        std::vector<DomainFit>& fits, const std::vector<DomainIndex>& domains) {
  SearchFits unchanged(fits);
  const Distribution distribution(forest, request, unchanged);
  GreedyTest test;
  int32_t left = request.slice_count();
  std::vector<DomainIndex> rest = domains;
  if (request.has_leader) {
    OrderedDomains with_leader = distribution.InOrder(domains, true);
    if (with_leader.size() == 0 || fits[with_leader[0]].leaders == 0) return {};
    test.leader_domain = with_leader[0];
    test.domain_count = 1;
    left -= fits[test.leader_domain].slices_with_leader;
    std::erase(rest, test.leader_domain);
  }
  OrderedDomains in_order = distribution.InOrder(std::move(rest), false);
  for (size_t i = 0; left > 0 && i < in_order.size(); ++i) {
    if (fits[in_order[i]].slices == 0) break;
    test.last_domain = in_order[i];
    ++test.domain_count;
    left -= fits[test.last_domain].slices;
  }
  test.fits = left <= 0;
  return test;
}

std::vector<DomainIndex> FindDomainSet(const TopologyForest& forest,
                                       const PlacementRequest& request,
                                       std::vector<DomainFit>& fits,
                                       std::vector<DomainIndex> domains, CandidateOrder order) {
  const GreedyTest test = TestGreedily(forest, request, fits, domains);
  if (!test.fits) return {};
  const auto by_path = [&](DomainIndex a, DomainIndex b) { return forest.ComesBefore(a, b); };
  std::ranges::sort(domains, [&](DomainIndex a, DomainIndex b) {
    if (order == CandidateOrder::kByPath) return by_path(a, b);
    if (fits[a].leaders != fits[b].leaders) return fits[a].leaders > fits[b].leaders;
    if (fits[a].slices_with_leader != fits[b].slices_with_leader)
      return fits[a].slices_with_leader > fits[b].slices_with_leader;
    const double a_entropy = EntropyBelow(forest, fits, a);
    const double b_entropy = EntropyBelow(forest, fits, b);
    return a_entropy != b_entropy ? a_entropy > b_entropy : by_path(a, b);
  });
  DomainSets sets(fits, request, static_cast<size_t>(test.domain_count));
  for (const DomainIndex domain : domains) sets.Extend(domain);
  return sets.Best();
}

}  // namespace berth::engine

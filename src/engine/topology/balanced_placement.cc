#include "engine/topology/balanced_placement.h"

#include <algorithm>

#include "engine/topology/distribution.h"
#include "engine/topology/domain_set_search.h"

namespace berth::engine {
namespace {

class Balancer {
 public:
  Balancer(const TopologyForest& forest, const PlacementRequest& request,
           const std::vector<DomainFit>& fits)
      : forest_(forest), request_(request), original_(fits), fits_(fits), plain_(request) {
    plain_.inner_sizes.clear();
  }

  bool Run(ChosenDomains& chosen) {
    for (const std::vector<DomainIndex>& siblings : SiblingSets()) Consider(siblings);
    if (best_threshold_ <= 0) return false;
    std::vector<DomainIndex> domains = best_;
    chosen.level = request_.level;
    if (HasLowerWorkLevel()) {
      domains = FindDomainSet(forest_, request_, fits_, best_, CandidateOrder::kByEntropy);
      if (domains.empty()) return false;
      domains = ExistingChildren(forest_, domains);
      ++chosen.level;
    }
    chosen.is_balanced = true;
    return Share(std::move(domains), chosen);
  }

  std::vector<DomainFit> TakeFits() && { return std::move(fits_); }

 private:
  bool HasLowerWorkLevel() const { return request_.level < request_.slice_level; }

  // Domains at the requested level, by the domain above them.
  std::vector<std::vector<DomainIndex>> SiblingSets() const {
    if (request_.level == 0) return {ExistingAt(forest_, 0)};
    std::vector<DomainIndex> parents = ExistingAt(forest_, request_.level - 1);
    std::ranges::sort(parents,
                      [&](DomainIndex a, DomainIndex b) { return forest_.ComesBefore(a, b); });
    std::vector<std::vector<DomainIndex>> sets;
    for (const DomainIndex parent : parents)
      sets.push_back(ExistingChildren(forest_, std::vector<DomainIndex>{parent}));
    return sets;
  }

  void Consider(const std::vector<DomainIndex>& siblings) {
    const GreedyTest test =
        TestGreedily(forest_, request_, fits_,
                     HasLowerWorkLevel() ? ExistingChildren(forest_, siblings) : siblings);
    if (!test.fits) return;
    int32_t threshold = request_.slice_count() / test.domain_count;
    if (test.leader_domain != kNoDomain)
      threshold = std::min(threshold, fits_[test.leader_domain].slices_with_leader);
    if (test.last_domain != kNoDomain)
      threshold = std::min(threshold, fits_[test.last_domain].slices);
    if (threshold < best_threshold_) return;
    int32_t lowered = threshold;
    if (request_.has_leader && test.last_domain != kNoDomain)
      lowered = std::min(threshold, fits_[test.last_domain].slices_with_leader);
    GreedyTest pruned = Prune(siblings, threshold);
    if (!pruned.fits && lowered < threshold) {
      if (lowered <= 0 || lowered < best_threshold_) return;
      threshold = lowered;
      for (const DomainIndex domain : siblings) Restore(domain);
      pruned = Prune(siblings, threshold);
    }
    if (!pruned.fits) return;
    if (threshold == best_threshold_ && pruned.domain_count >= best_count_) return;
    best_threshold_ = threshold;
    best_count_ = pruned.domain_count;
    best_ = siblings;
  }

  // --- Dropping domains below the threshold ------------------------------------------------------

  GreedyTest Prune(const std::vector<DomainIndex>& siblings, int32_t threshold) {
    for (const DomainIndex domain : siblings)
      for (const DomainIndex child : forest_.domain(domain).children) PruneOne(child, threshold);
    for (const DomainIndex domain : siblings) {
      Recount(domain);
      PruneOne(domain, threshold);
    }
    return TestGreedily(forest_, request_, fits_, siblings);
  }

  void PruneOne(DomainIndex domain, int32_t threshold) {
    const DomainFit& fit = fits_[domain];
    if (fit.slices < threshold) {
      ForEachBelow(domain, [](DomainFit& f) { f = {.score = f.score}; });
    } else if (request_.has_leader && fit.leaders > 0 && fit.slices_with_leader < threshold) {
      // It stays for workers.
      ForEachBelow(domain,
                   [](DomainFit& f) { f.pods_with_leader = f.slices_with_leader = f.leaders = 0; });
    }
  }

  template <class Change>
  void ForEachBelow(DomainIndex domain, Change change) {
    change(fits_[domain]);
    for (const DomainIndex child : forest_.domain(domain).children) ForEachBelow(child, change);
  }

  void Restore(DomainIndex domain) {
    fits_[domain] = original_[domain];
    for (const DomainIndex child : forest_.domain(domain).children) Restore(child);
  }

  // As in Kueue, inner slices do not count here.
  void Recount(DomainIndex index) {
    const TopologyForest::Domain& domain = forest_.domain(index);
    if (domain.children.empty()) {
      if (domain.level != request_.slice_level) return;
      fits_[index].slices = fits_[index].pods / request_.slice_size;
      fits_[index].slices_with_leader = fits_[index].pods_with_leader / request_.slice_size;
      return;
    }
    ParentFit parent(plain_, domain.level);
    for (const DomainIndex child : domain.children) {
      if (!forest_.Exists(child)) continue;
      Recount(child);
      parent.AddChild(fits_[child]);
    }
    fits_[index] = parent.Finish();
  }

  // --- Shares ------------------------------------------------------------------------------------

  bool Share(std::vector<DomainIndex> domains, ChosenDomains& chosen) {
    domains = FindDomainSet(forest_, request_, fits_, std::move(domains), CandidateOrder::kByPath);
    const auto count = static_cast<int32_t>(domains.size());
    int32_t extra = request_.slice_count() - count * best_threshold_;
    if (domains.empty() || extra < 0) return false;
    SearchFits unchanged(fits_);
    const Distribution distribution(forest_, request_, unchanged);
    OrderedDomains in_order = distribution.InOrder(std::move(domains), true);
    const std::span<DomainIndex> sorted = in_order.Sorted();
    bool needs_leader = request_.has_leader;
    for (const DomainIndex domain : sorted) {
      DomainFit& fit = fits_[domain];
      const int32_t capacity = needs_leader ? fit.slices_with_leader : fit.slices;
      const int32_t more =
          needs_leader || extra > 0 ? std::min(capacity - best_threshold_, extra) : 0;
      fit.leaders = needs_leader ? 1 : 0;
      needs_leader = false;
      fit.slices = fit.slices_with_leader = best_threshold_ + more;
      fit.pods = fit.slices * request_.slice_size;
      fit.pods_with_leader = fit.pods - fit.leaders;
      extra -= more;
    }
    chosen.domains.assign(sorted.begin(), sorted.end());
    return extra <= 0 && !needs_leader;
  }

  const TopologyForest& forest_;
  const PlacementRequest& request_;
  const std::vector<DomainFit>& original_;
  std::vector<DomainFit> fits_;  // with domains below the threshold dropped
  PlacementRequest plain_;       // without inner slices
  int32_t best_threshold_ = 0;
  int32_t best_count_ = 0;
  std::vector<DomainIndex> best_;
};

}  // namespace

bool BalancePods(const TopologyForest& forest, const PlacementRequest& request,
                 std::vector<DomainFit>& fits, ChosenDomains& chosen) {
  Balancer balancer(forest, request, fits);
  ChosenDomains found;
  if (!balancer.Run(found)) return false;
  fits = std::move(balancer).TakeFits();
  chosen = std::move(found);
  return true;
}

}  // namespace berth::engine

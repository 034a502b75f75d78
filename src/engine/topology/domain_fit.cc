#include "engine/topology/domain_fit.h"

#include <algorithm>
#include <limits>
#include <span>

#include "quantity/amount.h"

namespace berth::engine {
namespace {

using quantity::SaturatingSub;

// A leaf's capacity, its usage, and the usage that earlier podsets will add.
struct FreeAmounts {
  const int64_t* capacity;
  const int64_t* lasting;  // null: none
  const int64_t* tried;    // null: none
  const int64_t* assumed;  // null: none

  int64_t Of(NodeColumn column) const {
    if (column == kNoNodeColumn) return 0;
    int64_t free = capacity[column];
    if (lasting != nullptr) free = SaturatingSub(free, lasting[column]);
    if (tried != nullptr) free = SaturatingSub(free, tried[column]);
    if (assumed != nullptr) free = SaturatingSub(free, assumed[column]);
    return free;
  }
};

int64_t AmountOf(std::span<const NodeRequest> requests, NodeColumn column) {
  for (const NodeRequest& request : requests)
    if (request.column == column) return request.amount;
  return 0;
}

// Pods that fit, with the request of a leader subtracted first.
int32_t CountPods(const FreeAmounts& free, int64_t most, std::span<const NodeRequest> pod,
                  std::span<const NodeRequest> leader = {}) {
  int64_t count = most;
  for (const NodeRequest& request : pod) {
    const int64_t left = SaturatingSub(free.Of(request.column), AmountOf(leader, request.column));
    if (left < request.amount) return 0;
    count = std::min(count, left / request.amount);
  }
  return static_cast<int32_t>(count);
}

DomainFit FitOfLeaf(const FreeAmounts& free, int64_t most, const PlacementRequest& request) {
  DomainFit fit;
  fit.pods = fit.pods_with_leader = CountPods(free, most, request.worker);
  if (request.has_leader && CountPods(free, most, request.leader) > 0) {
    fit.leaders = 1;
    fit.pods_with_leader = CountPods(free, most, request.worker, request.leader);
  }
  return fit;
}

void CountSlices(DomainFit& fit, int32_t size) {
  fit.slices = fit.pods / size;
  fit.slices_with_leader = fit.pods_with_leader / size;
}

}  // namespace

void ParentFit::AddChild(const DomainFit& child) {
  int32_t pods = child.pods, pods_with_leader = child.pods_with_leader;
  if (const int32_t inner = request_.InnerSize(level_ + 1); inner > 0) {
    pods = pods / inner * inner;
    pods_with_leader = pods_with_leader / inner * inner;
  }
  sum_.pods += pods;
  sum_.slices += child.slices;
  sum_.leaders = std::max(sum_.leaders, child.leaders);
  sum_.score += child.score;
  if (request_.has_leader && child.leaders == 0) return;
  const int32_t lost_pods = pods - pods_with_leader;
  const int32_t lost_slices = child.slices - child.slices_with_leader;
  least_lost_pods_ = has_place_for_leader_ ? std::min(least_lost_pods_, lost_pods) : lost_pods;
  least_lost_slices_ =
      has_place_for_leader_ ? std::min(least_lost_slices_, lost_slices) : lost_slices;
  has_place_for_leader_ = true;
}

DomainFit ParentFit::Finish() const {
  DomainFit fit = sum_;
  if (has_place_for_leader_) {
    fit.pods_with_leader = fit.pods - least_lost_pods_;
    fit.slices_with_leader = fit.slices - least_lost_slices_;
  }
  if (level_ == request_.slice_level) CountSlices(fit, request_.slice_size);
  return fit;
}

// --- Counting ------------------------------------------------------------------------------------

FitCounter::FitCounter(const TopologyForest& forest, const LeafUsage& usage,
                       const NodeMatchCache::Row* matches, const PlacementRequest& request)
    : forest_(forest),
      usage_(usage),
      matches_(matches),
      request_(request),
      most_pods_(std::numeric_limits<int32_t>::max() /
                 static_cast<int64_t>(std::max<size_t>(1, forest.leaf_count()))) {}

void FitCounter::CountAll(std::vector<DomainFit>& fits) const {
  fits.assign(forest_.domain_count(), {});
  for (LeafIndex leaf = 0; leaf < forest_.leaf_count(); ++leaf)
    if (IsAllowed(leaf)) fits[forest_.DomainOf(leaf)] = FitOf(leaf, nullptr);
  for (size_t level = forest_.level_count() - 1; level-- > 0;)
    for (const DomainIndex domain : forest_.DomainsAt(level))
      if (forest_.Exists(domain)) fits[domain] = SumOf(domain, fits);
}

void FitCounter::CountAgain(std::span<const LeafIndex> leaves, std::vector<DomainFit>& fits) const {
  std::vector<DomainIndex> counted;
  for (const LeafIndex leaf : leaves) {
    const DomainIndex domain = forest_.DomainOf(leaf);
    if (!counted.empty() && counted.back() == domain) continue;
    fits[domain] = IsAllowed(leaf) ? FitOf(leaf, nullptr) : DomainFit();
    counted.push_back(domain);
  }
  SumUpAbove(std::move(counted), fits);
}

void FitCounter::CountAssumed(std::vector<DomainFit>& fits) const {
  std::vector<DomainIndex> counted;
  for (const AssumedUsage& assumed : request_.assumed) {
    const DomainIndex domain = forest_.FindLeaf(assumed.path);
    if (domain == kNoDomain || !IsAllowed(forest_.domain(domain).leaf)) continue;
    fits[domain] = FitOf(forest_.domain(domain).leaf, assumed.amounts.data());
    counted.push_back(domain);
  }
  SumUpAbove(std::move(counted), fits);
}

bool FitCounter::IsAllowed(LeafIndex leaf) const {
  if (!forest_.HasNodes(leaf)) return false;
  if (request_.within != kNoDomain &&
      forest_.AncestorAt(forest_.DomainOf(leaf), forest_.domain(request_.within).level) !=
          request_.within)
    return false;
  return matches_ == nullptr || matches_->matches[leaf].is_match();
}

DomainFit FitCounter::FitOf(LeafIndex leaf, const int64_t* assumed) const {
  FreeAmounts free{.capacity = forest_.CapacityOf(leaf),
                   .lasting = nullptr,
                   .tried = nullptr,
                   .assumed = assumed};
  if (!request_.ignores_usage) {
    free.lasting = usage_.Row(forest_.usage().lasting, forest_.PathOf(leaf));
    free.tried = usage_.Row(forest_.usage().tried, forest_.PathOf(leaf));
  }
  DomainFit fit = FitOfLeaf(free, most_pods_, request_);
  if (request_.slice_level + 1 == forest_.level_count()) CountSlices(fit, request_.slice_size);
  if (request_.uses_scores && matches_ != nullptr) fit.score = matches_->matches[leaf].score;
  return fit;
}

DomainFit FitCounter::SumOf(DomainIndex parent, const std::vector<DomainFit>& fits) const {
  ParentFit sum(request_, forest_.domain(parent).level);
  // A child that does not exist now has no room, and adds nothing.
  for (const DomainIndex child : forest_.domain(parent).children) sum.AddChild(fits[child]);
  return sum.Finish();
}

void FitCounter::SumUpAbove(std::vector<DomainIndex> domains, std::vector<DomainFit>& fits) const {
  while (!domains.empty()) {
    for (DomainIndex& domain : domains) domain = forest_.domain(domain).parent;
    std::erase(domains, kNoDomain);
    std::ranges::sort(domains);
    domains.erase(std::ranges::unique(domains).begin(), domains.end());
    for (const DomainIndex domain : domains) fits[domain] = SumOf(domain, fits);
  }
}

void CountFits(const TopologyForest& forest, const LeafUsage& usage,
               const NodeMatchCache::Row* matches, const PlacementRequest& request,
               std::vector<DomainFit>& fits) {
  const FitCounter counter(forest, usage, matches, request);
  counter.CountAll(fits);
  counter.CountAssumed(fits);
}

}  // namespace berth::engine

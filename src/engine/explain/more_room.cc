#include "engine/explain/more_room.h"

#include <algorithm>
#include <optional>

#include "engine/explain/bisection.h"
#include "engine/topology/placement.h"
#include "engine/topology/workload_placer.h"

namespace berth::engine {
namespace {

// Limits of the number of trials and of their size.
constexpr size_t kMostDomainsTried = 3;
constexpr int32_t kMostNodes = 256;

}  // namespace

MoreRoom::MoreRoom(State& state, const TopologySearch& search, const PodSetTopology& request,
                   std::function<bool()> admits)
    : state_(state),
      search_(search),
      admits_(std::move(admits)),
      forest_(*state.topologies->Find(search.flavor)) {
  request_ = *WorkloadPlacer(state).Describe(search.flavor, request, search.room.count, nullptr);
  resources_.push_back(state.forest.Resource("pods"));
  for (const Request& r : request.per_pod)
    if (r.amount > 0) resources_.push_back(r.resource);
  const NodeMatchCache::Row* matches = state.topologies->MatchesOf(search.flavor, request.match);
  CountFits(forest_, state.topologies->usage(), matches, request_, fits_);
  request_.ignores_usage = true;
  CountFits(forest_, state.topologies->usage(), matches, request_, empty_fits_);
}

std::vector<DomainIndex> MoreRoom::DomainsToTry() const {
  if (request_.kind != TopologyKind::kRequired) return {kNoDomain};
  std::vector<DomainIndex> domains = ExistingAt(forest_, request_.level);
  const auto has_more_room = [&](DomainIndex a, DomainIndex b) {
    if (fits_[a].slices != fits_[b].slices) return fits_[a].slices > fits_[b].slices;
    if (fits_[a].pods != fits_[b].pods) return fits_[a].pods > fits_[b].pods;
    return forest_.ComesBefore(a, b);
  };
  const size_t tried = std::min(domains.size(), kMostDomainsTried);
  std::ranges::partial_sort(domains, domains.begin() + static_cast<std::ptrdiff_t>(tried),
                            has_more_room);
  domains.resize(tried);
  return domains;
}

std::vector<LeafIndex> MoreRoom::LeavesBelow(DomainIndex domain) const {
  std::vector<LeafIndex> leaves;
  for (LeafIndex leaf = 0; leaf < forest_.leaf_count(); ++leaf) {
    const DomainIndex at = forest_.DomainOf(leaf);
    const bool is_below =
        domain == kNoDomain || forest_.AncestorAt(at, forest_.domain(domain).level) == domain;
    if (is_below && forest_.HasNodes(leaf) && empty_fits_[at].pods > 0) leaves.push_back(leaf);
  }
  return leaves;
}

// --- Freed room ----------------------------------------------------------------------------------

std::vector<FreedRoom> MoreRoom::FindFreed() {
  MorePods best;
  int64_t best_pods = 0;
  for (const DomainIndex domain : DomainsToTry()) {
    const std::vector<MorePods> steps = StepsIn(domain);
    const auto admits = [&](int64_t count) { return AdmitsWith(SumOf(steps, count)); };
    const auto most = static_cast<int64_t>(steps.size());
    if (most == 0 || !admits(most)) continue;
    MorePods more = SumOf(steps, Smallest(1, most, admits));
    int64_t pods = 0;
    for (const auto& [leaf, count] : more) pods += count;
    if (!best.empty() && pods >= best_pods) continue;
    best = std::move(more);
    best_pods = pods;
  }
  std::vector<FreedRoom> room;
  for (const auto& [leaf, pods] : best)
    room.push_back({PathOf(forest_, forest_.DomainOf(leaf)), pods, Missing(leaf, pods)});
  std::ranges::sort(room, {}, &FreedRoom::path);
  return room;
}

std::vector<MoreRoom::MorePods> MoreRoom::StepsIn(DomainIndex domain) const {
  struct Place {
    int32_t missing;  // pods until the next slice is complete
    DomainIndex slice_domain;
    LeafIndex leaf;
    int32_t pods;
  };
  std::vector<Place> places;
  for (const LeafIndex leaf : LeavesBelow(domain)) {
    const DomainIndex at = forest_.DomainOf(leaf);
    const DomainIndex slice_domain = forest_.AncestorAt(at, request_.slice_level);
    places.push_back({MissingIn(slice_domain), slice_domain, leaf, fits_[at].pods});
  }
  std::ranges::sort(places, [&](const Place& a, const Place& b) {
    if (a.missing != b.missing) return a.missing < b.missing;
    if (a.slice_domain != b.slice_domain)
      return forest_.ComesBefore(a.slice_domain, b.slice_domain);
    if (a.pods != b.pods) return a.pods > b.pods;
    return forest_.ComesBefore(forest_.DomainOf(a.leaf), forest_.DomainOf(b.leaf));
  });
  std::vector<MorePods> steps;
  for (size_t begin = 0; begin < places.size();) {
    std::vector<LeafIndex> leaves;
    size_t end = begin;
    for (; end < places.size() && places[end].slice_domain == places[begin].slice_domain; ++end)
      leaves.push_back(places[end].leaf);
    AddSteps(places[begin].slice_domain, leaves, steps);
    begin = static_cast<int32_t>(steps.size()) > request_.slice_count() ? places.size() : end;
  }
  return steps;
}

int32_t MoreRoom::MissingIn(DomainIndex slice_domain) const {
  return request_.slice_size - fits_[slice_domain].pods % request_.slice_size;
}

void MoreRoom::AddSteps(DomainIndex slice_domain, const std::vector<LeafIndex>& leaves,
                        std::vector<MorePods>& steps) const {
  MorePods step;
  int32_t missing = MissingIn(slice_domain);
  for (const LeafIndex leaf : leaves) {
    const DomainIndex at = forest_.DomainOf(leaf);
    int32_t left = empty_fits_[at].pods - fits_[at].pods;
    while (left > 0 && static_cast<int32_t>(steps.size()) <= request_.slice_count()) {
      const int32_t taken = std::min(left, missing);
      step.emplace_back(leaf, taken);
      left -= taken;
      missing -= taken;
      if (missing > 0) break;
      steps.push_back(std::exchange(step, {}));
      missing = request_.slice_size;
    }
  }
}

MoreRoom::MorePods MoreRoom::SumOf(const std::vector<MorePods>& steps, int64_t count) {
  MorePods sum;
  for (const MorePods& step : std::span(steps).first(static_cast<size_t>(count))) {
    for (const auto& [leaf, pods] : step) {
      const auto known = std::ranges::find(sum, leaf, &MorePods::value_type::first);
      if (known == sum.end())
        sum.emplace_back(leaf, pods);
      else
        known->second += pods;
    }
  }
  return sum;
}

// What is not free for so many pods more than fit now, of each resource that is short.
std::vector<Request> MoreRoom::Missing(LeafIndex leaf, int32_t pods) const {
  const int64_t wanted = int64_t{fits_[forest_.DomainOf(leaf)].pods} + pods;
  std::vector<Request> missing;
  for (size_t i = 0; i < request_.worker.size(); ++i) {
    const NodeRequest& r = request_.worker[i];
    const int64_t free = state_.topologies->FreeIn(forest_, leaf, r.column);
    const int64_t more = quantity::SaturatingSub(quantity::SaturatingMul(r.amount, wanted), free);
    if (more > 0) missing.push_back({resources_[i], more});
  }
  return missing;
}

bool MoreRoom::AdmitsWith(const MorePods& more) {
  NodeTrial nodes(*state_.topologies, search_.flavor);
  for (const auto& [leaf, pods] : more) {
    for (const Request& request : Missing(leaf, pods))
      nodes.AddCapacity(leaf, state_.topologies->ColumnOf(request.resource), request.amount);
  }
  return admits_();
}

// --- Added nodes ---------------------------------------------------------------------------------

TopologyChange MoreRoom::FindNodes() {
  std::vector<DomainIndex> domains = DomainsToTry();
  // A host of its own is beside any other one.
  if (forest_.is_hostname_lowest() && request_.level + 1 == forest_.level_count())
    domains = {kNoDomain};
  const int32_t most = std::min(kMostNodes, search_.room.count);
  TopologyChange change;
  for (const DomainIndex domain : domains) {
    const LeafIndex leaf = LargestLeaf(domain);
    if (leaf == kNoDomain) continue;
    const auto admits = [&](int64_t n) {
      return AdmitsWithNodesLike(leaf, static_cast<int32_t>(n));
    };
    const int32_t bound = change.node_count > 0 ? change.node_count - 1 : most;
    if (bound < 1 || !admits(bound)) continue;
    const DomainIndex at = forest_.DomainOf(leaf);
    change.node_count = static_cast<int32_t>(Smallest(1, bound, admits));
    change.node_like = state_.topologies->NodeName(forest_.FirstNodeOf(leaf));
    change.beside = PathOf(forest_, forest_.is_hostname_lowest() ? forest_.domain(at).parent : at);
  }
  return change;
}

// The leaf that can hold the most, the first one if they are equal; kNoDomain if there is none.
LeafIndex MoreRoom::LargestLeaf(DomainIndex domain) const {
  LeafIndex largest = kNoDomain;
  for (const LeafIndex leaf : LeavesBelow(domain)) {
    const DomainIndex a = forest_.DomainOf(leaf);
    const DomainIndex b = largest == kNoDomain ? kNoDomain : forest_.DomainOf(largest);
    const bool is_larger =
        largest == kNoDomain || empty_fits_[a].pods > empty_fits_[b].pods ||
        (empty_fits_[a].pods == empty_fits_[b].pods && forest_.ComesBefore(a, b));
    if (is_larger) largest = leaf;
  }
  return largest;
}

bool MoreRoom::AdmitsWithNodesLike(LeafIndex leaf, int32_t count) {
  NodeTrial nodes(*state_.topologies, search_.flavor);
  nodes.AddNodesLike(leaf, count);
  return admits_();
}

}  // namespace berth::engine

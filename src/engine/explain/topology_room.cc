#include "engine/explain/topology_room.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/state.h"
#include "engine/topology/domain_fit.h"
#include "engine/topology/placement.h"
#include "engine/topology/placement_request.h"
#include "engine/topology/workload_placer.h"

namespace berth::engine {
namespace {

// Of nodes with the same hostname, none has a place.
size_t CountableNodes(const TopologyForest& forest, LeafIndex leaf) {
  const size_t nodes = forest.domain(forest.DomainOf(leaf)).nodes;
  return forest.is_hostname_lowest() && nodes > 1 ? 0 : nodes;
}

class RoomFinder {
 public:
  RoomFinder(State& state, const PodSetTopology& workers, PlacementRequest request,
             TopologyRoom& room)
      : state_(state),
        forest_(*state.topologies->Find(request.flavor)),
        usage_(state.topologies->usage()),
        matches_(state.topologies->MatchesOf(request.flavor, request.match)),
        request_(std::move(request)),
        room_(room) {
    requested_.push_back({state.forest.Resource("pods"), 1});
    for (const Request& r : workers.per_pod)
      if (r.amount > 0) requested_.push_back({r.resource, r.amount});
  }

  void Fill() {
    Search();
    CountFits(forest_, usage_, matches_, request_, fits_);
    request_.ignores_usage = true;
    CountFits(forest_, usage_, matches_, request_, empty_fits_);
    request_.ignores_usage = false;
    CountNodes();
    for (size_t level = 0; level < forest_.level_count(); ++level) FillLevel(level);
  }

 private:
  // --- Whether there is room ---------------------------------------------------------------------

  void Search() {
    room_.needed = request_.slice_count();
    std::tie(room_.fits, room_.fitting) = Place();
    request_.ignores_usage = true;
    std::tie(room_.fits_if_empty, room_.fitting_if_empty) = Place();
    request_.ignores_usage = false;
  }

  std::pair<bool, int32_t> Place() {
    Placement placement;
    PlacementSearch().Find(*state_.topologies, request_, placement);
    return {placement.is_found, placement.is_found ? placement.needed : placement.fitting};
  }

  // --- Nodes -------------------------------------------------------------------------------------

  NodeExclusion WhyExcluded(LeafIndex leaf) const {
    return matches_ == nullptr ? NodeExclusion::kNone : matches_->matches[leaf].why;
  }

  void CountNodes() {
    room_.excluded = CountExclusions(*state_.topologies, request_.flavor, request_.match);
    std::vector<size_t> full(requested_.size());
    for (LeafIndex leaf = 0; leaf < forest_.leaf_count(); ++leaf) {
      if (CountableNodes(forest_, leaf) > 0 && WhyExcluded(leaf) == NodeExclusion::kNone &&
          fits_[forest_.DomainOf(leaf)].pods == 0)
        ++full[Scarcest(PodsByResource(leaf))];
    }
    for (size_t i = 0; i < full.size(); ++i)
      if (full[i] > 0) room_.full.emplace_back(requested_[i].resource, full[i]);
    std::ranges::sort(room_.full, {}, [&](const auto& entry) { return NameOf(entry.first); });
  }

  // --- Resources ---------------------------------------------------------------------------------

  const std::string& NameOf(ResourceId resource) const {
    return state_.forest.ResourceName(resource);
  }

  int64_t FreeIn(LeafIndex leaf, size_t index) const {
    return std::max<int64_t>(
        0, state_.topologies->FreeIn(forest_, leaf, request_.worker[index].column));
  }

  // The pods that fit as far as each resource alone is concerned.
  std::vector<int64_t> PodsByResource(LeafIndex leaf) const {
    std::vector<int64_t> pods;
    for (size_t i = 0; i < requested_.size(); ++i)
      pods.push_back(FreeIn(leaf, i) / requested_[i].amount);
    return pods;
  }

  // Of equal ones, the first by name.
  size_t Scarcest(const std::vector<int64_t>& pods) const {
    size_t scarcest = 0;
    for (size_t i = 1; i < pods.size(); ++i) {
      const bool is_before = NameOf(requested_[i].resource) < NameOf(requested_[scarcest].resource);
      if (pods[i] < pods[scarcest] || (pods[i] == pods[scarcest] && is_before)) scarcest = i;
    }
    return scarcest;
  }

  // --- Levels ------------------------------------------------------------------------------------

  int32_t PodsIn(const DomainFit& fit) const {
    return request_.has_leader ? fit.pods_with_leader : fit.pods;
  }
  int32_t SlicesIn(const DomainFit& fit) const {
    return request_.has_leader ? fit.slices_with_leader : fit.slices;
  }

  void FillLevel(size_t level) {
    LevelRoom& out = room_.levels.emplace_back();
    out.level = forest_.levels()[level];
    std::vector<DomainIndex> domains = ExistingAt(forest_, level);
    out.domains = domains.size();
    int64_t sum = 0, most_if_empty = 0;
    for (const DomainIndex domain : domains) {
      sum += fits_[domain].pods;
      out.largest = std::max(out.largest, fits_[domain].pods);
      most_if_empty = std::max<int64_t>(most_if_empty, empty_fits_[domain].pods);
    }
    out.largest_if_packed = static_cast<int32_t>(std::min(sum, most_if_empty));
    const size_t listed = std::min(domains.size(), TopologyRoom::kMostDomains);
    std::ranges::partial_sort(domains, domains.begin() + static_cast<std::ptrdiff_t>(listed),
                              [&](DomainIndex a, DomainIndex b) { return HasMoreRoom(a, b); });
    for (size_t i = 0; i < listed; ++i) out.best.push_back(Describe(domains[i]));
  }

  bool HasMoreRoom(DomainIndex a, DomainIndex b) const {
    const DomainFit& x = fits_[a];
    const DomainFit& y = fits_[b];
    if (SlicesIn(x) != SlicesIn(y)) return SlicesIn(x) > SlicesIn(y);
    if (PodsIn(x) != PodsIn(y)) return PodsIn(x) > PodsIn(y);
    return forest_.ComesBefore(a, b);
  }

  DomainRoom Describe(DomainIndex domain) const {
    DomainRoom room{.path = PathOf(forest_, domain),
                    .nodes = forest_.domain(domain).nodes,
                    .pods = PodsIn(fits_[domain]),
                    .slices = SlicesIn(fits_[domain]),
                    .free = {},
                    .scarcest = {}};
    for (const Request& r : requested_) room.free.push_back({r.resource, 0});
    std::vector<int64_t> pods(requested_.size());
    AddLeavesBelow(domain, room.free, pods);
    room.scarcest = requested_[Scarcest(pods)].resource;
    return room;
  }

  void AddLeavesBelow(DomainIndex domain, std::vector<Request>& free,
                      std::vector<int64_t>& pods) const {
    for (const DomainIndex child : forest_.domain(domain).children)
      AddLeavesBelow(child, free, pods);
    const LeafIndex leaf = forest_.domain(domain).leaf;
    if (leaf == kNoDomain || !forest_.HasNodes(leaf) || WhyExcluded(leaf) != NodeExclusion::kNone)
      return;
    const std::vector<int64_t> fitting = PodsByResource(leaf);
    for (size_t i = 0; i < free.size(); ++i) {
      free[i].amount = quantity::SaturatingAdd(free[i].amount, FreeIn(leaf, i));
      pods[i] = quantity::SaturatingAdd(pods[i], fitting[i]);
    }
  }

  State& state_;
  const TopologyForest& forest_;
  const LeafUsage& usage_;
  const NodeMatchCache::Row* matches_;
  PlacementRequest request_;
  TopologyRoom& room_;
  std::vector<Request> requested_;  // of one pod, in the order of request_.worker
  std::vector<DomainFit> fits_, empty_fits_;
};

}  // namespace

std::vector<std::string> PathOf(const TopologyForest& forest, DomainIndex domain) {
  std::vector<std::string> path;
  for (; domain != kNoDomain; domain = forest.domain(domain).parent)
    path.insert(path.begin(), forest.ValueOf(domain));
  return path;
}

NodeExclusions CountExclusions(Topologies& topologies, FlavorId flavor, NodeMatchId match) {
  NodeExclusions excluded;
  const TopologyForest& forest = *topologies.Find(flavor);
  const NodeMatchCache::Row* row = topologies.MatchesOf(flavor, match);
  for (LeafIndex leaf = 0; row != nullptr && leaf < forest.leaf_count(); ++leaf) {
    const size_t nodes = CountableNodes(forest, leaf);
    const NodeExclusion why = nodes == 0 ? NodeExclusion::kNone : row->matches[leaf].why;
    if (why == NodeExclusion::kTaint) excluded.tainted += nodes;
    if (why == NodeExclusion::kNodeSelector) excluded.by_selector += nodes;
    if (why == NodeExclusion::kNodeAffinity) excluded.by_affinity += nodes;
  }
  return excluded;
}

TopologyRoom FindRoom(State& state, FlavorId flavor, const PodSetTopology& workers, int32_t count,
                      const PodSetTopology* leader) {
  TopologyRoom room{.kind = workers.kind, .count = count, .full = {}, .levels = {}};
  room.is_hostname_lowest = state.topologies->Find(flavor)->is_hostname_lowest();
  room.nodes = state.topologies->CountNodes(flavor);
  std::optional<PlacementRequest> request =
      WorkloadPlacer(state).Describe(flavor, workers, count, leader);
  if (!request) return room;
  room.is_valid = true;
  room.level = request->level;
  room.slice_level = request->slice_level;
  room.slice_size = request->slice_size;
  RoomFinder(state, workers, *std::move(request), room).Fill();
  return room;
}

}  // namespace berth::engine

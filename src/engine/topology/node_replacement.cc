#include "engine/topology/node_replacement.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace berth::engine {
namespace {

using PodsOfDomain = std::pair<DomainIndex, int64_t>;

// The remaining pods by their domains of the level.
std::vector<PodsOfDomain> RemainingAt(const TopologyForest& forest, size_t level,
                                      const NodeReplacement& replacement) {
  std::vector<PodsOfDomain> pods;
  for (const DomainPods& placed : replacement.remaining) {
    const DomainIndex domain = forest.AncestorAt(forest.FindLeaf(placed.path), level);
    auto known = std::ranges::find(pods, domain, &PodsOfDomain::first);
    if (known == pods.end()) known = pods.insert(pods.end(), {domain, 0});
    known->second += placed.count;
  }
  return pods;
}

// What a failed node broke.
struct BrokenSlice {
  DomainIndex domain = kNoDomain;
  size_t layer = 0;
  // The incomplete slice, of this layer or of one below.
  bool is_incomplete = false;
};

// Of one layer. Without a domain, whether the missing pods hold the incomplete slice.
BrokenSlice FindInLayer(const TopologyForest& forest, const SliceLayer& layer,
                        const NodeReplacement& replacement) {
  const int32_t level = forest.LevelOf(layer.level);
  if (level < 0) return {};
  std::vector<PodsOfDomain> broken = RemainingAt(forest, static_cast<size_t>(level), replacement);
  int64_t all = replacement.count;
  for (const PodsOfDomain& pods : broken) all += pods.second;
  std::erase_if(broken, [&](const PodsOfDomain& pods) { return pods.second % layer.size == 0; });
  const auto find = [&](int64_t incomplete) {
    DomainIndex found = kNoDomain;
    for (const auto& [domain, count] : broken) {
      if ((count + replacement.count) % layer.size != incomplete) continue;
      if (found == kNoDomain || forest.ComesBefore(domain, found)) found = domain;
    }
    return found;
  };
  const DomainIndex of_whole = find(0);
  const int64_t incomplete = all % layer.size;
  if (of_whole != kNoDomain || incomplete == 0) return {.domain = of_whole};
  const DomainIndex of_incomplete = find(incomplete);
  return {.domain = of_incomplete, .is_incomplete = of_incomplete != kNoDomain || broken.empty()};
}

BrokenSlice FindBrokenSlice(const TopologyForest& forest, const PodSetTopology& request,
                            const NodeReplacement& replacement) {
  bool is_incomplete = false;
  for (size_t i = request.slices.size(); i-- > 0;) {
    if (replacement.count % request.slices[i].size == 0) continue;
    BrokenSlice broken = FindInLayer(forest, request.slices[i], replacement);
    broken.layer = i;
    broken.is_incomplete = broken.is_incomplete || (is_incomplete && broken.domain != kNoDomain);
    if (broken.domain != kNoDomain || !broken.is_incomplete) return broken;
    is_incomplete = true;
  }
  return {.is_incomplete = is_incomplete};
}

// No size is larger than the pods need, and each one still divides the one before.
void FitSlices(std::span<SliceLayer> slices, int32_t count) {
  int64_t inner = 1;
  for (size_t i = slices.size(); i-- > 0;) {
    const int64_t needed = (count + inner - 1) / inner * inner;
    slices[i].size = static_cast<int32_t>(std::min<int64_t>(slices[i].size, needed));
    inner = slices[i].size;
  }
}

// One slice of all missing pods, in the domain of a broken one.
void JoinSlices(PodSetTopology& request, const BrokenSlice& broken, int32_t count) {
  const auto above = static_cast<std::ptrdiff_t>(broken.layer);
  request.slices.erase(request.slices.begin(), request.slices.begin() + above);
  request.slices[0].size = std::numeric_limits<int32_t>::max();
  FitSlices(request.slices, count);
}

// The innermost layer that divides the missing count, or single pods. As in Kueue, a request for
// slices alone then has no level any more.
void ReduceSlices(PodSetTopology& request, int32_t count) {
  std::vector<SliceLayer> layers = std::move(request.slices);
  request.slices.clear();
  for (size_t i = layers.size(); i-- > 0;) {
    if (count % layers[i].size != 0) continue;
    request.slices = {layers[i]};
    return;
  }
  if (request.level_choice != LevelChoice::kHighest) return;
  request.level_choice =
      request.is_lowest_without_slices ? LevelChoice::kLowest : LevelChoice::kNamed;
}

// The domain of the remaining pods at the required level.
DomainIndex RequiredDomain(const TopologyForest& forest, const PodSetTopology& request,
                           const NodeReplacement& replacement) {
  if (request.kind != TopologyKind::kRequired) return kNoDomain;
  const int32_t level = forest.LevelOf(request.level);
  if (level < 0) return kNoDomain;
  return forest.AncestorAt(forest.FindLeaf(replacement.remaining[0].path),
                           static_cast<size_t>(level));
}

void ReplaceSlices(const TopologyForest& forest, NodeReplacement& result) {
  const BrokenSlice broken = FindBrokenSlice(forest, result.request, result);
  result.within = broken.domain;
  if (broken.domain == kNoDomain) {
    if (!broken.is_incomplete) return;
    result.within = RequiredDomain(forest, result.request, result);
    FitSlices(result.request.slices, result.count);
  } else if (broken.is_incomplete) {
    JoinSlices(result.request, broken, result.count);
  } else {
    ReduceSlices(result.request, result.count);
  }
}

}  // namespace

NodeReplacement ReplaceNode(const Topologies& topologies, const TopologyForest& forest,
                            const PodSetTopology& request, const std::vector<DomainPods>& placed,
                            std::string_view failed_node) {
  NodeReplacement result{.remaining = {}, .request = request};
  for (const DomainPods& pods : placed) {
    if (topologies.LastValueOf(pods.path) == failed_node)
      result.count = pods.count;
    else
      result.remaining.push_back(pods);
  }
  const bool is_stale = std::ranges::any_of(result.remaining, [&](const DomainPods& pods) {
    return forest.FindLeaf(pods.path) == kNoDomain;
  });
  const bool has_valid_slices =
      std::ranges::all_of(request.slices, [](const SliceLayer& s) { return s.size > 0; });
  if (result.count == 0 || is_stale || !has_valid_slices) return result;
  result.is_possible = true;
  if (result.remaining.empty())
    FitSlices(result.request.slices, result.count);
  else if (!request.slices.empty() && result.count % request.slices[0].size != 0)
    ReplaceSlices(forest, result);
  else
    result.within = RequiredDomain(forest, request, result);
  return result;
}

std::vector<DomainPods> MergePlacements(const TopologyForest& forest,
                                        const std::vector<DomainPods>& a,
                                        const std::vector<DomainPods>& b) {
  std::vector<DomainPods> merged = a;
  for (const DomainPods& pods : b) {
    auto known = std::ranges::find(merged, pods.path, &DomainPods::path);
    if (known == merged.end())
      merged.push_back(pods);
    else
      known->count += pods.count;
  }
  std::ranges::sort(merged, [&](const DomainPods& x, const DomainPods& y) {
    return forest.ComesBefore(forest.FindLeaf(x.path), forest.FindLeaf(y.path));
  });
  return merged;
}

}  // namespace berth::engine

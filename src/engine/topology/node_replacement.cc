#include "engine/topology/node_replacement.h"

#include <algorithm>

namespace berth::engine {
namespace {

// The domain of the level whose remaining pods and the missing ones make whole slices.
DomainIndex FindBrokenSlice(const TopologyForest& forest, const SliceLayer& layer,
                            const NodeReplacement& replacement) {
  const int32_t level = forest.LevelOf(layer.level);
  if (level < 0) return kNoDomain;
  std::vector<std::pair<DomainIndex, int32_t>> pods;
  for (const DomainPods& placed : replacement.remaining) {
    const DomainIndex domain =
        forest.AncestorAt(forest.FindLeaf(placed.path), static_cast<size_t>(level));
    auto known = std::ranges::find(pods, domain, &std::pair<DomainIndex, int32_t>::first);
    if (known == pods.end()) known = pods.insert(pods.end(), {domain, 0});
    known->second += placed.count;
  }
  DomainIndex found = kNoDomain;
  for (const auto& [domain, count] : pods) {
    if ((count + replacement.count) % layer.size != 0) continue;
    if (found == kNoDomain || forest.ComesBefore(domain, found)) found = domain;
  }
  return found;
}

DomainIndex FindBrokenLayer(const TopologyForest& forest, const PodSetTopology& request,
                            const NodeReplacement& replacement) {
  for (size_t i = request.slices.size(); i-- > 0;) {
    if (replacement.count % request.slices[i].size != 0)
      return FindBrokenSlice(forest, request.slices[i], replacement);
  }
  return kNoDomain;
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
  if (result.remaining.empty()) return result;
  if (!request.slices.empty() && result.count % request.slices[0].size != 0) {
    result.within = FindBrokenLayer(forest, request, result);
    if (result.within != kNoDomain) ReduceSlices(result.request, result.count);
  } else if (request.kind == TopologyKind::kRequired) {
    const int32_t level = forest.LevelOf(request.level);
    if (level >= 0)
      result.within =
          forest.AncestorAt(forest.FindLeaf(result.remaining[0].path), static_cast<size_t>(level));
  }
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

#include "engine/topology/fit_cache.h"

#include <algorithm>

namespace berth::engine {

std::vector<DomainFit>& FitCache::Update(const TopologyForest& forest, const LeafUsage& usage,
                                         const NodeMatchCache::Row* matches,
                                         const PlacementRequest& request) {
  Row& row = rows_[KeyOf(request)];
  row.last_use = ++uses_;
  FitCounter counter(forest, usage, matches, request);
  if (FindChanged(forest, usage, row, request.ignores_usage)) {
    counter.CountAgain(changed_, row.fits);
  } else {
    counter.CountAll(row.fits);
    DropOldRows(row);
  }
  row.leaf_count = forest.leaf_count();
  row.nodes = forest.changes().end();
  row.lasting = usage.ChangesOf(forest.usage().lasting).end();
  row.tried = usage.ChangesOf(forest.usage().tried).end();
  return row.fits;
}

FitCache::Key FitCache::KeyOf(const PlacementRequest& request) {
  return {.flavor = request.flavor,
          .match = request.match,
          .worker = request.worker,
          .leader = request.leader,
          .inner_sizes = request.inner_sizes,
          .slice_level = request.slice_level,
          .slice_size = request.slice_size,
          .has_leader = request.has_leader,
          .ignores_usage = request.ignores_usage,
          .uses_scores = request.uses_scores};
}

bool FitCache::FindChanged(const TopologyForest& forest, const LeafUsage& usage, const Row& row,
                           bool ignores_usage) {
  // The most pods of a leaf depend on the number of leaves.
  if (row.leaf_count != forest.leaf_count()) return false;
  const size_t most = 8 + forest.leaf_count() / 8;
  const auto nodes = forest.changes().Since(row.nodes);
  if (!nodes || nodes->size() > most) return false;
  changed_.assign(nodes->begin(), nodes->end());
  if (ignores_usage) return true;
  for (const auto& [array, position] : {std::pair(forest.usage().lasting, row.lasting),
                                        std::pair(forest.usage().tried, row.tried)}) {
    const auto paths = usage.ChangesOf(array).Since(position);
    if (!paths || changed_.size() + paths->size() > most * usage.column_count()) return false;
    for (const uint32_t path : *paths) {
      const DomainIndex domain = forest.FindLeaf(DomainPathId(path));
      if (domain != kNoDomain) changed_.push_back(forest.domain(domain).leaf);
    }
  }
  return true;
}

// At least the current row stays, and the one before it.
void FitCache::DropOldRows(const Row& current) {
  size_t fits = 0;
  for (const auto& [key, row] : rows_) fits += row.fits.size();
  while (rows_.size() > kMostRows || (fits > kMostFits && rows_.size() > 2)) {
    const auto oldest = std::ranges::min_element(
        rows_, {}, [](const auto& entry) { return entry.second.last_use; });
    if (&oldest->second == &current) return;
    fits -= oldest->second.fits.size();
    rows_.erase(oldest);
  }
}

void FitCache::Erase(FlavorId flavor) {
  std::erase_if(rows_, [&](const auto& entry) { return entry.first.flavor == flavor; });
}

void FitCache::Clear() { rows_.clear(); }

}  // namespace berth::engine

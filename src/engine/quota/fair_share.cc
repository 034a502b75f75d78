#include "engine/quota/fair_share.h"

#include <cmath>
#include <limits>

namespace berth::engine {

double FairShare::Weighted() const {
  if (unweighted == 0) return 0;
  if (weight == 0) return std::numeric_limits<double>::infinity();
  return unweighted / weight;
}

int Compare(const FairShare& a, const FairShare& b) {
  const auto compare = [](double x, double y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (a.has_infinite_share() && b.has_infinite_share()) return compare(a.unweighted, b.unweighted);
  if (a.has_infinite_share()) return 1;
  if (b.has_infinite_share()) return -1;
  return compare(a.Weighted(), b.Weighted());
}

FairShare ShareOf(const QuotaForest& forest, NodeId node) {
  FairShare share{.weight = forest.node(node).fair_weight};
  if (!forest.HasParent(node)) return share;
  const QuotaForest::Tree& tree = forest.TreeOf(node);
  const NodeId parent = forest.node(node).parent;
  // Columns of one resource are adjacent, resources are ordered by name.
  for (ColumnIndex begin = 0, end = 0; begin < tree.flavor_resources.size(); begin = end) {
    Amount borrowed;
    for (; end < tree.flavor_resources.size() && tree.resources[end] == tree.resources[begin];
         ++end) {
      const Cell& cell = forest.cell(node, end);
      if (!cell.is_declared) continue;
      const Amount over = cell.usage - cell.subtree_quota;
      if (over > 0) borrowed += over;
    }
    if (borrowed <= 0) continue;
    share.is_borrowing = true;
    const Amount lendable = forest.Lendable(parent, begin);
    if (lendable <= 0) continue;
    const double ratio =
        static_cast<double>(borrowed.value()) * 1000.0 / static_cast<double>(lendable.value());
    if (ratio > share.unweighted) {
      share.unweighted = ratio;
      share.dominant_resource = tree.resources[begin];
    }
  }
  return share;
}

bool IsBorrowingOnAny(const QuotaForest& forest, NodeId node,
                      const std::vector<ColumnAmount>& amounts) {
  if (!forest.HasParent(node)) return false;
  for (const ColumnAmount& entry : amounts) {
    if (entry.amount > 0 && forest.cell(node, entry.column).is_declared &&
        forest.IsBorrowing(node, entry.column))
      return true;
  }
  return false;
}

int64_t RoundedShare(const FairShare& share) {
  if (share.has_infinite_share()) return std::numeric_limits<int64_t>::max();
  const double weighted = std::ceil(share.Weighted());
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<int64_t>::max());
  return weighted >= kLargest ? std::numeric_limits<int64_t>::max()
                              : static_cast<int64_t>(weighted);
}

}  // namespace berth::engine

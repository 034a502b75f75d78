#include "query/quota_figures.h"

#include <algorithm>

#include "base/int128.h"
#include "query/number.h"

namespace berth::query {
namespace {

using engine::Amount;
using engine::Cell;
using engine::ColumnIndex;
using engine::NodeId;
using engine::QuotaForest;

Amount NotNegative(Amount amount) { return quantity::Max(Amount(0), amount); }

Amount BorrowedIn(const Cell& cell) { return NotNegative(cell.usage - cell.subtree_quota); }

// What the node offers its cohort and does not use itself.
int64_t UnusedIn(const Cell& cell) {
  return NotNegative(
             quantity::Min(cell.subtree_quota - cell.local_quota, cell.subtree_quota - cell.usage))
      .value();
}

std::vector<NodeId> ChildrenOf(const QuotaForest::Node& node) {
  std::vector<NodeId> children = node.child_cohorts;
  children.insert(children.end(), node.child_queues.begin(), node.child_queues.end());
  return children;
}

// Splits `amount` in proportion to the parts, of which none gets more than it has. Rounds down, and
// gives the rest to the first ones.
std::vector<int64_t> InProportion(int64_t amount, const std::vector<int64_t>& parts) {
  base::Int128 total = 0;
  for (const int64_t part : parts) total += part;
  if (total <= amount) return parts;
  std::vector<int64_t> shares;
  int64_t rest = amount;
  for (const int64_t part : parts) {
    shares.push_back(static_cast<int64_t>(base::Int128(amount) * part / total));
    rest -= shares.back();
  }
  for (size_t i = 0; i < parts.size() && rest > 0; ++i) {
    if (shares[i] == parts[i]) continue;
    ++shares[i];
    --rest;
  }
  return shares;
}

// Sums over the subtree.
Amount TotalNominal(const QuotaForest& forest, NodeId id, ColumnIndex column) {
  Amount total = forest.cell(id, column).nominal;
  for (const NodeId child : ChildrenOf(forest.node(id)))
    total += TotalNominal(forest, child, column);
  return total;
}

Amount TotalUsage(const QuotaForest& forest, NodeId id, ColumnIndex column) {
  if (forest.node(id).is_queue) return forest.cell(id, column).usage;
  Amount total;
  for (const NodeId child : ChildrenOf(forest.node(id))) total += TotalUsage(forest, child, column);
  return total;
}

std::optional<Amount> LimitIn(Amount limit) {
  return limit.is_unlimited() ? std::nullopt : std::optional(limit);
}

int64_t PendingIn(const PendingAmounts& pending, engine::FlavorResourceId pair) {
  const auto found = pending.find(pair);
  return found == pending.end() ? 0 : found->second;
}

}  // namespace

LentQuota::LentQuota(const QuotaForest& forest) : lent_(forest.node_count()) {
  for (size_t i = 0; i < forest.tree_count(); ++i) {
    const QuotaForest::Tree& tree = forest.tree(static_cast<uint32_t>(i));
    lent_[tree.root.index()].resize(tree.flavor_resources.size());
    Split(forest, tree.root);
  }
}

// Its own quota of a cohort is lent before that of its children.
void LentQuota::Split(const QuotaForest& forest, NodeId cohort) {
  const std::vector<NodeId> children = ChildrenOf(forest.node(cohort));
  const size_t columns = lent_[cohort.index()].size();
  for (const NodeId child : children) lent_[child.index()].resize(columns);
  for (ColumnIndex column = 0; column < columns; ++column) {
    Amount taken(lent_[cohort.index()][column]);
    std::vector<int64_t> unused;
    for (const NodeId child : children) {
      taken += BorrowedIn(forest.cell(child, column));
      unused.push_back(UnusedIn(forest.cell(child, column)));
    }
    const Amount lent = NotNegative(taken - forest.cell(cohort, column).nominal);
    const std::vector<int64_t> shares = InProportion(lent.value(), unused);
    for (size_t i = 0; i < children.size(); ++i) lent_[children[i].index()][column] = shares[i];
  }
  for (const NodeId child : forest.node(cohort).child_cohorts) Split(forest, child);
}

std::vector<QuotaFigures> FiguresOf(const QuotaForest& forest, NodeId node, const LentQuota& lent,
                                    const PendingAmounts& pending) {
  std::vector<QuotaFigures> all;
  if (!forest.HasTree(node)) return all;
  const QuotaForest::Tree& tree = forest.TreeOf(node);
  for (ColumnIndex column = 0; column < tree.flavor_resources.size(); ++column) {
    const Cell& cell = forest.cell(node, column);
    const Amount used = TotalUsage(forest, node, column);
    if (!cell.is_declared && used == 0) continue;
    const engine::FlavorResourceId pair = tree.flavor_resources[column];
    all.push_back({.flavor = forest.FlavorName(forest.FlavorOf(pair)),
                   .resource = forest.ResourceName(forest.ResourceOf(pair)),
                   .nominal = TotalNominal(forest, node, column),
                   .borrowing_limit = LimitIn(cell.borrowing_limit),
                   .lending_limit = LimitIn(cell.lending_limit),
                   .used = used,
                   .borrowed = BorrowedIn(cell),
                   .lent = lent.Of(node, column),
                   .available = NotNegative(forest.Available(node, column)),
                   .pending = PendingIn(pending, pair)});
  }
  return all;
}

void Write(const QuotaFigures& figures, schema::JsonWriter& w) {
  const std::string& resource = figures.resource;
  w.BeginObject().Member("flavor", figures.flavor).Member("resource", resource);
  WriteAmount(w, "nominal", resource, figures.nominal);
  if (figures.borrowing_limit) WriteAmount(w, "borrowingLimit", resource, *figures.borrowing_limit);
  if (figures.lending_limit) WriteAmount(w, "lendingLimit", resource, *figures.lending_limit);
  WriteAmount(w, "used", resource, figures.used);
  WriteAmount(w, "borrowed", resource, figures.borrowed);
  WriteAmount(w, "lent", resource, figures.lent);
  WriteAmount(w, "available", resource, figures.available);
  WriteAmount(w, "pending", resource, figures.pending);
  w.EndObject();
}

}  // namespace berth::query

#include "query/quota_totals.h"

#include <map>
#include <string>
#include <utility>

#include "query/number.h"
#include "query/workload_counts.h"

namespace berth::query {
namespace {

class TotalMaker {
 public:
  explicit TotalMaker(const workload::ClusterState& cluster)
      : forest_(cluster.engine().state().forest), counts_(cluster) {}

  std::vector<QuotaFigures> Make() && {
    for (size_t i = 0; i < forest_.node_count(); ++i) {
      const engine::NodeId node(static_cast<uint32_t>(i));
      if (forest_.HasTree(node)) AddNode(node);
    }
    std::vector<QuotaFigures> all;
    for (auto& [names, figures] : totals_) all.push_back(std::move(figures));
    return all;
  }

 private:
  void AddNode(engine::NodeId node) {
    const engine::QuotaForest::Tree& tree = forest_.TreeOf(node);
    for (engine::ColumnIndex column = 0; column < tree.flavor_resources.size(); ++column) {
      const engine::Cell& cell = forest_.cell(node, column);
      if (!cell.is_declared && cell.usage == 0) continue;
      QuotaFigures& total = TotalOf(tree.flavor_resources[column]);
      total.nominal += cell.nominal;
      if (forest_.node(node).is_queue) total.used += cell.usage;
    }
    for (const auto& [pair, amount] : counts_.PendingIn(node)) {
      QuotaFigures& total = TotalOf(pair);
      total.pending = quantity::SaturatingAdd(total.pending, amount);
    }
  }

  QuotaFigures& TotalOf(engine::FlavorResourceId pair) {
    const std::string& flavor = forest_.FlavorName(forest_.FlavorOf(pair));
    const std::string& resource = forest_.ResourceName(forest_.ResourceOf(pair));
    QuotaFigures& total = totals_[{resource, flavor}];
    total.flavor = flavor;
    total.resource = resource;
    return total;
  }

  const engine::QuotaForest& forest_;
  WorkloadCounts counts_;
  std::map<std::pair<std::string, std::string>, QuotaFigures> totals_;
};

}  // namespace

std::vector<QuotaFigures> TotalsOf(const workload::ClusterState& cluster) {
  return TotalMaker(cluster).Make();
}

void WriteTotals(std::string_view key, const std::vector<QuotaFigures>& totals,
                 schema::JsonWriter& w) {
  w.Key(key).BeginArray();
  for (const QuotaFigures& total : totals) {
    w.BeginObject().Member("flavor", total.flavor).Member("resource", total.resource);
    WriteAmount(w, "nominal", total.resource, total.nominal);
    WriteAmount(w, "used", total.resource, total.used);
    WriteAmount(w, "pending", total.resource, total.pending);
    w.EndObject();
  }
  w.EndArray();
}

}  // namespace berth::query

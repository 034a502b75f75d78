#include "query/usage_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "json/json.h"
#include "quantity/resource_amount.h"
#include "query/quota_figures.h"
#include "schema/json/writer.h"

namespace berth::query {
namespace {

using engine::NodeId;

struct Waiting {
  double pending = 0;
  double admitted = 0;
};

Waiting WaitingBelow(const engine::Engine& engine, NodeId id) {
  const engine::State& state = engine.state();
  const engine::QuotaForest::Node& node = state.forest.node(id);
  if (node.is_queue) {
    const engine::PendingCounts counts = engine.CountPending(id);
    return {.pending = static_cast<double>(counts.active + counts.inadmissible),
            .admitted = static_cast<double>(state.queue(id).reserved.size())};
  }
  Waiting sum;
  for (const auto& children : {node.child_cohorts, node.child_queues})
    for (const NodeId child : children) {
      const Waiting more = WaitingBelow(engine, child);
      sum.pending += more.pending;
      sum.admitted += more.admitted;
    }
  return sum;
}

void WriteSeries(std::string_view key, const std::vector<StepSeries::Point>& points,
                 schema::JsonWriter& w) {
  w.Key(key).BeginArray();
  for (const StepSeries::Point& point : points) {
    w.BeginArray().Value(point.at);
    w.Raw(std::isfinite(point.value) ? json::Print(json::value(point.value)) : "null");
    w.EndArray();
  }
  w.EndArray();
}

}  // namespace

void StepSeries::Add(int64_t at, double value) {
  if (!points_.empty() && points_.back().value == value) return;
  if (points_.size() >= kMost) Thin();
  points_.push_back({at, value});
}

void StepSeries::Thin() {
  std::vector<Point> kept;
  for (size_t i = 0; i < points_.size(); ++i)
    if (i >= points_.size() / 2 || i % 2 == 0) kept.push_back(points_[i]);
  points_ = std::move(kept);
}

std::vector<StepSeries::Point> StepSeries::Between(int64_t from, int64_t to, size_t most) const {
  std::vector<Point> found;
  const auto after = std::ranges::upper_bound(points_, from, {}, &Point::at);
  if (after != points_.begin()) found.push_back({from, std::prev(after)->value});
  const auto end = std::ranges::upper_bound(points_, to, {}, &Point::at);
  const auto count = static_cast<size_t>(std::max<ptrdiff_t>(0, end - after));
  const size_t step = count / std::max<size_t>(most, 1) + 1;
  for (auto point = after; point < end; ++point)
    if (static_cast<size_t>(end - 1 - point) % step == 0) found.push_back(*point);
  if (!found.empty() && found.back().at < to) found.push_back({to, found.back().value});
  return found;
}

void UsageHistory::Sample(const workload::ClusterState& cluster, base::Time now) {
  if (!since_) since_ = now;
  const engine::QuotaForest& forest = cluster.engine().state().forest;
  const LentQuota lent(forest);
  std::map<std::pair<bool, std::string>, NodeHistory> present;
  for (size_t i = 0; i < forest.node_count(); ++i) {
    const NodeId id(static_cast<uint32_t>(i));
    const engine::QuotaForest::Node& node = forest.node(id);
    if (!forest.HasTree(id) || (node.is_queue && !node.exists)) continue;
    const std::pair<bool, std::string> key(!node.is_queue, node.name);
    NodeHistory& history = present[key];
    if (const auto known = nodes_.find(key); known != nodes_.end())
      history = std::move(known->second);
    const Waiting waiting = WaitingBelow(cluster.engine(), id);
    history.pending.Add(now.seconds(), waiting.pending);
    history.admitted.Add(now.seconds(), waiting.admitted);
    for (const QuotaFigures& figures : FiguresOf(forest, id, lent, {})) {
      Columns& columns = history.columns[{figures.resource, figures.flavor}];
      columns.nominal.Add(now.seconds(), quantity::InUnits(figures.resource, figures.nominal));
      columns.used.Add(now.seconds(), quantity::InUnits(figures.resource, figures.used));
    }
  }
  nodes_ = std::move(present);
}

const UsageHistory::NodeHistory* UsageHistory::Find(bool is_cohort, std::string_view name) const {
  const auto found = nodes_.find({is_cohort, std::string(name)});
  return found == nodes_.end() ? nullptr : &found->second;
}

std::string ToJson(const UsageHistory::NodeHistory& history, const HistoryQuery& query) {
  const auto part = [&](const StepSeries& series) {
    return series.Between(query.from, query.to, query.points);
  };
  schema::JsonWriter w;
  w.BeginObject().Member("from", query.from).Member("to", query.to);
  w.Member("step", static_cast<int64_t>(UsageHistory::kStep.seconds()));
  w.Key("series").BeginArray();
  for (const auto& [names, columns] : history.columns) {
    w.BeginObject().Member("flavor", names.second).Member("resource", names.first);
    WriteSeries("nominal", part(columns.nominal), w);
    WriteSeries("used", part(columns.used), w);
    w.EndObject();
  }
  w.EndArray();
  WriteSeries("pending", part(history.pending), w);
  WriteSeries("admitted", part(history.admitted), w);
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query

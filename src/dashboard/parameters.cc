#include "dashboard/parameters.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace berth::dashboard {
namespace {

constexpr int64_t kMostOffset = int64_t{1} << 40;
constexpr int64_t kMostPoints = 2000;
constexpr int64_t kUsualHistory = 3600;
constexpr int64_t kLatestMoment = int64_t{1} << 36;  // in a thousand years

// The number of a parameter; `missing` without one, nullopt if it is not a number from 0 on.
std::optional<int64_t> NumberOf(const http::Query& query, std::string_view name, int64_t missing) {
  const std::string_view text = query.Get(name);
  if (text.empty()) return missing;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<query::Page> PageOf(const http::Query& query) {
  const auto limit = NumberOf(query, "limit", 100), offset = NumberOf(query, "offset", 0);
  if (!limit || !offset) return std::nullopt;
  return query::Page{.limit = std::min(static_cast<size_t>(*limit), query::Page::kMost),
                     .offset = static_cast<size_t>(std::min(*offset, kMostOffset))};
}

std::optional<query::WorkloadFilter> FilterOf(const http::Query& query) {
  std::string_view sort = query.Get("sort").empty() ? "-created" : query.Get("sort");
  const bool is_descending = sort.starts_with('-');
  if (is_descending) sort.remove_prefix(1);
  const auto order = query::OrderNamed(sort);
  const auto group = query::GroupNamed(query.Get("status"));
  if (!order || !group) return std::nullopt;
  return query::WorkloadFilter{.text = std::string(query.Get("q")),
                               .namespace_ = std::string(query.Get("namespace")),
                               .cluster_queue = std::string(query.Get("clusterQueue")),
                               .local_queue = std::string(query.Get("localQueue")),
                               .group = *group,
                               .order = *order,
                               .is_descending = is_descending};
}

std::optional<query::HistoryQuery> HistoryQueryOf(const http::Query& query, int64_t now) {
  const auto to = NumberOf(query, "to", now);
  const auto from = NumberOf(query, "from", std::max<int64_t>(0, to.value_or(now) - kUsualHistory));
  const auto points = NumberOf(query, "points", 300);
  if (!from || !to || !points || *from > *to) return std::nullopt;
  return query::HistoryQuery{.is_cohort = query.Get("kind") == "Cohort",
                             .name = std::string(query.Get("name")),
                             .from = *from,
                             .to = *to,
                             .points = static_cast<size_t>(std::min(*points, kMostPoints))};
}

std::optional<base::Time> MomentOf(const http::Query& query) {
  const auto seconds = NumberOf(query, "at", -1);
  if (!seconds || *seconds < 0 || *seconds > kLatestMoment) return std::nullopt;
  return base::Time::FromSeconds(*seconds);
}

}  // namespace berth::dashboard

#include "query/workload_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace berth::query {
namespace {

using Group = WorkloadFilter::Group;
using Order = WorkloadFilter::Order;

Group GroupOf(const api::Workload& workload) {
  switch (StatusOf(workload)) {
    case Status::kPending:
      return Group::kPending;
    case Status::kFinished:
      return Group::kFinished;
    case Status::kInactive:
      return Group::kInactive;
    case Status::kQuotaReserved:
    case Status::kAdmitted:
    case Status::kEvicted:
      return Group::kAdmitted;
  }
  return Group::kAll;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// `part` is in lower case.
bool Holds(std::string_view text, std::string_view part) {
  return std::ranges::search(text, part, {}, Lower).begin() != text.end();
}

bool MatchesText(const api::Workload& w, const std::string& cluster_queue, std::string_view text) {
  if (text.empty() || Holds(w.metadata.name, text) || Holds(w.metadata.namespace_, text) ||
      Holds(w.spec.queue_name.value_or(""), text) || Holds(cluster_queue, text))
    return true;
  return std::ranges::any_of(w.metadata.owner_references,
                             [&](const auto& owner) { return Holds(owner.name, text); });
}

bool MatchesFilter(const workload::ClusterState& cluster, const api::Workload& w,
                   const WorkloadFilter& filter) {
  if (!filter.namespace_.empty() && w.metadata.namespace_ != filter.namespace_) return false;
  if (!filter.local_queue.empty() && w.spec.queue_name != filter.local_queue) return false;
  if (filter.group != Group::kAll && GroupOf(w) != filter.group) return false;
  if (filter.text.empty() && filter.cluster_queue.empty()) return true;
  const std::string queue = ClusterQueueOf(cluster, w);
  if (!filter.cluster_queue.empty() && queue != filter.cluster_queue) return false;
  return MatchesText(w, queue, filter.text);
}

// Workloads come in the order of their names, so a stable order by rank is enough.
int64_t RankOf(const api::Workload& w, const WorkloadFilter& filter) {
  if (filter.order == Order::kName) return 0;
  const int64_t rank = filter.order == Order::kPriority ? int64_t{w.spec.priority.value_or(0)}
                       : w.metadata.creation_timestamp  ? w.metadata.creation_timestamp->micros
                                                        : 0;
  return filter.is_descending ? -rank : rank;
}

struct Match {
  int64_t rank;
  size_t index;
  const api::Workload* workload;

  friend bool operator<(const Match& a, const Match& b) {
    return std::pair(a.rank, a.index) < std::pair(b.rank, b.index);
  }
};

}  // namespace

std::optional<Group> GroupNamed(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Group>, 5> kGroups = {
      {{"", Group::kAll},
       {"pending", Group::kPending},
       {"admitted", Group::kAdmitted},
       {"finished", Group::kFinished},
       {"inactive", Group::kInactive}}};
  for (const auto& [known, group] : kGroups)
    if (known == name) return group;
  return std::nullopt;
}

std::optional<Order> OrderNamed(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Order>, 3> kOrders = {
      {{"created", Order::kCreated}, {"name", Order::kName}, {"priority", Order::kPriority}}};
  for (const auto& [known, order] : kOrders)
    if (known == name) return order;
  return std::nullopt;
}

WorkloadList ListWorkloads(const workload::ClusterState& cluster, const Viewer& viewer,
                           const WorkloadFilter& filter, const Page& page) {
  WorkloadFilter lower = filter;
  lower.text = base::LowerCase(filter.text);
  std::vector<Match> matches;
  cluster.ForEachWorkload([&](const api::Workload& w) {
    if (viewer.workloads.Contains(w.metadata.namespace_) && MatchesFilter(cluster, w, lower))
      matches.push_back({RankOf(w, lower), matches.size(), &w});
  });
  if (filter.order == Order::kName && filter.is_descending) std::ranges::reverse(matches);
  if (filter.order == Order::kName)
    for (size_t i = 0; i < matches.size(); ++i) matches[i].index = i;
  const size_t end = std::min(page.end(), matches.size());
  std::partial_sort(matches.begin(), matches.begin() + static_cast<ptrdiff_t>(end), matches.end());
  WorkloadList list{.total = matches.size()};
  RowMaker rows(cluster);
  for (size_t i = page.offset; i < end; ++i) list.rows.push_back(rows.RowOf(*matches[i].workload));
  return list;
}

std::string ToJson(const WorkloadList& list, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision).Member("total", list.total);
  WriteRows("items", list.rows, w);
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query

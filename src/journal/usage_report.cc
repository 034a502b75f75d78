#include "journal/usage_report.h"

#include <algorithm>
#include <map>
#include <utility>

namespace berth::journal {
namespace {

const std::string& GroupOf(const UsageSpan& span, UsageGroup by) {
  switch (by) {
    case UsageGroup::kQueue:
      return span.cluster_queue;
    case UsageGroup::kNamespace:
      return span.namespace_;
    case UsageGroup::kUser:
      return span.user;
    case UsageGroup::kFlavor:
      return span.flavor;
    case UsageGroup::kJob:
      return span.job;
  }
  return span.workload;
}

std::vector<std::string> GroupsOf(const WaitSpan& wait, UsageGroup by) {
  switch (by) {
    case UsageGroup::kQueue:
      return {wait.cluster_queue};
    case UsageGroup::kNamespace:
      return {wait.namespace_};
    case UsageGroup::kUser:
      return {wait.user};
    case UsageGroup::kFlavor:
      return wait.flavors;
    case UsageGroup::kJob:
      return {wait.job};
  }
  return {};
}

// The smallest wait that so many percent of all waits do not exceed.
base::Duration Percentile(const std::vector<int64_t>& sorted, size_t percent) {
  const size_t rank = (sorted.size() * percent + 99) / 100;
  return {sorted[std::max<size_t>(rank, 1) - 1] * 1000};
}

std::vector<WaitRow> WaitsOf(const UsageAccount& account, UsageGroup by) {
  std::map<std::string, std::vector<int64_t>> waits;
  for (const WaitSpan& wait : account.waits())
    for (const std::string& group : GroupsOf(wait, by))
      waits[group].push_back(wait.end.micros - wait.begin.micros);
  std::vector<WaitRow> rows;
  for (auto& [group, micros] : waits) {
    std::ranges::sort(micros);
    rows.push_back({.group = group,
                    .count = micros.size(),
                    .p50 = Percentile(micros, 50),
                    .p90 = Percentile(micros, 90)});
  }
  return rows;
}

}  // namespace

UsageReport ReportOn(const UsageAccount& account, UsageGroup by) {
  std::map<std::pair<std::string, std::string>, UsageRow> rows;
  for (const UsageSpan& span : account.spans()) {
    UsageRow& row = rows[{GroupOf(span, by), span.resource}];
    const base::Int128 sum =
        static_cast<base::Int128>(span.milli) * (span.end.micros - span.begin.micros);
    row.admitted += sum;
    if (span.is_evicted) row.wasted += sum;
  }
  if (by == UsageGroup::kQueue || by == UsageGroup::kFlavor) {
    for (auto& [key, row] : rows) row.borrowed = row.lent = 0;
    for (const auto& [key, loan] : account.loans()) {
      const auto& [queue, flavor, resource] = key;
      UsageRow& row = rows[{by == UsageGroup::kQueue ? queue : flavor, resource}];
      row.borrowed = row.borrowed.value_or(0) + loan.borrowed;
      row.lent = row.lent.value_or(0) + loan.lent;
    }
  }
  UsageReport report{
      .by = by, .from = account.begin(), .to = account.end(), .usage = {}, .waits = {}};
  for (auto& [key, row] : rows) {
    std::tie(row.group, row.resource) = key;
    report.usage.push_back(std::move(row));
  }
  report.waits = WaitsOf(account, by);
  return report;
}

}  // namespace berth::journal

#pragma once

// Usage summed up by queue, namespace, user, flavor or job. No I/O.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "base/time.h"
#include "journal/usage.h"

namespace berth::journal {

enum class UsageGroup : uint8_t { kQueue, kNamespace, kUser, kFlavor, kJob };
inline constexpr std::string_view kUsageGroupNames[] = {"queue", "namespace", "user", "flavor",
                                                        "job"};

// Sums are milli-units × microseconds.
struct UsageRow {
  std::string group;
  std::string resource;
  base::Int128 admitted = 0;
  base::Int128 wasted = 0;  // part of `admitted`: of runs that were evicted
  // Of queues and flavors only: a queue borrows, not a single workload.
  std::optional<base::Int128> borrowed;
  std::optional<base::Int128> lent;
};

struct WaitRow {
  std::string group;
  size_t count = 0;
  base::Duration p50, p90;  // nearest rank
};

struct UsageReport {
  UsageGroup by = UsageGroup::kQueue;
  base::Time from, to;
  std::vector<UsageRow> usage;  // by group and resource
  std::vector<WaitRow> waits;   // by group
};

UsageReport ReportOn(const UsageAccount& account, UsageGroup by);

// "12.25": unit-hours, rounded down to a thousandth.
std::string HoursText(base::Int128 milli_micros);

std::string ToTable(const UsageReport& report);
std::string ToCsv(const UsageReport& report);
// Sums as strings of milli-units × microseconds too, which are exact.
std::string ToJson(const UsageReport& report);
// A self-contained page: no scripts, no network.
std::string ToHtml(const UsageReport& report);

}  // namespace berth::journal

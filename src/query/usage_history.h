#pragma once

// Usage and numbers of workloads of each queue over time, in bounded memory.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "quantity/amount.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

// A value over time, as the moments at which it changed. When it has kMost of them, every other one
// of the older half is dropped: the past becomes coarser.
class StepSeries {
 public:
  static constexpr size_t kMost = 720;

  struct Point {
    int64_t at;  // seconds
    double value;

    friend bool operator==(const Point&, const Point&) = default;
  };

  // Times must not decrease.
  void Add(int64_t at, double value);
  // The value at `from`, the changes until `to`, and the last value at `to`; at most about `most`
  // points. Empty if nothing is known.
  std::vector<Point> Between(int64_t from, int64_t to, size_t most) const;

 private:
  void Thin();

  std::vector<Point> points_;
};

class UsageHistory {
 public:
  static constexpr base::Duration kStep = base::Duration::Seconds(5);

  struct Columns {
    StepSeries nominal;  // infinite if unlimited
    StepSeries used;
  };
  struct NodeHistory {
    std::map<std::pair<std::string, std::string>, Columns> columns;  // by resource and flavor
    StepSeries pending;
    StepSeries admitted;  // workloads with quota
  };

  // O(queues x columns).
  void Sample(const workload::ClusterState& cluster, base::Time now);

  // Null if nothing is known about it.
  const NodeHistory* Find(bool is_cohort, std::string_view name) const;
  std::optional<base::Time> since() const { return since_; }

 private:
  std::map<std::pair<bool, std::string>, NodeHistory>
      nodes_;  // by whether it is a Cohort, and name
  std::optional<base::Time> since_;
};

struct HistoryQuery {
  bool is_cohort = false;
  std::string name;
  int64_t from = 0;  // seconds
  int64_t to = 0;
  size_t points = 300;
};

std::string ToJson(const UsageHistory::NodeHistory& history, const HistoryQuery& query);

}  // namespace berth::query

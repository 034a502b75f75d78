#pragma once

// Usage of LocalQueues for admission fair sharing: ClusterQueues that order by usage consider the
// LocalQueue with the lowest usage first.
//
//   usage = sum over resources of weight x (consumed + penalties) / weight of the LocalQueue
//
// in cores, bytes, …; infinite for a LocalQueue of weight 0. Consumption is sampled and decayed
// outside. A penalty estimates the usage of a workload admitted since the last sample: its requests
// x (1 - 0.5^(sampling interval / half life)), truncated to nano-units.

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.h"
#include "engine/engine.h"
#include "engine/ids.h"
#include "engine/options.h"
#include "engine/quota/quota_forest.h"

namespace berth::engine {

// A decimal fraction, exactly the shortest decimal text of a double.
struct DecimalFactor {
  int64_t digits = 0;
  int32_t scale = 0;  // the number is digits / 10^scale
};
DecimalFactor ToDecimal(double number);

class UsageLedger {
 public:
  UsageLedger(const AdmissionFairSharing& options, const QuotaForest& forest);

  void SetConsumed(LocalQueueId queue, double weight, std::span<const ConsumedResource> consumed);
  // At most one penalty per workload: a second one replaces the first.
  void AddPenalty(LocalQueueId queue, WorkloadId workload, std::span<const Request> requests);
  void RemovePenalty(LocalQueueId queue, WorkloadId workload);

  // The usage of all LocalQueues with an id below `count`.
  void Fill(std::vector<double>& usage, size_t count) const;
  bool has_changed() const { return has_changed_; }
  void ClearChanged() { has_changed_ = false; }

 private:
  struct Penalty {
    WorkloadId workload;
    ResourceId resource;
    base::Int128 nanos = 0;
  };
  struct Account {
    double weight = 1;
    std::vector<ConsumedResource> consumed;
    std::vector<Penalty> penalties;
  };

  Account& AccountOf(LocalQueueId queue);
  double UsageOf(const Account& account) const;
  base::Int128 PenaltyNanos(const Request& request) const;
  double WeightOf(ResourceId resource) const;

  const AdmissionFairSharing& options_;
  const QuotaForest& forest_;
  DecimalFactor alpha_;
  std::vector<Account> accounts_;  // by LocalQueueId
  bool has_changed_ = true;
};

}  // namespace berth::engine

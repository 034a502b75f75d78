#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "api/meta/object.h"

namespace berth::load {

// Sums the quota held by Workloads, from API objects only and independently of the engine, and
// detects when it exceeds the total. ClusterQueues of a cohort share the sum of their quota; nested
// cohorts are not supported.
class QuotaAudit {
 public:
  explicit QuotaAudit(const std::vector<api::Object>& objects);

  // The current state of a Workload; null if deleted.
  void Observe(const std::string& name, const api::Workload* workload);
  // The exceeded quota; "" if none.
  std::string Exceeded() const;

  // The share of all quota that is held, from 0 to 1, of the most used resource.
  double share_held() const;

 private:
  struct Pool {
    double quota = 0;
    double held = 0;
  };
  // "cohort a: cpu in flavor f"
  using PoolName = std::string;
  struct Holding {
    std::vector<std::pair<PoolName, double>> amounts;
  };

  Holding HoldingOf(const api::Workload& workload) const;

  std::map<std::string, std::string, std::less<>> cohort_of_;  // by ClusterQueue
  std::map<PoolName, Pool> pools_;
  std::map<std::string, Holding> holdings_;  // by Workload
};

}  // namespace berth::load

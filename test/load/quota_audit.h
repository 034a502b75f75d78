#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "api/workload.h"

namespace berth::load {

// Adds up what Workloads hold, from nothing but the objects that an API server shows, and says when
// that is more than there is. It knows nothing of the engine. ClusterQueues of one cohort share the
// sum of their quota; a cohort of cohorts is not looked at.
class QuotaAudit {
 public:
  explicit QuotaAudit(const std::vector<api::Object>& objects);

  // What the Workload says from now on; null if it is gone.
  void Observe(const std::string& name, const api::Workload* workload);
  // What is exceeded now, "" if nothing is.
  std::string Exceeded() const;

  // Of all quota, how much is held now, from 0 to 1, by the resource that is held most.
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

  std::map<std::string, std::string, std::less<>> cohort_of_;  // of each ClusterQueue
  std::map<PoolName, Pool> pools_;
  std::map<std::string, Holding> holdings_;  // by Workload
};

}  // namespace berth::load

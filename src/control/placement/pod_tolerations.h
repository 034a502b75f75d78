#pragma once

// The taints that the pods of a Workload tolerate, by their own tolerations and by those that
// flavors and admission checks add.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "api/core/toleration.h"
#include "api/kueue/workload.h"
#include "control/placement/node_health.h"
#include "jobs/pods/pod_set_info.h"

namespace berth::control {

enum class Tolerance : uint8_t { kForGood, kForLimitedTime, kNone };

class PodTolerations {
 public:
  // A missing flavor adds nothing.
  static PodTolerations Of(const api::Workload& workload, const jobs::FindFlavor& find_flavor);

  // Of the taints of a node. The least tolerant pod set and taint decide.
  Tolerance To(const NodeHealth& node, const std::vector<std::string>& pod_sets) const;

 private:
  std::map<std::string, std::vector<api::Toleration>, std::less<>> tolerations_;  // by pod set
};

}  // namespace berth::control

#include "control/reconcile/reclaimable.h"

#include <algorithm>
#include <utility>

namespace berth::control {

bool NoteReclaimable(api::Workload& workload, std::vector<api::ReclaimablePod> reclaimable) {
  for (api::ReclaimablePod& pods : reclaimable)
    for (const api::PodSet& set : workload.spec.pod_sets)
      if (set.name == pods.name) pods.count = std::min(pods.count, set.count.value_or(1));
  if (reclaimable == workload.status.reclaimable_pods) return false;
  workload.status.reclaimable_pods = std::move(reclaimable);
  return true;
}

}  // namespace berth::control

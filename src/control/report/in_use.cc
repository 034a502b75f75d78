#include "control/report/in_use.h"

#include "api/kueue/well_known.h"
#include "api/meta/finalizers.h"

namespace berth::control {

FinalizerStep PlanFinalizer(const api::ObjectMeta& metadata, bool is_used) {
  const bool has_it = api::HasFinalizer(metadata, api::kResourceInUseFinalizer);
  if (metadata.deletion_timestamp)
    return has_it && !is_used ? FinalizerStep::kRemove : FinalizerStep::kNothing;
  return has_it ? FinalizerStep::kNothing : FinalizerStep::kAdd;
}

}  // namespace berth::control

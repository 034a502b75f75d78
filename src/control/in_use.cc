#include "control/in_use.h"

#include <algorithm>

#include "api/well_known.h"

namespace berth::control {

FinalizerStep PlanFinalizer(const api::ObjectMeta& metadata, bool is_used) {
  const bool has_it = std::ranges::find(metadata.finalizers, api::kResourceInUseFinalizer) !=
                      metadata.finalizers.end();
  if (metadata.deletion_timestamp)
    return has_it && !is_used ? FinalizerStep::kRemove : FinalizerStep::kNothing;
  return has_it ? FinalizerStep::kNothing : FinalizerStep::kAdd;
}

}  // namespace berth::control

#include "lifecycle/eviction_event.h"

namespace berth::lifecycle {

EventRecord EvictionEvent(const workload::Eviction& eviction) {
  return {.about = EventRecord::About::kWorkload,
          .is_warning = false,
          .reason = "EvictedDueTo" + workload::EvictedReason(eviction.reason, eviction.cause),
          .message = eviction.message};
}

}  // namespace berth::lifecycle

#include "engine/state.h"

namespace berth::engine {

bool ComesBefore(const Workload& a, const Workload& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.queue_order_time != b.queue_order_time) return a.queue_order_time < b.queue_order_time;
  return a.uid < b.uid;
}

}  // namespace berth::engine

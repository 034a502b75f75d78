#include "engine/flavor/undeclared_request.h"

namespace berth::engine {

std::vector<UndeclaredRequest> UndeclaredRequestsOf(const State& state, WorkloadId id) {
  std::vector<UndeclaredRequest> undeclared;
  const Workload& workload = state.workload(id);
  if (state.options.only_declared || workload.shape.is_none()) return undeclared;
  const Queue& queue = state.queue(workload.cluster_queue);
  const PodSetViews pod_sets = state.shape(workload.shape).pod_sets;
  for (uint32_t i = 0; i < pod_sets.size(); ++i) {
    for (const Request& request : pod_sets[i].requests) {
      if (request.amount != 0 && queue.GroupOf(request.resource) == Queue::kUndeclared)
        undeclared.push_back({i, request.resource, request.amount});
    }
  }
  return undeclared;
}

}  // namespace berth::engine

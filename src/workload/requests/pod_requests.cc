#include "workload/requests/pod_requests.h"

#include <string_view>

#include "workload/requests/resource_list.h"

namespace berth::workload {
namespace {

constexpr std::string_view kHugePages = "hugepages-";

bool IsPodLevel(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with(kHugePages);
}

bool IsSidecar(const api::Container& container) {
  return container.restart_policy == api::kContainerRestartAlways;
}

void ApplyOverhead(api::PodSpec& pod, const RuntimeOverheads& overheads) {
  if (!pod.runtime_class_name || !pod.overhead.empty()) return;
  const api::ResourceList* overhead = overheads.Find(*pod.runtime_class_name);
  if (overhead != nullptr) pod.overhead = *overhead;
}

void ApplyDefaults(api::ResourceRequirements& resources, const LimitBounds& bounds) {
  AddMissing(resources.limits, bounds.default_limit);
  AddMissing(resources.requests, bounds.default_request);
}

template <class Function>
void ForEachContainer(api::PodSpec& pod, Function function) {
  for (api::Container& container : pod.init_containers) function(container.resources);
  for (api::Container& container : pod.containers) function(container.resources);
}

}  // namespace

void AdjustPod(api::PodSpec& pod, const LimitSummary& limits, const RuntimeOverheads& overheads) {
  ApplyOverhead(pod, overheads);
  ForEachContainer(pod, [&](api::ResourceRequirements& resources) {
    if (limits.container) ApplyDefaults(resources, *limits.container);
    AddMissing(resources.requests, resources.limits);
  });
  if (!pod.resources) return;
  if (limits.pod) ApplyDefaults(*pod.resources, *limits.pod);
  AddMissing(pod.resources->requests, pod.resources->limits);
}

api::ResourceList PodRequests(const api::PodSpec& adjusted) {
  api::ResourceList total;
  for (const api::Container& container : adjusted.containers) {
    AddTo(total, container.resources.requests);
  }
  api::ResourceList sidecars;
  api::ResourceList starting;  // the maximum before the main containers start
  for (const api::Container& container : adjusted.init_containers) {
    const api::ResourceList& requests = container.resources.requests;
    if (IsSidecar(container)) {
      AddTo(total, requests);
      AddTo(sidecars, requests);
      KeepHigher(starting, sidecars);
    } else {
      api::ResourceList together = requests;
      AddTo(together, sidecars);
      KeepHigher(starting, together);
    }
  }
  KeepHigher(total, starting);
  if (adjusted.resources) {
    for (const auto& [name, quantity] : adjusted.resources->requests) {
      if (IsPodLevel(name)) total.Set(name, quantity);
    }
  }
  AddTo(total, adjusted.overhead);
  return total;
}

}  // namespace berth::workload

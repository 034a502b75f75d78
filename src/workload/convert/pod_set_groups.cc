#include "workload/convert/pod_set_groups.h"

#include <string_view>

namespace berth::workload {
namespace {

std::string_view GroupName(const api::PodSet& pod_set) {
  const auto& request = pod_set.topology_request;
  if (!request || !request->pod_set_group_name) return {};
  return *request->pod_set_group_name;
}

}  // namespace

int32_t GroupOf(std::span<const api::PodSet> pod_sets, size_t index) {
  const std::string_view wanted = GroupName(pod_sets[index]);
  size_t first = index;
  if (!wanted.empty()) {
    first = 0;
    while (GroupName(pod_sets[first]) != wanted) ++first;
  }
  return static_cast<int32_t>(first);
}

}  // namespace berth::workload

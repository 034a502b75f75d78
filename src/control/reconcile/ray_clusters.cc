#include "control/reconcile/ray_clusters.h"

#include <string>
#include <utility>

#include "json/path.h"

namespace berth::control {
namespace {

// In a RayJob and in a RayService.
constexpr std::string_view kClusterNames[] = {"status.rayClusterName",
                                              "status.activeServiceStatus.rayClusterName"};

std::string ClusterNamedBy(const json::value& job) {
  for (const std::string_view path : kClusterNames)
    if (std::string name = json::TextAt(job, path); !name.empty()) return name;
  return "";
}

}  // namespace

bool FollowsRayCluster(const jobs::Integration& integration) {
  return !integration.ray_cluster.empty() && integration.ray_cluster != "spec";
}

void RayClusters::OnChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  clusters_.erase(any.key());
  if (change.after == nullptr) return;
  if (auto tree = json::Parse(change.after->text())) clusters_.emplace(any.key(), std::move(*tree));
}

const json::value* RayClusters::FindFor(const json::value& job) const {
  const auto found = clusters_.find(
      {.namespace_ = json::TextAt(job, "metadata.namespace"), .name = ClusterNamedBy(job)});
  return found == clusters_.end() ? nullptr : &found->second;
}

}  // namespace berth::control

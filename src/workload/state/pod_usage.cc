#include "workload/state/pod_usage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/topology/reduced_objects.h"

namespace berth::workload {
namespace {

int64_t Saturated(base::Int128 amount) {
  constexpr base::Int128 kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(amount, -kMost, kMost));
}

}  // namespace

void PodUsage::Upsert(const api::Pod& pod) {
  const std::string name = NamespacedName(pod.metadata);
  const auto known = pods_.find(name);
  const bool was_uncounted = known != pods_.end() && !known->second.is_counted;
  Erase(name);
  if (!OccupiesNode(pod)) return;
  Pod& added = pods_[name];
  added.node = sums_.try_emplace(pod.spec.node_name).first;
  for (const engine::Request& r : NodeRequests(pod.spec, engine_))
    added.requests.push_back({r.resource, r.amount});
  added.key = WorkloadKey(pod);
  added.is_deleted = pod.metadata.deletion_timestamp.has_value();
  if (!added.key.empty()) pods_of_[added.key].insert(name);
  const bool is_leaving = added.is_deleted && was_uncounted;
  Count(added, !IsPlaced(added.key) && !is_leaving);
}

void PodUsage::Erase(std::string_view namespaced_name) {
  const auto pod = pods_.find(namespaced_name);
  if (pod == pods_.end()) return;
  Count(pod->second, false);
  if (const auto others = pods_of_.find(pod->second.key); others != pods_of_.end()) {
    others->second.erase(pod->first);
    if (others->second.empty()) pods_of_.erase(others);
  }
  pods_.erase(pod);
}

void PodUsage::SetPlaced(const std::string& key, const std::string& workload, bool is_placed) {
  const bool was_placed = IsPlaced(key);
  if (is_placed) {
    placed_[key].insert(workload);
  } else if (was_placed) {
    placed_[key].erase(workload);
    if (placed_[key].empty()) placed_.erase(key);
  }
  if (IsPlaced(key) == was_placed) return;
  const auto pods = pods_of_.find(key);
  if (pods == pods_of_.end()) return;
  for (const std::string& name : pods->second) {
    Pod& pod = pods_.at(name);
    if (is_placed || !pod.is_deleted) Count(pod, !is_placed);
  }
}

void PodUsage::Count(Pod& pod, bool is_counted) {
  if (std::exchange(pod.is_counted, is_counted) == is_counted) return;
  Sums& sums = pod.node->second;
  for (const Part& part : pod.requests) {
    auto sum = std::ranges::find(sums, part.resource, &Sum::resource);
    if (sum == sums.end()) sum = sums.insert(sums.end(), {.resource = part.resource});
    sum->amount += is_counted ? part.amount : -base::Int128(part.amount);
  }
  (is_counted ? more_ : less_).insert(pod.node->first);
}

std::vector<std::string> PodUsage::Sync() {
  std::vector<std::string> with_less(less_.begin(), less_.end());
  more_.merge(less_);
  for (const std::string& node : more_) {
    std::vector<engine::Request> requests;
    for (const Sum& sum : sums_.find(node)->second)
      if (sum.amount != 0) requests.push_back({sum.resource, Saturated(sum.amount)});
    engine_.SetOtherNodeUsage(node, requests);
  }
  more_.clear();
  less_.clear();
  return with_less;
}

}  // namespace berth::workload

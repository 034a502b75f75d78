#include "embedded/nodes/node_lifecycle.h"

#include <algorithm>
#include <iterator>

#include "api/kueue/well_known.h"
#include "api/meta/meta.h"
#include "control/placement/forced_deletion.h"
#include "workload/convert/convert_topology.h"
#include "workload/node_rules.h"

namespace berth::embedded {
namespace {

constexpr std::string_view kReady = "Ready";
constexpr std::string_view kNotReadyTaint = "node.kubernetes.io/not-ready";

using control::kUnreachableTaint;
using workload::FindReady;

std::string_view ReadyStatus(const api::Node& node) {
  const api::CoreCondition* ready = FindReady(node);
  return ready == nullptr ? std::string_view(api::kConditionUnknown) : ready->status;
}

bool IsOfFailure(const api::Taint& taint) {
  return taint.key == kNotReadyTaint || taint.key == kUnreachableTaint;
}

void SetIfAbsent(api::ResourceList& resources, std::string_view resource, std::string_view amount) {
  if (!resources.Contains(resource)) resources.Set(resource, *quantity::Quantity::Parse(amount));
}

void SetResources(api::NodeStatus& status) {
  if (status.allocatable.empty()) status.allocatable = status.capacity;
  if (status.allocatable.empty()) {
    SetIfAbsent(status.allocatable, "cpu", "8");
    SetIfAbsent(status.allocatable, "memory", "32Gi");
  }
  SetIfAbsent(status.allocatable, "pods", "110");
  if (status.capacity.empty()) status.capacity = status.allocatable;
}

void Register(api::Node& node) {
  if (FindReady(node) != nullptr) return;
  SetResources(node.status);
  api::CoreCondition& ready = node.status.conditions.emplace_back();
  ready.type = kReady;
  ready.status = api::kConditionTrue;
  ready.reason = "KubeletReady";
}

void SetTaints(api::Node& node, base::Time now) {
  const std::string_view status = ReadyStatus(node);
  const std::string_view key = status == api::kConditionTrue      ? ""
                               : status == api::kConditionUnknown ? kUnreachableTaint
                                                                  : kNotReadyTaint;
  std::vector<api::Taint>& taints = node.spec.taints;
  std::erase_if(taints, [&](const api::Taint& t) { return IsOfFailure(t) && t.key != key; });
  for (const std::string_view effect : {api::kNoSchedule, api::kNoExecute}) {
    const bool has_taint = std::ranges::any_of(
        taints, [&](const api::Taint& t) { return t.key == key && t.effect == effect; });
    if (key.empty() || has_taint) continue;
    taints.push_back({.key = std::string(key), .value = "", .effect = std::string(effect)});
  }
  for (api::Taint& taint : taints)
    if (taint.effect == api::kNoExecute && !taint.time_added) taint.time_added = now;
}

// How long the pod tolerates the taint; nullopt: forever.
std::optional<base::Duration> TimeOf(const api::PodSpec& pod, const api::Taint& taint,
                                     const SimulationSettings& settings) {
  const workload::NumberedTaint numbered = workload::NumberedTaint::From(taint);
  bool is_tolerated = false;
  std::optional<int64_t> seconds;
  for (const api::Toleration& toleration : pod.tolerations) {
    if (!workload::Tolerates(toleration, numbered)) continue;
    is_tolerated = true;
    if (toleration.toleration_seconds)
      seconds = std::min(seconds.value_or(INT64_MAX), *toleration.toleration_seconds);
  }
  if (!is_tolerated) return IsOfFailure(taint) ? settings.eviction_delay : base::Duration{};
  if (!seconds) return std::nullopt;
  constexpr int64_t kForever = 100LL * 365 * 86400;
  return base::Duration::Seconds(std::clamp<int64_t>(*seconds, 0, kForever));
}

}  // namespace

bool IsReady(const api::Node& node) { return ReadyStatus(node) == api::kConditionTrue; }
bool IsUnreachable(const api::Node& node) { return ReadyStatus(node) == api::kConditionUnknown; }

std::optional<api::Node> SimulateNode(const api::Node& node, base::Time now) {
  api::Node wanted = node;
  Register(wanted);
  SetTaints(wanted, now);
  if (!wanted.metadata.labels.Contains(api::kHostnameLabel))
    wanted.metadata.labels.Set(api::kHostnameLabel, wanted.metadata.name);
  if (wanted == node) return std::nullopt;
  return wanted;
}

std::optional<base::Time> LeavesAt(const api::Pod& pod, const api::Node& node,
                                   const SimulationSettings& settings, base::Time now) {
  const base::Time start = pod.status.start_time.value_or(now);
  std::optional<base::Time> leaves;
  for (const api::Taint& taint : node.spec.taints) {
    if (taint.effect != api::kNoExecute || !taint.time_added) continue;
    const std::optional<base::Duration> time = TimeOf(pod.spec, taint, settings);
    if (!time) continue;
    const base::Time end = std::max(*taint.time_added, start) + *time;
    leaves = std::min(leaves.value_or(end), end);
  }
  return leaves;
}

}  // namespace berth::embedded

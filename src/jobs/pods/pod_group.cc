#include "jobs/pods/pod_group.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/injection.h"
#include "jobs/integration_set.h"

namespace berth::jobs {
namespace {

bool HasGate(const api::Pod& pod, std::string_view name) {
  return std::ranges::find(pod.spec.scheduling_gates, name, &api::PodSchedulingGate::name) !=
         pod.spec.scheduling_gates.end();
}

bool IsReady(const api::Pod& pod) {
  const auto ready = std::ranges::find(pod.status.conditions, "Ready", &api::CoreCondition::type);
  return ready != pod.status.conditions.end() && ready->status == api::kConditionTrue;
}

std::optional<int32_t> CountIn(const api::ObjectMeta& metadata) {
  const auto count = json::IntOf(AnnotationOf(metadata, api::kPodGroupTotalCountAnnotation));
  return count && *count > 0 ? count : std::nullopt;
}

}  // namespace

std::string AnnotationOf(const api::ObjectMeta& metadata, std::string_view key) {
  const std::string* value = metadata.annotations.Find(key);
  return value == nullptr ? std::string() : *value;
}

const Integration& PodIntegration() { return *IntegrationSet::BuiltIn().FindFramework("pod"); }

// --- Single pods -------------------------------------------------------------------------------

std::string PodGroupName(const api::ObjectMeta& metadata, bool reads_annotations) {
  std::string annotation = AnnotationOf(metadata, api::kPodGroupName);
  if (reads_annotations && !annotation.empty()) return annotation;
  const std::string* label = metadata.labels.Find(api::kPodGroupName);
  return label == nullptr ? std::string() : *label;
}

bool IsGated(const api::Pod& pod) { return HasGate(pod, api::kAdmissionSchedulingGate); }

bool IsEnded(const api::Pod& pod) {
  return pod.status.phase == api::kPodSucceeded || pod.status.phase == api::kPodFailed;
}

bool IsRunnable(const api::Pod& pod) {
  if (pod.metadata.deletion_timestamp && pod.spec.node_name.empty()) return false;
  return pod.status.phase != api::kPodFailed;
}

bool IsUnretriable(const api::Pod& pod) {
  return AnnotationOf(pod.metadata, api::kRetriableInGroupAnnotation) == "false";
}

// --- The group ---------------------------------------------------------------------------------

std::optional<int32_t> PodGroup::TotalCount() const {
  return pods.empty() ? std::nullopt : CountIn(pods.front().metadata);
}

bool PodGroup::IsServing() const {
  return !pods.empty() &&
         AnnotationOf(pods.front().metadata, api::kPodGroupServingAnnotation) == "true";
}

bool PodGroup::IsFastAdmitted() const {
  return !pods.empty() &&
         AnnotationOf(pods.front().metadata, api::kPodGroupFastAdmissionAnnotation) == "true";
}

std::optional<JobEnd> GroupFinished(const PodGroup& group) {
  const auto total = group.TotalCount();
  if (group.IsServing() || !total) return std::nullopt;
  const auto succeeded = std::ranges::count_if(
      group.pods, [](const api::Pod& pod) { return pod.status.phase == api::kPodSucceeded; });
  const bool is_over =
      std::ranges::all_of(group.pods, &IsEnded) && std::ranges::any_of(group.pods, &IsUnretriable);
  if (succeeded != *total && !is_over) return std::nullopt;
  return JobEnd{
      .message = std::to_string(succeeded) + " of " + std::to_string(*total) + " pods succeeded",
      .is_success = true};
}

bool GroupPodsReady(const PodGroup& group) {
  const auto total = group.TotalCount();
  return total && group.pods.size() >= static_cast<size_t>(*total) &&
         std::ranges::all_of(group.pods, &IsReady);
}

bool IsGroupActive(const PodGroup& group, base::Time now, bool releases_at_once) {
  return std::ranges::any_of(group.pods, [&](const api::Pod& pod) {
    if (pod.status.phase != api::kPodRunning) return false;
    const auto& deleted = pod.metadata.deletion_timestamp;
    if (!deleted) return true;
    const auto& grace = pod.metadata.deletion_grace_period_seconds;
    if (releases_at_once) return false;
    constexpr int64_t kLongestGrace = 365 * 24 * 3600;
    const auto seconds = std::clamp<int64_t>(grace.value_or(kLongestGrace), 0, kLongestGrace);
    return !grace || now <= *deleted + base::Duration::Seconds(seconds);
  });
}

bool IsGroupSuspended(const PodGroup& group) {
  return std::ranges::any_of(group.pods,
                             [](const api::Pod& pod) { return IsGated(pod) || IsEnded(pod); });
}

std::vector<api::ReclaimablePod> GroupReclaimablePods(const PodGroup& group) {
  std::vector<api::ReclaimablePod> reclaimable;
  if (group.IsServing()) return reclaimable;
  for (const api::Pod& pod : group.pods) {
    if (pod.status.phase != api::kPodSucceeded) continue;
    const std::string role = RoleHashOf(pod);
    const auto known = std::ranges::find(reclaimable, role, &api::ReclaimablePod::name);
    if (known == reclaimable.end()) {
      reclaimable.push_back({.name = role, .count = 1});
    } else {
      ++known->count;
    }
  }
  return reclaimable;
}

std::vector<api::OwnerReference> MissingOwners(const PodGroup& group,
                                               const api::Workload& workload) {
  std::vector<api::OwnerReference> missing;
  for (const api::Pod& pod : group.pods) {
    const auto& owners = workload.metadata.owner_references;
    if (std::ranges::find(owners, pod.metadata.uid, &api::OwnerReference::uid) == owners.end())
      missing.push_back(OwnerReferenceTo(PodIntegration(), pod.metadata, false));
  }
  return missing;
}

std::optional<api::Condition> ReplacementCondition(const api::Workload& workload, int32_t absent,
                                                   base::Time now) {
  const api::Condition* old =
      api::FindCondition(workload.status.conditions, api::condition::kWaitingForReplacementPods);
  if (old == nullptr && absent == 0) return std::nullopt;
  api::Condition next = old == nullptr ? api::Condition() : *old;
  next.type = api::condition::kWaitingForReplacementPods;
  const api::Condition* evicted =
      api::FindCondition(workload.status.conditions, api::condition::kEvicted);
  if (absent == 0) {
    next.status = api::kConditionFalse;
    next.reason = api::condition::kPodsReady;
    next.message = "No pods need replacement";
  } else if (evicted != nullptr && evicted->status == api::kConditionTrue) {
    next.status = api::kConditionTrue;
    next.reason = evicted->reason;
    next.message = evicted->message;
  } else if (next.status != api::kConditionTrue) {
    next.status = api::kConditionTrue;
    next.reason = "PodsFailed";
    next.message = "Failed pods need replacement";
  }
  if (old != nullptr && old->status == next.status &&
      (next.status == api::kConditionFalse ||
       (old->reason == next.reason && old->message == next.message)))
    return std::nullopt;
  next.observed_generation = workload.metadata.generation;
  next.last_transition_time = now;
  return next;
}

const PodSetInfo* FindInfo(const api::Pod& pod, const std::vector<PodSetInfo>& infos) {
  const auto found = std::ranges::find(infos, RoleHashOf(pod), &PodSetInfo::name);
  return found == infos.end() ? nullptr : &*found;
}

std::expected<json::value, StartFailure> StartPod(const json::value& pod, const PodSetInfo& info,
                                                  const StartOptions& options) {
  json::value started = pod;
  const auto injected = Inject(InjectionPaths::InTemplate(""), info, options, started);
  if (!injected) return std::unexpected(injected.error());
  json::value* gates = json::FindAt(started, "spec.schedulingGates");
  if (gates == nullptr || !gates->is_array()) return started;
  const bool keeps_topology =
      std::ranges::find(info.scheduling_gates, api::kTopologySchedulingGate) !=
      info.scheduling_gates.end();
  json::array left;
  for (const json::value& gate : gates->get_array()) {
    const std::string name = json::TextAt(gate, "name");
    if (name == api::kAdmissionSchedulingGate) continue;
    if (name == api::kTopologySchedulingGate && !keeps_topology) continue;
    left.push_back(gate);
  }
  *gates = std::move(left);
  if (gates->get_array().empty()) json::EraseAt(started, "spec.schedulingGates");
  return started;
}

}  // namespace berth::jobs

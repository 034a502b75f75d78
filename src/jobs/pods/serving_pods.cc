#include "jobs/pods/serving_pods.h"

#include <string>
#include <string_view>

#include "api/kueue/pod_set.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/managed.h"
#include "workload/workload_name.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kGroupIndex = "metadata.labels[leaderworkerset.sigs.k8s.io/group-index]";
// Only workers have this annotation.
constexpr std::string_view kLeaderName =
    "metadata.annotations[leaderworkerset.sigs.k8s.io/leader-name]";
constexpr std::string_view kPodIndexLabel = "apps.kubernetes.io/pod-index";

const std::string kQueueName = "metadata.labels[" + std::string(api::kQueueNameLabel) + "]";

void Set(json::value& pod, std::string_view map, std::string_view key, std::string_view text) {
  json::value* at =
      json::MakeAt(pod, "metadata." + std::string(map) + "[" + std::string(key) + "]");
  if (at != nullptr) *at = json::string(json::BoostView(text));
}

// The owner's UID or, for a copy from another cluster, the UID of the original.
std::string UidOf(const api::ObjectMeta& owner) {
  const std::string* origin = owner.annotations.Find(api::kMultiKueueOriginUidAnnotation);
  const bool is_copy = owner.labels.Contains(api::kMultiKueueOriginLabel) && origin != nullptr;
  return is_copy ? *origin : owner.uid;
}

std::string GroupNameFor(const Integration& integration, const api::ObjectMeta& owner,
                         const std::string& index, const WorkloadOptions& options) {
  const std::string uid = UidOf(owner);
  const std::string name = index.empty() ? owner.name : owner.name + "-" + index;
  return workload::WorkloadName(
      {.group = integration.group(), .kind = integration.kind, .name = name, .uid = uid},
      options.max_name_length);
}

std::string RoleOf(const json::value& owner, const json::value& pod) {
  if (json::FindAt(owner, "spec.leaderWorkerTemplate.leaderTemplate") == nullptr)
    return std::string(api::kDefaultPodSetName);
  return json::FindAt(pod, kLeaderName) == nullptr ? "leader" : "worker";
}

void SetQueue(const api::ObjectMeta& owner, json::value& pod) {
  Set(pod, "labels", api::kManagedLabel, "true");
  const std::string_view queue = QueueNameOf(owner);
  // A started pod keeps the queue whose quota it uses.
  const bool is_bound = json::FindAt(pod, kQueueName) != nullptr &&
                        json::FindAt(pod, "spec.schedulingGates") == nullptr;
  if (!queue.empty() && !is_bound) Set(pod, "labels", api::kQueueNameLabel, queue);
  const std::string_view priority = WorkloadPriorityClassOf(owner);
  if (!priority.empty()) Set(pod, "labels", api::kPriorityClassLabel, priority);
}

void SetGroup(const std::string& name, int32_t size, const WorkloadOptions& options,
              json::value& pod) {
  const bool fits_label = name.size() <= api::kMaxLabelLength;
  const bool is_label = !options.reads_name_annotations && fits_label;
  Set(pod, options.reads_name_annotations ? "annotations" : "labels", api::kPodGroupName, name);
  Set(pod, is_label ? "labels" : "annotations", api::kPrebuiltWorkloadName, name);
  // Pods of a set that was scaled to zero are about to be deleted.
  if (size > 0) Set(pod, "annotations", api::kPodGroupTotalCountAnnotation, std::to_string(size));
  Set(pod, "annotations", api::kPodGroupServingAnnotation, "true");
}

}  // namespace

base::Result<std::optional<json::value>> MarkServingPod(const Integration& integration,
                                                        const json::value& owner,
                                                        const json::value& pod,
                                                        const WorkloadOptions& options,
                                                        const std::string& group) {
  const auto metadata = MetadataOf(owner);
  if (!metadata) return std::unexpected(metadata.error());
  json::value marked = pod;
  SetQueue(*metadata, marked);
  if (integration.suspension == kSuspendedAsGroups) {
    const std::string index = json::TextAt(pod, kGroupIndex);
    if (index.empty()) return std::nullopt;
    const int32_t size = json::IntAt(owner, "spec.leaderWorkerTemplate.size").value_or(1);
    SetGroup(GroupNameFor(integration, *metadata, index, options), size, options, marked);
    Set(marked, "annotations", api::kRoleHashAnnotation, RoleOf(owner, pod));
  } else {
    const int32_t size = json::IntAt(owner, "spec.replicas").value_or(1);
    SetGroup(group.empty() ? GroupNameFor(integration, *metadata, "", options) : group, size,
             options, marked);
    Set(marked, "annotations", api::kPodGroupFastAdmissionAnnotation, "true");
    Set(marked, "annotations", api::kPodGroupPodIndexLabelAnnotation, kPodIndexLabel);
    Set(marked, "annotations", api::kRoleHashAnnotation, api::kDefaultPodSetName);
  }
  if (marked == pod) return std::nullopt;
  return marked;
}

}  // namespace berth::jobs

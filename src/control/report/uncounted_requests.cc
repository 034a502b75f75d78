#include "control/report/uncounted_requests.h"

#include <utility>

#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

constexpr std::string_view kExcludedReason = "ResourcesExcluded";
constexpr std::string_view kUndeclaredReason = "ResourcesNotDeclared";

const api::ClusterQueue* PendingQueueOf(const api::Workload& w,
                                        const workload::ClusterState& cluster) {
  const api::LocalQueue* local = cluster.FindLocalQueueOf(w);
  return local == nullptr ? nullptr
                          : cluster.FindClusterQueue(local->spec.cluster_queue.value_or(""));
}

struct Uncounted {
  std::string reason;  // of the Event
  std::string text;    // "" if everything counts
};

// The reason of the Event for a skipped resource; "" if it needs none.
std::string_view ReasonFor(workload::NotCounted why, const workload::ResourceOptions& options) {
  using workload::NotCounted;
  if (why == NotCounted::kExcludedByConfiguration || why == NotCounted::kExcludedByClusterQueue)
    return kExcludedReason;
  const bool is_ignored = why == NotCounted::kNotDeclared && options.checks_only_declared;
  return is_ignored ? kUndeclaredReason : std::string_view();
}

// Exclusions have no effect where undeclared resources are skipped, so there is one reason.
Uncounted UncountedOf(const api::Workload& workload, const api::ClusterQueue& queue,
                      workload::ClusterState& cluster) {
  Uncounted uncounted;
  for (const workload::SkippedResource& skipped : cluster.CountRequests(workload).skipped) {
    const std::string_view reason = ReasonFor(skipped.why, *cluster.rules().resources);
    if (reason.empty()) continue;
    uncounted.reason = reason;
    uncounted.text += (uncounted.text.empty() ? "" : "; ") + ToString(skipped, queue.metadata.name);
  }
  return uncounted;
}

}  // namespace

void UncountedRequests::Record(const api::Workload& workload) {
  const workload::ResourceOptions& options = *cluster_.rules().resources;
  // Without these gates requests count as in Kueue, which records nothing.
  if (!options.has_queue_exclusion && !options.checks_only_declared) return;
  if (workload::HasReservation(workload) || workload::IsFinished(workload)) return;
  const api::ClusterQueue* queue = PendingQueueOf(workload, cluster_);
  if (queue == nullptr) return;
  const Uncounted uncounted = UncountedOf(workload, *queue, cluster_);
  const std::string name = workload::NamespacedName(workload.metadata);
  if (std::exchange(recorded_[name], uncounted.text) == uncounted.text) return;
  hooks_.log("Workload " + name + ": " +
             (uncounted.text.empty() ? "all requests counted against quota"
                                     : "not counted against quota: " + uncounted.text));
  if (uncounted.text.empty()) return;
  hooks_.record_event(workload,
                      {.about = lifecycle::EventRecord::About::kWorkload,
                       .is_warning = false,
                       .reason = uncounted.reason,
                       .message = lifecycle::messages::ResourcesNotCounted(uncounted.text)});
}

}  // namespace berth::control

#include "control/report/uncounted_requests.h"

#include <utility>

#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

constexpr std::string_view kExcludedReason = "ResourcesExcluded";

const api::ClusterQueue* PendingQueueOf(const api::Workload& w,
                                        const workload::ClusterState& cluster) {
  const api::LocalQueue* local = cluster.FindLocalQueueOf(w);
  return local == nullptr ? nullptr
                          : cluster.FindClusterQueue(local->spec.cluster_queue.value_or(""));
}

void AppendPart(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : "; ") + part;
}

struct Uncounted {
  std::string excluded;
  std::string undeclared;

  std::string All() const {
    std::string all = excluded;
    if (!undeclared.empty()) AppendPart(all, undeclared);
    return all;
  }
};

Uncounted UncountedOf(const api::Workload& workload, const api::ClusterQueue& queue,
                      workload::ClusterState& cluster) {
  using workload::NotCounted;
  Uncounted uncounted;
  for (const workload::SkippedResource& skipped : cluster.CountRequests(workload).skipped) {
    const std::string text = ToString(skipped, queue.metadata.name);
    if (skipped.why == NotCounted::kExcludedByConfiguration ||
        skipped.why == NotCounted::kExcludedByClusterQueue)
      AppendPart(uncounted.excluded, text);
    if (skipped.why == NotCounted::kNotDeclared && cluster.rules().resources->checks_only_declared)
      AppendPart(uncounted.undeclared, text);
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
  const std::string all = uncounted.All();
  if (std::exchange(recorded_[name], all) == all) return;
  hooks_.log(
      "Workload " + name + ": " +
      (all.empty() ? "all requests counted against quota" : "not counted against quota: " + all));
  if (uncounted.excluded.empty()) return;
  hooks_.record_event(workload,
                      {.about = lifecycle::EventRecord::About::kWorkload,
                       .is_warning = false,
                       .reason = std::string(kExcludedReason),
                       .message = lifecycle::messages::ResourcesExcluded(uncounted.excluded)});
}

}  // namespace berth::control

#include "control/uncounted_requests.h"

#include <utility>

#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

constexpr std::string_view kExcludedReason = "ResourcesExcluded";

const api::ClusterQueue* WaitingQueueOf(const api::Workload& w, const workload::EngineFeed& feed) {
  const api::LocalQueue* local = feed.FindLocalQueue(
      workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or("")));
  return local == nullptr ? nullptr : feed.FindClusterQueue(local->spec.cluster_queue.value_or(""));
}

void AppendPart(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : "; ") + part;
}

}  // namespace

std::optional<UncountedRequests::News> UncountedRequests::Look(const api::Workload& workload,
                                                               workload::EngineFeed& feed) {
  const workload::ResourceOptions& options = *feed.rules().resources;
  // Without these gates everything goes as in Kueue, which does not tell.
  if (!options.has_queue_exclusion && !options.checks_only_declared) return std::nullopt;
  if (workload::HasReservation(workload) || workload::IsFinished(workload)) return std::nullopt;
  const api::ClusterQueue* queue = WaitingQueueOf(workload, feed);
  if (queue == nullptr) return std::nullopt;
  std::string excluded, undeclared;
  for (const workload::SkippedResource& skipped : feed.CountRequests(workload).skipped) {
    using workload::NotCounted;
    const std::string text = ToString(skipped, queue->metadata.name);
    if (skipped.why == NotCounted::kExcludedByConfiguration ||
        skipped.why == NotCounted::kExcludedByClusterQueue)
      AppendPart(excluded, text);
    if (skipped.why == NotCounted::kNotDeclared && options.checks_only_declared)
      AppendPart(undeclared, text);
  }
  std::string all = excluded;
  if (!undeclared.empty()) AppendPart(all, undeclared);
  const std::string name = workload::NamespacedName(workload.metadata);
  std::string& said = said_[name];
  if (said == all) return std::nullopt;
  said = all;
  News news{.log = "Workload " + name + ": " +
                   (all.empty() ? "all requests count" : "does not count: " + all),
            .note = {}};
  if (!excluded.empty())
    news.note = Note{.about = Note::About::kWorkload,
                     .is_warning = false,
                     .reason = std::string(kExcludedReason),
                     .message = "Does not count against quota: " + excluded};
  return news;
}

}  // namespace berth::control

#include "control/reconcile/owner_lookup.h"

#include <utility>

#include "control/rate_limit.h"
#include "jobs/workload_for.h"
#include "json/json.h"

namespace berth::control {

OwnerLookup::OwnerLookup(store::Store& store, store::Executor& executor,
                         std::function<void(const JobKey&)> on_answer)
    : store_(store), executor_(executor), on_answer_(std::move(on_answer)) {}

OwnerLookup::Answer OwnerLookup::Find(const jobs::Integration& kind,
                                      const api::OwnerReference& owner, const JobKey& job) {
  const auto [entry, is_new] = entries_.try_emplace(owner.uid);
  if (entry->second.is_answered)
    return {.is_known = true,
            .metadata = entry->second.metadata ? &*entry->second.metadata : nullptr};
  entry->second.jobs.insert(job);
  if (!is_new) return {};
  ++in_flight_;
  store_.Do(store::Get{.resource = ResourceOf(kind),
                       .namespace_ = job.namespace_,
                       .name = owner.name,
                       .subresource = ""},
            executor_,
            self_.Wrap([this, uid = owner.uid](const store::Outcome<store::Reply>& reply) {
              OnReply(uid, reply);
            }));
  return {};
}

void OwnerLookup::OnReply(const std::string& uid, const store::Outcome<store::Reply>& reply) {
  --in_flight_;
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  const std::set<JobKey> jobs = std::exchange(found->second.jobs, {});
  if (!reply && !reply.error().IsNotFound()) {
    entries_.erase(found);
    return executor_.PostAfter(kRejectionBackOff, self_.Wrap([this, jobs] {
      for (const JobKey& job : jobs) on_answer_(job);
    }));
  }
  found->second.is_answered = true;
  if (reply && reply->object.uid == uid)
    if (const auto tree = json::Parse(reply->object.text()))
      if (auto metadata = jobs::MetadataOf(*tree)) found->second.metadata = std::move(*metadata);
  for (const JobKey& job : jobs) on_answer_(job);
}

}  // namespace berth::control

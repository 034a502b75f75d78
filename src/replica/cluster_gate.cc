#include "replica/cluster_gate.h"

#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload.h"
#include "base/sha256.h"
#include "json/json.h"

namespace berth::replica {
namespace {

using query::Viewer;

http::Response RefusalOf(Access why) {
  if (why == Access::kUnavailable)
    return http::StatusResponse(503, "ServiceUnavailable",
                                "token review failed: API server not reachable");
  if (why == Access::kBusy)
    return http::StatusResponse(429, "TooManyRequests",
                                "too many tokens under review; try again in a moment");
  return http::StatusResponse(401, "Unauthorized", "bearer token of the cluster required");
}

template <class T>
AccessAttributes ListOf(std::string_view namespace_name = "") {
  return AccessAttributes::OfList(store::ResourceOf<T>(), namespace_name);
}

}  // namespace

// The questions about one user.
struct ClusterGate::Review {
  std::string key;
  store::Executor& executor;
  json::object user = {};
  Viewer viewer = {};
  size_t open_questions = 0;
  bool is_about_namespaces = false;
  bool is_unavailable = false;
};

ClusterGate::ClusterGate(store::Store& store, ListNamespaces list_namespaces, Limits limits)
    : limits_(limits),
      list_namespaces_(std::move(list_namespaces)),
      access_(store, {.most_cached = 20 * limits.most_namespaces}) {}

void ClusterGate::Admit(const http::Request& request, store::Executor& executor, Then then) {
  const std::string_view token = http::BearerToken(request.authorization);
  if (token.empty()) return then(std::unexpected(RefusalOf(Access::kUnauthenticated)));
  const std::string key = base::Sha256Hex(token);
  const auto kept = kept_.find(key);
  if (kept != kept_.end() && executor.Now() < kept->second.until) return then(kept->second.verdict);
  std::vector<Then>& waiting = waiting_[key];
  waiting.push_back(std::move(then));
  if (waiting.size() > 1) return;
  auto review = std::make_shared<Review>(Review{.key = key, .executor = executor});
  access_.Authenticate(token, executor, [this, review](json::object user, Access why_none) {
    review->is_unavailable = user.empty() && why_none != Access::kUnauthenticated;
    if (user.empty()) return Finish(review, std::unexpected(RefusalOf(why_none)));
    review->viewer.user = json::StringAt(user, {"user"});
    review->user = std::move(user);
    ReviewClusterWide(review);
  });
}

void ClusterGate::ReviewClusterWide(const std::shared_ptr<Review>& review) {
  ++review->open_questions;  // until all are asked
  Ask(review, ListOf<api::ClusterQueue>(), [](Viewer& v) { v.sees_cluster_queues = true; });
  Ask(review, ListOf<api::Cohort>(), [](Viewer& v) { v.sees_cohorts = true; });
  Ask(review, ListOf<api::ResourceFlavor>(), [](Viewer& v) { v.sees_flavors = true; });
  Ask(review, ListOf<api::Workload>(), [](Viewer& v) { v.workloads = query::Namespaces::All(); });
  Ask(review, ListOf<api::LocalQueue>(),
      [](Viewer& v) { v.local_queues = query::Namespaces::All(); });
  EndQuestion(review);
}

void ClusterGate::ReviewNamespaces(const std::shared_ptr<Review>& review) {
  review->is_about_namespaces = true;
  list_namespaces_(review->executor, [this, review](const std::set<std::string>& namespaces) {
    ++review->open_questions;  // until all are asked
    size_t count = 0;
    for (const std::string& name : namespaces) {
      if (count++ == limits_.most_namespaces) break;
      if (!review->viewer.workloads.is_all())
        Ask(review, ListOf<api::Workload>(name), [name](Viewer& v) { v.workloads.Add(name); });
      if (!review->viewer.local_queues.is_all())
        Ask(review, ListOf<api::LocalQueue>(name), [name](Viewer& v) { v.local_queues.Add(name); });
    }
    EndQuestion(review);
  });
}

void ClusterGate::Ask(const std::shared_ptr<Review>& review, AccessAttributes attributes,
                      std::move_only_function<void(Viewer&)> grant) {
  ++review->open_questions;
  access_.AuthorizeUser(review->user, std::move(attributes), review->executor,
                        [this, review, grant = std::move(grant)](Access access) mutable {
                          if (access == Access::kAllowed) grant(review->viewer);
                          if (access == Access::kUnavailable) review->is_unavailable = true;
                          EndQuestion(review);
                        });
}

void ClusterGate::EndQuestion(const std::shared_ptr<Review>& review) {
  if (--review->open_questions > 0) return;
  if (review->is_unavailable)
    return Finish(review, std::unexpected(RefusalOf(Access::kUnavailable)));
  const Viewer& viewer = review->viewer;
  const bool sees_all_namespaces = viewer.workloads.is_all() && viewer.local_queues.is_all();
  if (!review->is_about_namespaces && !sees_all_namespaces) return ReviewNamespaces(review);
  Finish(review, viewer);
}

void ClusterGate::Finish(const std::shared_ptr<Review>& review, Verdict verdict) {
  if (!review->is_unavailable) {
    // A client that sends many tokens must not exhaust memory.
    if (kept_.size() >= limits_.most_kept) kept_.clear();
    const base::Duration ttl = verdict ? limits_.admitted_ttl : limits_.refused_ttl;
    kept_.insert_or_assign(review->key,
                           Kept{.verdict = verdict, .until = review->executor.Now() + ttl});
  }
  for (Then& then : std::exchange(waiting_[review->key], {})) then(verdict);
  if (waiting_[review->key].empty()) waiting_.erase(review->key);
}

}  // namespace berth::replica

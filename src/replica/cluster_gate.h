#pragma once

// What the users of a cluster may see: the cluster authenticates them by TokenReview, and its RBAC
// decides by SubjectAccessReview, as for `kubectl get`.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "dashboard/gate.h"
#include "replica/access_check.h"
#include "store/store.h"

namespace berth::replica {

// Single-threaded. Verdicts are kept for a while.
class ClusterGate final : public dashboard::Gate {
 public:
  struct Limits {
    base::Duration admitted_ttl = base::Duration::Seconds(60);
    base::Duration refused_ttl = base::Duration::Seconds(10);
    size_t most_kept = 1000;
    // Of a user who may not see all: further namespaces, by name, are left out.
    size_t most_namespaces = 500;
  };
  // Passes the namespaces with LocalQueues to `then` on the executor.
  using ListNamespaces = std::function<void(
      store::Executor& executor, std::move_only_function<void(std::set<std::string>)> then)>;

  // The store must outlive the gate and allow writes.
  ClusterGate(store::Store& store, ListNamespaces list_namespaces)
      : ClusterGate(store, std::move(list_namespaces), Limits()) {}
  ClusterGate(store::Store& store, ListNamespaces list_namespaces, Limits limits);

  void Admit(const http::Request& request, store::Executor& executor,
             std::move_only_function<void(Verdict)> then) override;

 private:
  using Then = std::move_only_function<void(Verdict)>;
  struct Kept {
    Verdict verdict;
    base::Time until;
  };
  struct Review;

  void ReviewClusterWide(const std::shared_ptr<Review>& review);
  void ReviewNamespaces(const std::shared_ptr<Review>& review);
  // Asks for one access. The review finishes with its last question.
  void Ask(const std::shared_ptr<Review>& review, AccessAttributes attributes,
           std::move_only_function<void(query::Viewer&)> grant);
  void EndQuestion(const std::shared_ptr<Review>& review);
  void Finish(const std::shared_ptr<Review>& review, Verdict verdict);

  Limits limits_;
  ListNamespaces list_namespaces_;
  AccessCheck access_;
  std::map<std::string, Kept> kept_;                  // by hash of the token
  std::map<std::string, std::vector<Then>> waiting_;  // likewise
};

}  // namespace berth::replica

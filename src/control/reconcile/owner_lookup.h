#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "api/meta/meta.h"
#include "control/reconcile/job_cache.h"
#include "store/executor.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::control {

// Owners of jobs that no watch has delivered. The watch of a job may be quicker than that of its
// owner, whose kind may just have been defined: the API server knows. Runs on the executor.
class OwnerLookup {
 public:
  // `on_answer` is called for each job that asked. Everything must outlive this.
  OwnerLookup(store::Store& store, store::Executor& executor,
              std::function<void(const JobKey&)> on_answer);

  struct Answer {
    bool is_known = false;                      // otherwise `on_answer` will be called
    const api::ObjectMeta* metadata = nullptr;  // null: there is no such object
  };
  // Asks for the owner of a job in the same namespace, once.
  Answer Find(const jobs::Integration& kind, const api::OwnerReference& owner, const JobKey& job);
  // A watch has delivered the owner.
  void Erase(const std::string& uid) { entries_.erase(uid); }

  bool is_idle() const { return in_flight_ == 0; }

 private:
  struct Entry {
    bool is_answered = false;
    std::optional<api::ObjectMeta> metadata;
    std::set<JobKey> jobs;
  };

  void OnReply(const std::string& uid, const store::Outcome<store::Reply>& reply);

  store::Store& store_;
  store::Executor& executor_;
  std::function<void(const JobKey&)> on_answer_;
  std::map<std::string, Entry> entries_;  // by uid
  size_t in_flight_ = 0;
  store::WeakSelf self_;
};

}  // namespace berth::control

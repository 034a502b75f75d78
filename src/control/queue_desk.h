#pragma once

// Keeps what others see of queues, cohorts, flavors and admission checks in step with the engine:
// their status, what LocalQueues consumed, and the finalizer that holds what is in use.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/admission_check.h"
#include "api/cohort.h"
#include "api/object.h"
#include "api/resource_flavor.h"
#include "base/time.h"
#include "control/queue_status.h"
#include "control/usage_sampling.h"
#include "store/store.h"
#include "workload/engine_feed.h"

namespace berth::control {

class QueueDesk {
 public:
  struct Hooks {
    // An object was written and is in this state now. Watches may tell of later ones before.
    std::function<void(const schema::Kind&, const store::Object&)> on_written;
    // A write is over, in whichever way: there may be another one to do.
    std::function<void()> on_over;
    std::function<void(std::string_view)> log;
  };

  // `sampling`: of what LocalQueues consume; absent if nobody asks.
  QueueDesk(store::Store& store, store::Executor& executor, const workload::EngineFeed& feed,
            std::optional<UsageSampling> sampling, Hooks hooks);
  ~QueueDesk();

  // What there is; ClusterQueues are known from the feed.
  void Learn(const api::Object& object);
  void Forget(const schema::Kind& kind, std::string_view namespace_name, std::string_view name);

  // Writes what is not as it ought to be, one write of each object at a time.
  void Plan(base::Time now);
  bool is_idle() const { return writes_.empty(); }

 private:
  void Sample(const Tallies& tallies, const api::LocalQueue& queue, base::Time now,
              api::LocalQueueStatus& status);
  void LookAgainAt(base::Time when, base::Time now);
  template <class T, class Status>
  void WriteStatus(const T& object, const Status& status);
  template <class T>
  void KeepFinalizer(const T& object, bool is_used);
  void WriteOnce(const std::string& key, const schema::Kind& kind, store::Patch patch);
  bool IsFlavorUsed(std::string_view flavor) const;
  bool IsCheckUsed(std::string_view check) const;

  store::Store& store_;
  store::Executor& executor_;
  const workload::EngineFeed& feed_;
  std::optional<UsageSampling> sampling_;
  std::optional<base::Time> next_look_;
  Hooks hooks_;
  std::map<std::string, api::Cohort, std::less<>> cohorts_;
  std::map<std::string, api::ResourceFlavor, std::less<>> flavors_;
  std::map<std::string, api::AdmissionCheck, std::less<>> checks_;
  std::set<std::string, std::less<>> local_queues_;  // by namespaced name
  std::set<std::string, std::less<>> writes_;        // under way
  std::shared_ptr<QueueDesk*> self_;
};

}  // namespace berth::control

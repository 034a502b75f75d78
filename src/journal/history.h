#pragma once

// What happened to Workloads, and a queue at a moment. No I/O.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "journal/record.h"
#include "workload/state/cluster_state.h"

namespace berth::journal {

// A step in the life of a Workload.
struct LifeEvent {
  base::Time time;
  std::string workload;       // namespaced name
  std::string cluster_queue;  // that held its quota then; "" while pending
  std::string local_queue;    // namespaced name
  std::string what;           // "Created", "Pending", "QuotaReserved", "Admitted", "Preempting", …
  std::string detail;
};

// Follows a journal.
class LifeEvents {
 public:
  // The events of the next record.
  std::vector<LifeEvent> Add(const Record& record);

 private:
  void OnUpsert(const Upsert& upsert, std::vector<LifeEvent>& events);
  void OnRemoval(const Removal& removal, std::vector<LifeEvent>& events);
  void OnCycle(const Cycle& cycle, std::vector<LifeEvent>& events) const;

  std::map<std::string, api::Workload, std::less<>> workloads_;
  base::Time now_;
};

// The steps between two states of a Workload; `before` is null if it is new.
std::vector<LifeEvent> StepsBetween(const api::Workload* before, const api::Workload& after,
                                    base::Time now);
// "cpu: 2 of spot, memory: 4Gi of spot".
std::string FlavorsText(const api::Admission& admission);

// A ClusterQueue at a moment.
struct QueueMoment {
  struct Quota {
    std::string flavor;
    std::string resource;
    std::string nominal;
    std::string used;
  };
  struct Holder {
    std::string workload;
    base::Time since;
    std::string flavors;
  };
  struct Waiter {
    std::string workload;
    int64_t priority = 0;
    base::Time since;
    bool is_inadmissible = false;
    std::string reason;
  };
  std::string name;
  std::string inactive_reason;
  std::vector<Quota> quota;
  std::vector<Holder> holders;  // by time
  std::vector<Waiter> waiters;  // in the order of consideration; inadmissible ones last
};

// Nullopt if there is no such ClusterQueue. The state must be in sync.
std::optional<QueueMoment> MomentOf(const workload::ClusterState& cluster, std::string_view queue,
                                    base::Time now);

}  // namespace berth::journal

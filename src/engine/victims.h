#pragma once

// Which reserved workloads to preempt for one that needs quota.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "engine/quota_forest.h"
#include "engine/state.h"

namespace berth::engine {

enum class PreemptionReason : uint8_t {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortReclaimWhileBorrowing,
  kInCohortFairSharing,
};

struct Victim {
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
};

// Who needs what. All amounts are of the queue's tree.
struct Need {
  NodeId queue;
  int64_t priority = 0;
  base::Time queue_order_time;
  AdmissionConstraints constraints = {};
  std::span<const Column> columns;         // where quota is missing
  std::span<const ColumnAmount> requests;  // all that is to be used, these columns and others
};

bool SatisfiesPolicy(PreemptionPolicy policy, const Need& need, const Workload& candidate);

// Whether a reserved workload uses any of the columns.
bool UsesAny(const State& state, const Workload& workload, std::span<const Column> columns);

// Whether the node stays within its subtree quota in all the columns.
bool IsWithinQuota(const QuotaForest& forest, NodeId node, std::span<const Column> columns);

// Whether the requests fit now, as far as the need's constraints allow; without borrowing they must
// also stay within the queue's nominal quota.
bool Fits(const QuotaForest& forest, const Need& need, bool allow_borrowing);

// Gives back, last to first, every victim but the last without which it still fits. The usage of
// all victims has been removed; that of those given back is added again.
void GiveBack(State& state, const Need& need, bool allow_borrowing, std::vector<Victim>& victims);

class FairVictimSearch;  // fair_victims.h
class Candidates;        // candidates.h

// Finds the victims, or none. Keeps its buffers between calls. The forest is as before afterwards.
class VictimSearch {
 public:
  explicit VictimSearch(State& state);
  ~VictimSearch();

  // Empty if there is no set that makes room, or the need's constraints forbid to look for one.
  // `victims` is cleared first.
  void Find(const Need& need, std::vector<Victim>& victims);

 private:
  // Without fair sharing.
  void FindByPriority(const Need& need, std::vector<Victim>& victims);
  bool TryWith(const Need& need, bool allow_borrowing, std::vector<Victim>& victims);

  State& state_;
  std::unique_ptr<FairVictimSearch> fair_;
  std::unique_ptr<Candidates> candidates_;
  std::vector<Victim> trial_;
};

}  // namespace berth::engine

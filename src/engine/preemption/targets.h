#pragma once

// The search for preemption targets for a workload that needs quota.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "engine/quota/quota_forest.h"
#include "engine/state.h"

namespace berth::engine {

enum class PreemptionReason : uint8_t {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortReclaimWhileBorrowing,
  kInCohortFairSharing,
};

struct PreemptionTarget {
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
};

// Whether the preemptor's pods can be placed with the usage of nodes as it is now.
class PlacementCheck {
 public:
  virtual ~PlacementCheck() = default;
  virtual bool HasPlace() = 0;
  // The request of its pods, if that is one; otherwise null.
  virtual const PlacementRequest* OnlyRequest() = 0;
};

// The preemptor's request. Columns are those of the queue's tree.
struct Need {
  NodeId queue;
  int64_t priority = 0;
  base::Time queue_order_time;
  AdmissionConstraints constraints = {};
  std::span<const ColumnIndex> columns;    // columns with missing quota
  std::span<const ColumnAmount> requests;  // all requested usage, including other columns
  PlacementCheck* placement = nullptr;     // null: its pods are not placed in a topology
};

bool SatisfiesPolicy(PreemptionPolicy policy, const Need& need, const Workload& candidate);

// Whether a reserved workload uses any of the columns.
bool UsesAny(const State& state, const Workload& workload, std::span<const ColumnIndex> columns);

// Whether the node stays within its subtree quota in all the columns.
bool IsWithinQuota(const QuotaForest& forest, NodeId node, std::span<const ColumnIndex> columns);

// Whether the requests fit now within the need's constraints; without borrowing they must also stay
// within the queue's nominal quota.
bool FitsQuota(const QuotaForest& forest, const Need& need, bool allow_borrowing);
// The same, and its pods can be placed.
bool Fits(const QuotaForest& forest, const Need& need, bool allow_borrowing);

// Removes, last to first, every preemption target that is not needed to fit, except the last one.
// Precondition: the usage of all targets is removed. Adds the usage of dropped targets again.
void RestoreUnneeded(State& state, const Need& need, bool allow_borrowing,
                     std::vector<PreemptionTarget>& targets);

class FairTargetSearch;    // fair_targets.h
class Candidates;          // candidates.h
class DomainTargetSearch;  // domain_targets.h

// Finds preemption targets. Keeps its buffers between calls. Leaves the forest unchanged.
class TargetSearch {
 public:
  explicit TargetSearch(State& state);
  ~TargetSearch();

  // Clears `targets` first. Leaves it empty if no set of targets makes room or the need's
  // constraints forbid preemption.
  void Find(const Need& need, std::vector<PreemptionTarget>& targets);

 private:
  // Without fair sharing.
  void FindByPriority(const Need& need, std::vector<PreemptionTarget>& targets);
  bool TryWith(const Need& need, bool allow_borrowing, std::vector<PreemptionTarget>& targets);

  State& state_;
  std::unique_ptr<FairTargetSearch> fair_;
  std::unique_ptr<Candidates> candidates_;
  std::unique_ptr<DomainTargetSearch> domains_;
  std::vector<PreemptionTarget> trial_;
};

}  // namespace berth::engine

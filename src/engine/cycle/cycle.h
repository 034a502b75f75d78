#pragma once

// One scheduling cycle over the heads of all queues.

#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/constraints.h"
#include "engine/engine.h"
#include "engine/explain/blocked_option.h"
#include "engine/flavor/assignment.h"
#include "engine/flavor/flavor_assigner.h"
#include "engine/preemption/targets.h"
#include "engine/queue/pending.h"
#include "engine/quota/fair_share.h"
#include "engine/state.h"

namespace berth::engine {

// A head and the findings of the cycle about it. Reused from cycle to cycle with its buffers.
struct Entry {
  WorkloadId workload;
  NodeId queue;
  // Copied from the workload.
  int64_t priority = 0;
  base::Time queue_order_time;
  Assignment assignment;
  std::vector<PreemptionTarget> targets;  // all of them, including those already being evicted
  WorkloadId replaced;                    // the workload slice that it replaces
  bool is_preemptor = false;
  bool keeps_progress = true;
  bool was_recomputed = false;
  Outcome outcome = Outcome::kNoFit;
  WaitReason reason = WaitReason::kNone;
  std::vector<BlockedOption> blocked_options;  // for a constrained head that is not nominated

  // Shares of the queue and its cohorts if this head were admitted, from the queue upwards; one per
  // node below the root. For the tournament.
  struct Level {
    FairShare share;
    bool is_borrowing = false;  // for the resources of this head
  };
  std::vector<Level> levels;
  bool is_done = false;

  // For explanations; heads of a cycle use the defaults.
  bool is_traced = false;  // search from the first flavor and record every attempt
  bool may_shrink = true;  // try fewer pods if all do not fit
  bool may_preempt = true;
};

// Whether the entry fits or has preemption targets.
bool IsNominated(const Entry& entry);

class Cycle {
 public:
  Cycle(State& state, PendingQueues& pending);

  // Runs one cycle and applies its results to the state: reservations of admitted workloads,
  // eviction marks of preemption targets, and requeues.
  std::span<const Decision> Run(base::Time now);

  // Nominates a pending workload: fills in the assignment and preemption targets of the entry.
  // Returns true if it fits once its preemption targets are gone. Leaves the state unchanged.
  bool Consider(Entry& entry);
  // Fills in the options that would admit the entry without its constraints. Precondition: Consider
  // did not nominate it. Leaves the state unchanged.
  void FindBlockedOptions(Entry& entry);

 private:
  // The steps of Run.
  void CollectHeads();
  void NominateAll();
  void Nominate(Entry& entry);
  void ProcessInOrder();
  void Process(Entry& entry);
  void Apply(base::Time now);

  // Data of a head is scattered in memory. Prefetching for the next heads hides the latency: with a
  // thousand queues, cache misses took as long as the rest of the cycle.
  void PrefetchForNomination(size_t entry) const;
  void PrefetchForProcessing(size_t place) const;
  void PrefetchForApply(size_t place) const;

  // Nomination.
  void FindAssignment(Entry& entry, const Assignment* nominated);
  bool FindTargets(const Entry& entry, const Assignment& assignment,
                   std::vector<PreemptionTarget>& targets);
  bool TryReducedCounts(Entry& entry, const AssignmentInput& full);
  void DropOutdatedProgress(Workload& workload);
  void DropProgress(Workload& workload);
  void TryWithout(AdmissionConstraints dropped, Entry& entry);
  std::vector<BorrowedAmount> BorrowedBy(const Entry& entry);
  std::vector<BorrowedAmount> ExcessOf(const Entry& entry) const;

  // Processing.
  bool HasOverlap(const Entry& entry) const;
  bool FitsNow(const Entry& entry);
  void Recompute(Entry& entry);
  void ReserveForWaiting(const Entry& entry);
  void AddUsage(const Entry& entry);

  // Order.
  void ProcessByPriority();
  void ProcessByTournament();
  void ComputeLevels(Entry& entry);
  Entry* RunTournament(NodeId cohort);
  bool Beats(const Entry& a, const Entry& b, NodeId cohort) const;
  const Entry::Level& LevelBelow(const Entry& entry, NodeId cohort) const;

  // Application of the results.
  Decision ApplyEntry(Entry& entry, base::Time now);
  void Admit(Entry& entry, base::Time now);
  bool Requeue(Entry& entry);
  void SaveProgress(const Entry& entry);
  void MarkTargets(const Entry& entry);

  State& state_;
  PendingQueues& pending_;
  ResourceId pods_;
  TargetSearch target_search_;
  FlavorAssigner assigner_;

  std::vector<Entry> entries_;  // the first entry_count_ belong to this cycle
  size_t entry_count_ = 0;
  std::vector<uint32_t> order_;         // entries in processing order
  std::vector<Entry*> entry_of_queue_;  // by NodeId, for the tournament
  std::vector<WorkloadId> preempted_;   // preemption targets so far
  std::vector<Decision> decisions_;
  std::vector<PreemptionTarget> new_targets_;  // of all decisions, concatenated
  bool has_usage_changed_ = false;
  bool has_provisional_usage_ = false;  // usage other than that of admitted workloads
  struct PriorityKey {
    bool is_behind_preemptors = false;
    int32_t borrowing_height = 0;
    int64_t priority = 0;
    base::Time queue_order_time;
    uint32_t entry = 0;
  };
  std::vector<PriorityKey> by_priority_;

  // Buffers.
  std::vector<std::unique_ptr<ScanProgress>> spare_progress_;
  Entry without_constraints_;
  Assignment reduced_, nominated_;
  std::vector<PreemptionTarget> reduced_targets_;
  std::vector<int32_t> counts_;
  std::vector<ColumnIndex> columns_;
  std::vector<ColumnAmount> requests_;
};

}  // namespace berth::engine

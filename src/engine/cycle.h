#pragma once

// One scheduling cycle: what happens to the heads of all queues.

#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/assignment.h"
#include "engine/constraints.h"
#include "engine/engine.h"
#include "engine/fair_share.h"
#include "engine/flavor_assigner.h"
#include "engine/forbidden_way.h"
#include "engine/pending.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

// A head with what the cycle found out about it. Reused from cycle to cycle with its buffers.
struct Entry {
  WorkloadId workload;
  NodeId queue;
  // Of the workload.
  int64_t priority = 0;
  base::Time queue_order_time;
  Assignment assignment;
  std::vector<Victim> victims;  // all, with those that are on their way out already
  WorkloadId replaced;          // the workload slice that it replaces
  bool is_preemptor = false;
  bool keeps_progress = true;
  bool was_recomputed = false;
  Outcome outcome = Outcome::kNoFit;
  WaitReason reason = WaitReason::kNone;
  std::vector<ForbiddenWay> forbidden_ways;  // of one with constraints that is not nominated

  // Shares of the queue and its cohorts if this head were admitted, from the queue upwards; one for
  // each node below the root. Of the tournament.
  struct Level {
    FairShare share;
    bool is_borrowing = false;  // on what this head asks for
  };
  std::vector<Level> levels;
  bool is_done = false;

  // For explanations; heads of a cycle have the defaults.
  bool is_traced = false;  // search from the first flavor, and record every attempt
  bool may_shrink = true;  // try fewer pods where all do not fit
  bool may_preempt = true;
};

// Whether it is to be given quota, or to make room for itself first.
bool IsNominated(const Entry& entry);

class Cycle {
 public:
  Cycle(State& state, PendingQueues& pending);

  // Runs one cycle and writes its results into the state: reservations of admitted workloads,
  // eviction marks of victims, places in the pending queues.
  std::span<const Decision> Run(base::Time now);

  // What a pending workload would be nominated for now: fills in the entry's assignment and
  // victims. True if it then fits, its victims gone. The state is as before afterwards.
  bool Consider(Entry& entry);
  // Fills in the ways in which an entry that was considered, in vain, could be admitted if its
  // workload had not these constraints. The state is as before afterwards.
  void FindForbiddenWays(Entry& entry);

 private:
  // The steps of Run.
  void CollectHeads();
  void NominateAll();
  void Nominate(Entry& entry);
  void ProcessInOrder();
  void Process(Entry& entry);
  void Settle(base::Time now);

  // What is read about a head lies all over the memory. While one head is worked on, that of the
  // next ones is fetched: with a thousand queues, waiting for it took as long as all the rest.
  void FetchForNomination(size_t entry) const;
  void FetchForProcessing(size_t place) const;
  void FetchForSettling(size_t place) const;

  // Nomination.
  void FindAssignment(Entry& entry, const Assignment* nominated);
  bool FindVictims(const Entry& entry, const Assignment& assignment, std::vector<Victim>& victims);
  bool TryReducedCounts(Entry& entry, const AssignmentInput& full);
  void DropOutdatedProgress(Workload& workload);
  void ForgetProgress(Workload& workload);
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

  // Settling.
  Decision SettleEntry(Entry& entry, base::Time now);
  void Admit(Entry& entry, base::Time now);
  bool Requeue(Entry& entry);
  void RememberProgress(const Entry& entry);
  void MarkVictims(const Entry& entry);

  State& state_;
  PendingQueues& pending_;
  ResourceId pods_;
  VictimSearch victim_search_;
  FlavorAssigner assigner_;

  std::vector<Entry> entries_;  // the first entry_count_ are of this cycle
  size_t entry_count_ = 0;
  std::vector<uint32_t> order_;         // entries as processed
  std::vector<Entry*> entry_of_queue_;  // by NodeId, for the tournament
  std::vector<WorkloadId> preempted_;   // victims so far
  std::vector<Decision> decisions_;
  std::vector<Victim> new_victims_;  // of all decisions, one after the other
  bool has_usage_changed_ = false;
  bool has_provisional_usage_ = false;  // beside that of admitted workloads
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
  std::vector<Victim> reduced_victims_;
  std::vector<int32_t> counts_;
  std::vector<Column> columns_;
  std::vector<ColumnAmount> requests_;
};

}  // namespace berth::engine

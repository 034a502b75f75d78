#pragma once

// One scheduling cycle over the heads of all queues.

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/cycle/entry.h"
#include "engine/cycle/nominator.h"
#include "engine/cycle/scan_progress_pool.h"
#include "engine/cycle/tournament.h"
#include "engine/engine.h"
#include "engine/queue/pending.h"
#include "engine/state.h"

namespace berth::engine {

class Cycle {
 public:
  Cycle(State& state, PendingQueues& pending);

  // Runs one cycle and applies its results to the state: reservations of admitted workloads,
  // eviction marks of preemption targets, and requeues.
  std::span<const Decision> Run(base::Time now);

  // For what-if trials between cycles.
  Nominator& nominator() { return nominator_; }

 private:
  // The steps of Run.
  void CollectSecondPass(base::Time now);
  void CollectHeads();
  Entry& NewEntry(WorkloadId workload, NodeId queue);
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

  void DropOutdatedProgress(Workload& workload);

  // Processing.
  bool HasOverlap(const Entry& entry) const;
  void Recompute(Entry& entry);
  void PlaceAgainIfNeeded(Entry& entry);
  bool FailsReplacement(const Entry& entry) const;
  void ReserveForWaiting(const Entry& entry);
  void AddUsage(const Entry& entry);
  // Placements.
  void ShowPlacesOfOtherFlavors(const Entry& entry);
  std::vector<PodSetPlacement> NewPlacements(const Entry& entry) const;
  void AddPlacements(const Entry& entry);
  // Records the pods that an admission adds to its nodes.
  void DecidePlaces(const Entry& entry);

  // Order.
  void ProcessByPriority();
  void ProcessByTournament();

  // Application of the results.
  void DropReplacedSecondPasses();
  Decision ApplyEntry(Entry& entry, base::Time now);
  void Admit(Entry& entry, base::Time now);
  bool Requeue(Entry& entry);
  void SaveProgress(const Entry& entry);
  void MarkTargets(const Entry& entry);
  void ApplySecondPass(Entry& entry, base::Time now);
  void KeepPlacements(Entry& entry);

  State& state_;
  PendingQueues& pending_;
  Nominator nominator_;
  Tournament tournament_;
  ScanProgressPool progress_pool_;

  std::vector<Entry> entries_;  // the first entry_count_ belong to this cycle
  size_t entry_count_ = 0;
  std::vector<uint32_t> order_;        // entries in processing order
  std::vector<WorkloadId> preempted_;  // preemption targets so far
  std::vector<WorkloadId> replaced_;   // workload slices, by admitted ones
  std::vector<Decision> decisions_;
  std::vector<PreemptionTarget> new_targets_;  // of all decisions, concatenated
  bool has_usage_changed_ = false;
  bool has_provisional_usage_ = false;  // usage other than that of admitted workloads
  struct PriorityKey {
    bool is_behind_second_pass = false;
    bool is_behind_preemptors = false;
    int32_t borrowing_height = 0;
    int64_t priority = 0;
    base::Time queue_order_time;
    uint32_t entry = 0;
  };
  std::vector<PriorityKey> by_priority_;
};

}  // namespace berth::engine

#pragma once

// How much of its quota each ClusterQueue uses over time, what it borrows and what it lends.
//
// Sums over time are kept by queue and pair of flavor and resource. Adding usage is O(1): what a
// queue lends depends on what all others of its tree borrow, so the tree keeps one running sum of
// "the part of what is free that is borrowed", and a queue takes its share of the difference when
// its own usage changes.
//
//   borrowed  usage above the queue's nominal quota
//   free      nominal quota that is not used, at most the lending limit
//   lent      free, times borrowed of the whole tree / free of the whole tree: who has more to lend
//             lends more. A Cohort's own quota lends as well, and is nobody's.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/engine.h"

namespace berth::simulate {

class UsageMeter {
 public:
  struct Slot {
    engine::NodeId queue;
    engine::PairId pair;
    engine::Amount nominal;
    engine::Amount lendable;  // at most so much
    int64_t usage = 0;
    int64_t peak = 0;
    base::Time since;  // sums are up to date until then
    // In amounts times seconds.
    double usage_time = 0;
    double nominal_time = 0;
    double borrowed_time = 0;
    double lent_time = 0;

    bool is_above() const { return nominal < usage; }
    double borrowed() const;
    double free() const;

   private:
    friend class UsageMeter;
    size_t pool = 0;
    double pool_mark = 0;
  };

  // Quota as it is in the engine, from now on. Time never goes back, here and below.
  void ReadQuota(const engine::Engine& engine, base::Time now);
  // Negative amounts take away.
  void Add(engine::NodeId queue, engine::PairId pair, int64_t amount, base::Time now);
  // All sums, up to now.
  void Close(base::Time now);

  std::span<const Slot> slots() const { return slots_; }
  // For how long the queue used more than its nominal quota of anything.
  double SecondsAbove(engine::NodeId queue) const;

 private:
  // The quota of one pair in one tree.
  struct Pool {
    double free = 0;
    double borrowed = 0;
    double lent_part_time = 0;  // the running sum
    base::Time since;
  };
  struct Level {
    uint32_t above = 0;  // pairs
    base::Time since;
    double seconds = 0;
  };

  size_t SlotOf(engine::NodeId queue, engine::PairId pair, base::Time now);
  void Settle(Slot& slot, base::Time now);
  void Settle(Pool& pool, base::Time now);
  void SettleAll(base::Time now);
  void AddToPool(const Slot& slot, double sign);
  void CountAbove(const Slot& slot, int change, base::Time now);
  void Declare(const engine::State& state, const engine::Queue& queue, base::Time now);
  void BuildPools(const engine::State& state, base::Time now);

  std::vector<Slot> slots_;
  std::vector<std::vector<size_t>> slots_of_;  // by queue
  std::vector<Pool> pools_;
  std::vector<Level> levels_;  // by queue
};

}  // namespace berth::simulate

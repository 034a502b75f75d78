#pragma once

// Usage of each ClusterQueue over time: used, borrowed and lent quota.
//
// Integrals over time are kept by queue, flavor and resource. Adding usage is O(1): lending depends
// on the borrowing of all other queues of the tree, so the tree keeps the integral of the borrowed
// share of free quota, and a queue adds its part of the difference when its own usage changes.
//
//   borrowed  usage above the queue's nominal quota
//   free      unused nominal quota, at most the lending limit
//   lent      free, times borrowed of the tree / free of the tree. A Cohort's own quota lends, too,
//             without being attributed to a queue

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
    engine::FlavorResourceId pair;
    engine::Amount nominal;
    engine::Amount lendable;  // lending limit
    int64_t usage = 0;
    int64_t peak = 0;
    base::Time since;  // integrals are up to date until then
    // Integrals: amount times seconds.
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

  // Reads quota from the engine, effective from `now`. Times must not decrease, here and below.
  void ReadQuota(const engine::Engine& engine, base::Time now);
  // Negative amounts release usage.
  void Add(engine::NodeId queue, engine::FlavorResourceId pair, int64_t amount, base::Time now);
  // Brings all integrals up to date.
  void Close(base::Time now);

  std::span<const Slot> slots() const { return slots_; }
  // Seconds in which the queue used more than its nominal quota of any resource.
  double SecondsAbove(engine::NodeId queue) const;

 private:
  // One flavor and resource of one tree.
  struct Pool {
    double free = 0;
    double borrowed = 0;
    double lent_part_time = 0;  // integral of the borrowed share
    base::Time since;
  };
  struct Level {
    uint32_t above = 0;  // flavors and resources above nominal
    base::Time since;
    double seconds = 0;
  };

  size_t SlotOf(engine::NodeId queue, engine::FlavorResourceId pair, base::Time now);
  void Accrue(Slot& slot, base::Time now);
  void Accrue(Pool& pool, base::Time now);
  void AccrueAll(base::Time now);
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

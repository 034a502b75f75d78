#pragma once

// The order of a cycle under fair sharing: in each tree, the entry whose admission leaves the
// lowest share comes first, and shares count the quota that earlier entries took.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cycle/entry.h"
#include "engine/state.h"

namespace berth::engine {

class Tournament {
 public:
  explicit Tournament(State& state) : state_(state) {}

  // Enters the entries of a cycle that are not done, one of each queue: the others of the queue
  // enter when it is taken, workloads that hold quota before the head. They must stay in place
  // until the next call.
  void Begin(std::span<Entry> entries);
  // Removes and returns the best entry left in a tree; null if none is left. Shares are recomputed
  // only if usage has changed since the last call for this tree.
  Entry* TakeWinner(uint32_t tree_index, bool has_usage_changed);

 private:
  void ComputeLevels(Entry& entry);
  bool ComesFirst(const Entry& a, const Entry& b) const;
  void EnterNext(NodeId queue);
  Entry* WinnerOf(NodeId cohort);
  bool Beats(const Entry& a, const Entry& b, NodeId cohort) const;
  const Entry::Level& LevelBelow(const Entry& entry, NodeId cohort) const;

  State& state_;
  std::vector<Entry*> entry_of_queue_;  // by NodeId
  std::vector<Entry*> later_;           // behind another entry of their queue
};

}  // namespace berth::engine

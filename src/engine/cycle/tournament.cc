#include "engine/cycle/tournament.h"

#include <utility>

namespace berth::engine {

void Tournament::Begin(std::span<Entry> entries) {
  entry_of_queue_.assign(state_.forest.node_count(), nullptr);
  later_.clear();
  for (Entry& entry : entries) {
    if (entry.is_done) continue;
    Entry*& first = entry_of_queue_[entry.queue.index()];
    if (first == nullptr) {
      first = &entry;
    } else {
      const bool is_first = ComesFirst(entry, *first);
      later_.push_back(is_first ? std::exchange(first, &entry) : &entry);
    }
  }
}

// Of two entries of a queue. A head that never fits must not keep others without a place.
bool Tournament::ComesFirst(const Entry& a, const Entry& b) const {
  if (a.is_second_pass != b.is_second_pass) return a.is_second_pass;
  return ComesBefore(state_.workload(a.workload), state_.workload(b.workload));
}

void Tournament::EnterNext(NodeId queue) {
  Entry*& next = entry_of_queue_[queue.index()] = nullptr;
  for (Entry* entry : later_)
    if (entry->queue == queue && (next == nullptr || ComesFirst(*entry, *next))) next = entry;
  if (next == nullptr) return;
  std::erase(later_, next);
  ComputeLevels(*next);
}

Entry* Tournament::TakeWinner(uint32_t tree_index, bool has_usage_changed) {
  const QuotaForest::Tree& tree = state_.forest.tree(tree_index);
  if (has_usage_changed) {
    for (const NodeId queue : tree.queues) {
      if (Entry* entry = entry_of_queue_[queue.index()]) ComputeLevels(*entry);
    }
  }
  Entry* winner = state_.forest.node(tree.root).is_queue ? entry_of_queue_[tree.root.index()]
                                                         : WinnerOf(tree.root);
  if (winner != nullptr) EnterNext(winner->queue);
  return winner;
}

void Tournament::ComputeLevels(Entry& entry) {
  entry.levels.clear();
  const QuotaForest& forest = state_.forest;
  UsageTrial trial(state_.forest);
  for (const ColumnAmount& usage : entry.assignment.usage)
    if (!entry.is_second_pass) state_.forest.AddUsage(entry.queue, usage.column, usage.amount);
  for (NodeId at = entry.queue; forest.HasParent(at); at = forest.node(at).parent) {
    entry.levels.push_back({.share = ShareOf(forest, at),
                            .is_borrowing = !entry.is_second_pass &&
                                            IsBorrowingOnAny(forest, at, entry.assignment.usage)});
  }
}

// Each child of the cohort sends one entry, and the best one wins. Child cohorts come before
// queues, both by name; the first one wins a tie.
Entry* Tournament::WinnerOf(NodeId cohort) {
  Entry* best = nullptr;
  const auto consider = [&](Entry* candidate) {
    if (candidate != nullptr && (best == nullptr || Beats(*candidate, *best, cohort)))
      best = candidate;
  };
  for (const NodeId child : state_.forest.node(cohort).child_cohorts) consider(WinnerOf(child));
  for (const NodeId child : state_.forest.node(cohort).child_queues)
    consider(entry_of_queue_[child.index()]);
  return best;
}

const Entry::Level& Tournament::LevelBelow(const Entry& entry, NodeId cohort) const {
  size_t level = 0;
  NodeId at = entry.queue;
  while (state_.forest.node(at).parent != cohort) {
    at = state_.forest.node(at).parent;
    ++level;
  }
  return entry.levels[level];
}

bool Tournament::Beats(const Entry& a, const Entry& b, NodeId cohort) const {
  const EngineOptions& options = state_.options;
  if (options.prioritize_preemptor_workloads && a.is_preemptor != b.is_preemptor)
    return a.is_preemptor;
  const Entry::Level& a_level = LevelBelow(a, cohort);
  const Entry::Level& b_level = LevelBelow(b, cohort);
  if (options.fair_sharing_prioritize_non_borrowing && a_level.is_borrowing != b_level.is_borrowing)
    return b_level.is_borrowing;
  if (const int order = Compare(a_level.share, b_level.share); order != 0) return order < 0;
  if (options.priority_sorting_within_cohort && a.priority != b.priority)
    return a.priority > b.priority;
  return a.queue_order_time < b.queue_order_time;
}

}  // namespace berth::engine

// The order in which a cycle processes its entries.

#include <algorithm>

#include "base/prefetch.h"
#include "engine/cycle/cycle.h"

namespace berth::engine {

void Cycle::ProcessInOrder() {
  order_.clear();
  if (state_.options.fair_sharing) {
    ProcessByTournament();
  } else {
    ProcessByPriority();
  }
}

// By borrowing height, then priority, then age.
void Cycle::ProcessByPriority() {
  const EngineOptions& options = state_.options;
  by_priority_.clear();
  for (size_t i = 0; i < entry_count_; ++i) {
    const Entry& entry = entries_[i];
    if (entry.is_done) continue;
    by_priority_.push_back({
        .is_behind_preemptors = options.prioritize_preemptor_workloads && !entry.is_preemptor,
        .borrowing_height = entry.assignment.borrowing_height,
        .priority = options.priority_sorting_within_cohort ? entry.priority : 0,
        .queue_order_time = entry.queue_order_time,
        .entry = static_cast<uint32_t>(i),
    });
  }
  std::ranges::sort(by_priority_, [&](const PriorityKey& a, const PriorityKey& b) {
    if (a.is_behind_preemptors != b.is_behind_preemptors) return b.is_behind_preemptors;
    if (a.borrowing_height != b.borrowing_height) return a.borrowing_height < b.borrowing_height;
    if (a.priority != b.priority) return a.priority > b.priority;
    if (a.queue_order_time != b.queue_order_time) return a.queue_order_time < b.queue_order_time;
    return state_.workload(entries_[a.entry].workload).uid <
           state_.workload(entries_[b.entry].workload).uid;
  });
  for (size_t i = 0; i < by_priority_.size(); ++i) {
    PrefetchForProcessing(i);
    Process(entries_[by_priority_[i].entry]);
  }
}

void Cycle::PrefetchForProcessing(size_t place) const {
  if (place + 6 < by_priority_.size()) base::Prefetch(entries_[by_priority_[place + 6].entry]);
  if (place + 3 < by_priority_.size()) {
    const Entry& near = entries_[by_priority_[place + 3].entry];
    base::Prefetch(state_.workload(near.workload), 1);
    base::PrefetchLine(near.assignment.usage.data());
    state_.forest.PrefetchCells(near.queue);
  }
}

// --- The fair sharing tournament -----------------------------------------------------------------

// Per tree, processes the winner of a tournament until no entry is left. Shares are recomputed only
// after an entry took quota.
void Cycle::ProcessByTournament() {
  entry_of_queue_.assign(state_.forest.node_count(), nullptr);
  for (size_t i = 0; i < entry_count_; ++i) {
    if (!entries_[i].is_done) entry_of_queue_[entries_[i].queue.index()] = &entries_[i];
  }
  for (uint32_t t = 0; t < state_.forest.tree_count(); ++t) {
    const QuotaForest::Tree& tree = state_.forest.tree(t);
    has_usage_changed_ = true;
    for (size_t left = tree.queues.size(); left > 0; --left) {
      if (has_usage_changed_) {
        for (const NodeId queue : tree.queues) {
          if (Entry* entry = entry_of_queue_[queue.index()]) ComputeLevels(*entry);
        }
      }
      Entry* winner = state_.forest.node(tree.root).is_queue ? entry_of_queue_[tree.root.index()]
                                                             : RunTournament(tree.root);
      if (winner == nullptr) break;
      entry_of_queue_[winner->queue.index()] = nullptr;
      has_usage_changed_ = false;
      Process(*winner);
    }
  }
}

void Cycle::ComputeLevels(Entry& entry) {
  entry.levels.clear();
  const QuotaForest& forest = state_.forest;
  UsageTrial trial(state_.forest);
  for (const ColumnAmount& usage : entry.assignment.usage)
    state_.forest.AddUsage(entry.queue, usage.column, usage.amount);
  for (NodeId at = entry.queue; forest.HasParent(at); at = forest.node(at).parent) {
    entry.levels.push_back({.share = ShareOf(forest, at),
                            .is_borrowing = IsBorrowingOnAny(forest, at, entry.assignment.usage)});
  }
}

// Each child of the cohort sends one entry, and the best one wins. Child cohorts come before
// queues, both by name; the first one wins a tie.
Entry* Cycle::RunTournament(NodeId cohort) {
  Entry* best = nullptr;
  const auto consider = [&](Entry* candidate) {
    if (candidate != nullptr && (best == nullptr || Beats(*candidate, *best, cohort)))
      best = candidate;
  };
  for (const NodeId child : state_.forest.node(cohort).child_cohorts)
    consider(RunTournament(child));
  for (const NodeId child : state_.forest.node(cohort).child_queues)
    consider(entry_of_queue_[child.index()]);
  return best;
}

const Entry::Level& Cycle::LevelBelow(const Entry& entry, NodeId cohort) const {
  size_t level = 0;
  NodeId at = entry.queue;
  while (state_.forest.node(at).parent != cohort) {
    at = state_.forest.node(at).parent;
    ++level;
  }
  return entry.levels[level];
}

bool Cycle::Beats(const Entry& a, const Entry& b, NodeId cohort) const {
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

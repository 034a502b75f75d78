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

// Workloads that hold quota first; then by borrowing height, priority and age.
void Cycle::ProcessByPriority() {
  const EngineOptions& options = state_.options;
  by_priority_.clear();
  for (size_t i = 0; i < entry_count_; ++i) {
    const Entry& entry = entries_[i];
    if (entry.is_done) continue;
    by_priority_.push_back({
        .is_behind_second_pass = !entry.is_second_pass,
        .is_behind_preemptors = options.prioritize_preemptor_workloads && !entry.is_preemptor,
        .borrowing_height = entry.assignment.borrowing_height,
        .priority = options.priority_sorting_within_cohort ? entry.priority : 0,
        .queue_order_time = entry.queue_order_time,
        .entry = static_cast<uint32_t>(i),
    });
  }
  std::ranges::sort(by_priority_, [&](const PriorityKey& a, const PriorityKey& b) {
    if (a.is_behind_second_pass != b.is_behind_second_pass) return b.is_behind_second_pass;
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

// --- Fair sharing --------------------------------------------------------------------------------

void Cycle::ProcessByTournament() {
  tournament_.Begin({entries_.data(), entry_count_});
  for (uint32_t tree = 0; tree < state_.forest.tree_count(); ++tree) {
    has_usage_changed_ = true;
    while (Entry* winner = tournament_.TakeWinner(tree, has_usage_changed_)) {
      has_usage_changed_ = false;
      Process(*winner);
    }
  }
}

}  // namespace berth::engine

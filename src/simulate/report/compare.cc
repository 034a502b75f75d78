#include "simulate/report/compare.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace berth::simulate {
namespace {

void CompareJobs(const Result& base, const Result& changed, Comparison& comparison) {
  for (uint32_t i = 0; i < base.jobs.size(); ++i) {
    const JobOutcome& before = base.jobs[i];
    const JobOutcome& after = changed.jobs[i];
    if (before.preemptions == 0 && after.preemptions > 0) comparison.newly_preempted.push_back(i);
    if (before.preemptions > 0 && after.preemptions == 0)
      comparison.no_longer_preempted.push_back(i);
    const bool had_started = before.starts > 0, has_started = after.starts > 0;
    if (had_started && !has_started) comparison.no_longer_started.push_back(i);
    if (!had_started && has_started) comparison.newly_started.push_back(i);
    if (!had_started || !has_started || before.first_start == after.first_start) continue;
    const double seconds = (after.first_start - before.first_start).seconds();
    (seconds < 0 ? comparison.most_earlier : comparison.most_later).push_back({i, seconds});
  }
}

// Counts all jobs, keeps those with the largest difference.
void KeepMost(std::vector<MovedJob>& moved, size_t most, uint64_t& count, double& mean) {
  count = moved.size();
  for (const MovedJob& job : moved) mean += job.seconds / static_cast<double>(moved.size());
  std::ranges::sort(moved, {},
                    [](const MovedJob& m) { return std::pair(-std::abs(m.seconds), m.job); });
  if (moved.size() > most) moved.resize(most);
}

void CompareQueues(const Summary& base, const Summary& changed, Comparison& comparison) {
  std::map<std::string, QueueChange> queues;
  for (const GroupFigures& queue : base.cluster_queues) queues[queue.name].before = &queue;
  for (const GroupFigures& queue : changed.cluster_queues) queues[queue.name].after = &queue;
  for (auto& [name, change] : queues) {
    change.name = name;
    comparison.queues.push_back(std::move(change));
  }
}

void CompareUsage(const Result& base, const Result& changed, Comparison& comparison) {
  std::map<std::tuple<std::string, std::string, std::string>, UsageChange> all;
  const auto note = [&](const Result& result, double UsageChange::* member) {
    for (const QueueOutcome& queue : result.queues) {
      for (const UsageOutcome& usage : queue.usage) {
        UsageChange& change = all[{queue.name, usage.flavor, usage.resource}];
        change.*member = usage.utilisation();
      }
    }
  };
  note(base, &UsageChange::before);
  note(changed, &UsageChange::after);
  for (auto& [key, change] : all) {
    std::tie(change.queue, change.flavor, change.resource) = key;
    comparison.usage.push_back(std::move(change));
  }
}

}  // namespace

Comparison Compare(const Result& base, const Summary& base_summary, const Result& changed,
                   const Summary& changed_summary, size_t most_jobs) {
  Comparison comparison;
  CompareJobs(base, changed, comparison);
  KeepMost(comparison.most_earlier, most_jobs, comparison.earlier, comparison.mean_earlier);
  KeepMost(comparison.most_later, most_jobs, comparison.later, comparison.mean_later);
  CompareQueues(base_summary, changed_summary, comparison);
  CompareUsage(base, changed, comparison);
  return comparison;
}

}  // namespace berth::simulate

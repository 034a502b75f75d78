#include <algorithm>
#include <cmath>

#include "base/list_text.h"
#include "base/text_table.h"
#include "simulate/report/format.h"
#include "simulate/report/report.h"

namespace berth::simulate {
namespace {

using base::TextTable;

std::string CountText(uint64_t count) { return std::to_string(count); }

std::string JobsText(uint64_t count) { return base::CountText(count, "job"); }

std::vector<std::string> WaitCells(const GroupFigures& group) {
  return {group.name,
          CountText(group.arrived),
          CountText(group.finished),
          CountText(group.waiting),
          LengthText(group.wait.p50),
          LengthText(group.wait.p90),
          LengthText(group.wait.p99),
          LengthText(group.wait.max),
          CountText(group.preemptions),
          CountText(group.evictions),
          FixedText(group.per_hour, 1)};
}

std::string WaitTable(const std::string& heading, const std::vector<GroupFigures>& groups,
                      const TextOptions& options) {
  TextTable table({heading, "jobs", "done", "waiting", "wait p50", "p90", "p99", "max", "preempted",
                   "evicted", "done/h"});
  for (size_t i = 0; i < groups.size() && i < options.most_rows; ++i)
    table.Add(WaitCells(groups[i]));
  std::string text = table.empty() ? "" : "\n" + table.ToString();
  if (groups.size() > options.most_rows)
    text += "… and " + std::to_string(groups.size() - options.most_rows) + " more (--rows)\n";
  return text;
}

std::string UsageTable(const Report& report, const TextOptions& options) {
  TextTable table({"CLUSTERQUEUE", "flavor", "resource", "nominal", "used", "utilisation",
                   "borrowed", "lent", "peak", "time above"});
  size_t rows = 0, left = 0;
  for (size_t i = 0; i < report.result->queues.size(); ++i) {
    const QueueOutcome& queue = report.result->queues[i];
    for (const UsageOutcome& usage : queue.usage) {
      if (rows++ >= options.most_rows) {
        ++left;
        continue;
      }
      const std::string& r = usage.resource;
      table.Add({queue.name, usage.flavor, r, AmountText(r, usage.nominal),
                 AmountText(r, usage.used), PercentText(usage.utilisation()),
                 AmountText(r, usage.borrowed), AmountText(r, usage.lent),
                 AmountText(r, usage.peak),
                 PercentText(report.summary.cluster_queues[i].share_above_nominal)});
    }
  }
  std::string text = table.empty() ? "" : "\n" + table.ToString();
  if (left > 0) text += "… and " + std::to_string(left) + " more (--rows)\n";
  return text;
}

std::string Headline(const Report& report) {
  const Summary& s = report.summary;
  std::string text = JobsText(s.all.arrived) + " in " + LengthText(s.seconds) +
                     " of virtual time: " + CountText(s.all.finished) + " done, " +
                     CountText(s.all.started - s.all.finished) + " started and not done, " +
                     CountText(s.all.waiting) + " never started; " + CountText(s.all.preemptions) +
                     " preemptions, " + CountText(s.all.evictions) + " other evictions.\n";
  if (report.result->node_failures > 0)
    text += CountText(report.result->node_failures) + " nodes failed; pods moved to other nodes " +
            CountText(s.all.moves) + " times.\n";
  if (!report.result->is_complete) {
    const size_t to_come = report.result->jobs.size() - report.result->arrived;
    text += "Simulation stopped early";
    if (to_come > 0) text += ", " + JobsText(to_come) + " not yet arrived";
    text += ".\n";
  }
  if (s.floor_seconds > 0)
    text += "Lower bound by quota: " + LengthText(s.floor_seconds) + "; this run took " +
            FixedText(s.seconds / s.floor_seconds, 2) + " times that.\n";
  return text;
}

std::string NamesText(const Input& input, const std::vector<uint32_t>& jobs, size_t most) {
  std::vector<std::string> names;
  for (size_t i = 0; i < jobs.size() && i < most; ++i) names.push_back(NameOf(input, jobs[i]));
  return base::ListText(names, {.total = jobs.size()});
}

constexpr size_t kMaxNames = 5;

std::string NamedLine(const std::string& what, const Input& input,
                      const std::vector<uint32_t>& jobs) {
  if (jobs.empty()) return {};
  return what + " (" + std::to_string(jobs.size()) + "): " + NamesText(input, jobs, kMaxNames) +
         "\n";
}

}  // namespace

std::string WarningText(const Report& report, const TextOptions& options) {
  std::string text;
  const Input& input = *report.input;
  const Warnings& warnings = report.warnings;
  size_t lines = 0;
  const auto warn = [&](const std::string& line) {
    if (lines++ < options.most_rows) text += "warning: " + line + "\n";
  };
  for (const PreemptionLoop& loop : warnings.loops)
    warn("preemption loop: " + NamesText(input, loop.jobs, kMaxNames) + " evict each other, " +
         CountText(loop.preemptions) + " times in all");
  for (const Starvation& s : warnings.starved)
    warn((s.queue.empty() ? "outside of all ClusterQueues" : "ClusterQueue " + s.queue) + ": " +
         JobsText(s.jobs) + " waited too long; " + NameOf(input, s.oldest) + " longest, " +
         LengthText(s.seconds));
  if (!warnings.infeasible.empty())
    warn(JobsText(warnings.infeasible.size()) + " can never start, even with all quota free: " +
         NamesText(input, warnings.infeasible, kMaxNames));
  for (const UnusableQuota& u : warnings.unusable)
    warn("ClusterQueue " + u.queue + ": no job can use its " + AmountText(u.resource, u.nominal) +
         " of " + u.resource + " in flavor " + u.flavor);
  for (const std::string& queue : warnings.inactive)
    warn("ClusterQueue " + queue + ": inactive, admits nothing");
  if (lines > options.most_rows)
    text += "… and " + std::to_string(lines - options.most_rows) + " warnings more (--rows)\n";
  return text;
}

std::string ToText(const Report& report, const TextOptions& options) {
  std::string text = Headline(report);
  text += WaitTable("CLUSTERQUEUE", report.summary.cluster_queues, options);
  text += WaitTable("LOCALQUEUE", report.summary.local_queues, options);
  text += WaitTable("CLASS", report.summary.classes, options);
  text += UsageTable(report, options);
  text += NodesText(*report.result, options);
  if (!report.result->nodes.empty()) text += PendingText(*report.result);
  const std::string warnings = WarningText(report, options);
  if (!warnings.empty()) text += "\n" + warnings;
  return text;
}

// --- Differences --------------------------------------------------------------------------------

namespace {

std::string ChangeText(const std::string& before, const std::string& after) {
  return before == after ? after : before + " → " + after;
}

std::string QueueChanges(const Comparison& comparison, const TextOptions& options) {
  TextTable table({"CLUSTERQUEUE", "done", "never started", "wait p50", "p90", "max", "preempted"});
  const GroupFigures none;
  size_t rows = 0;
  for (const QueueChange& queue : comparison.queues) {
    if (rows++ >= options.most_rows) continue;
    const GroupFigures& a = queue.before == nullptr ? none : *queue.before;
    const GroupFigures& b = queue.after == nullptr ? none : *queue.after;
    table.Add({queue.name, ChangeText(CountText(a.finished), CountText(b.finished)),
               ChangeText(CountText(a.waiting), CountText(b.waiting)),
               ChangeText(LengthText(a.wait.p50), LengthText(b.wait.p50)),
               ChangeText(LengthText(a.wait.p90), LengthText(b.wait.p90)),
               ChangeText(LengthText(a.wait.max), LengthText(b.wait.max)),
               ChangeText(CountText(a.preemptions), CountText(b.preemptions))});
  }
  std::string text = "\n" + table.ToString();
  if (rows > options.most_rows)
    text += "… and " + std::to_string(rows - options.most_rows) + " more (--rows)\n";
  return text;
}

std::string UsageChanges(const Comparison& comparison, const TextOptions& options) {
  TextTable table({"CLUSTERQUEUE", "flavor", "resource", "utilisation"});
  size_t rows = 0;
  for (const UsageChange& usage : comparison.usage) {
    if (rows++ >= options.most_rows) continue;
    table.Add({usage.queue, usage.flavor, usage.resource,
               ChangeText(PercentText(usage.before), PercentText(usage.after))});
  }
  std::string text = table.empty() ? "" : "\n" + table.ToString();
  if (rows > options.most_rows)
    text += "… and " + std::to_string(rows - options.most_rows) + " more (--rows)\n";
  return text;
}

std::string MovedJobs(const std::string& what, const std::vector<MovedJob>& moved, uint64_t count,
                      double mean, const Input& input) {
  if (count == 0) return {};
  std::string text =
      JobsText(count) + " " + what + ", by " + LengthText(std::abs(mean)) + " in the mean:\n";
  for (const MovedJob& job : moved)
    text += "  " + NameOf(input, job.job) + " by " + LengthText(std::abs(job.seconds)) + "\n";
  if (count > moved.size()) text += "  …\n";
  return text;
}

}  // namespace

std::string ToText(const Comparison& comparison, const Report& base, const Report& changed,
                   const TextOptions& options) {
  const Input& input = *base.input;
  std::string text =
      "With the change, all takes " +
      ChangeText(LengthText(base.summary.seconds), LengthText(changed.summary.seconds)) + ".\n";
  text += QueueChanges(comparison, options) + UsageChanges(comparison, options) + "\n";
  text += MovedJobs("start earlier", comparison.most_earlier, comparison.earlier,
                    comparison.mean_earlier, input);
  text += MovedJobs("start later", comparison.most_later, comparison.later, comparison.mean_later,
                    input);
  text += NamedLine("Newly preempted", input, comparison.newly_preempted);
  text += NamedLine("No longer preempted", input, comparison.no_longer_preempted);
  text += NamedLine("No longer started", input, comparison.no_longer_started);
  text += NamedLine("Newly started", input, comparison.newly_started);
  const std::string warnings = WarningText(changed, options);
  if (!warnings.empty()) text += "\nIn the changed world:\n" + warnings;
  return text;
}

}  // namespace berth::simulate

#include "simulate/report/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "api/kueue/cohort.h"
#include "workload/convert/convert_workload.h"

namespace berth::simulate {
namespace {

// Accumulates the figures of one group.
struct GroupCounter {
  GroupFigures figures;
  std::vector<double> waits;

  void Add(const JobOutcome& job, base::Time end) {
    ++figures.arrived;
    if (job.starts > 0) ++figures.started;
    if (job.state == JobState::kFinished) ++figures.finished;
    if (job.starts == 0) ++figures.waiting;
    figures.preemptions += job.preemptions;
    figures.evictions += job.other_evictions;
    figures.moves += job.moves;
    if (!job.held_at_start) waits.push_back(WaitOf(job, end).seconds());
  }

  GroupFigures Take(double seconds) {
    if (seconds > 0) figures.per_hour = static_cast<double>(figures.finished) * 3600 / seconds;
    figures.wait = FiguresOf(std::move(waits));
    return std::move(figures);
  }
};

using GroupsByName = std::map<std::string, GroupCounter>;

std::vector<GroupFigures> TakeAll(GroupsByName& groups, double seconds) {
  std::vector<GroupFigures> all;
  for (auto& [name, group] : groups) {
    group.figures.name = name;
    all.push_back(group.Take(seconds));
  }
  return all;
}

std::string LocalQueueOf(const JobKind& kind) {
  return workload::NamespacedName(kind.workload.metadata.namespace_,
                                  kind.workload.spec.queue_name.value_or(""));
}

}  // namespace

double Percentile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0;
  const auto count = static_cast<double>(sorted.size());
  const auto rank = static_cast<size_t>(std::max(1.0, std::ceil(part * count)));
  return sorted[std::min(rank, sorted.size()) - 1];
}

WaitFigures FiguresOf(std::vector<double> waits) {
  std::ranges::sort(waits);
  WaitFigures figures{.count = waits.size()};
  if (waits.empty()) return figures;
  figures.mean =
      std::accumulate(waits.begin(), waits.end(), 0.0) / static_cast<double>(waits.size());
  figures.p50 = Percentile(waits, 0.5);
  figures.p90 = Percentile(waits, 0.9);
  figures.p99 = Percentile(waits, 0.99);
  figures.max = waits.back();
  return figures;
}

Summary Summarize(const Input& input, const Result& result) {
  Summary summary;
  summary.seconds = result.seconds();
  GroupCounter all;
  std::vector<GroupCounter> queues(result.queues.size());
  std::vector<GroupCounter*> local_of_kind(input.kinds.size()), class_of_kind(input.kinds.size());
  GroupsByName locals, classes;
  for (size_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (job.state == JobState::kNotArrived) continue;
    all.Add(job, result.end);
    if (job.queue != kNoIndex) queues[job.queue].Add(job, result.end);
    const uint32_t kind = input.jobs[i].kind;
    if (local_of_kind[kind] == nullptr) {
      local_of_kind[kind] = &locals[LocalQueueOf(input.kinds[kind])];
      if (!input.kinds[kind].label.empty()) class_of_kind[kind] = &classes[input.kinds[kind].label];
    }
    local_of_kind[kind]->Add(job, result.end);
    if (class_of_kind[kind] != nullptr) class_of_kind[kind]->Add(job, result.end);
  }
  all.figures.name = "all";
  summary.all = all.Take(summary.seconds);
  for (size_t i = 0; i < queues.size(); ++i) {
    queues[i].figures.name = result.queues[i].name;
    if (summary.seconds > 0)
      queues[i].figures.share_above_nominal =
          result.queues[i].seconds_above_nominal / summary.seconds;
    summary.cluster_queues.push_back(queues[i].Take(summary.seconds));
  }
  summary.local_queues = TakeAll(locals, summary.seconds);
  summary.classes = TakeAll(classes, summary.seconds);
  summary.floor_seconds = QuotaFloor(input, result);
  return summary;
}

double QuotaFloor(const Input& input, const Result& result) {
  std::map<std::string, double> quota, work;
  for (const QueueOutcome& queue : result.queues) {
    for (const UsageOutcome& usage : queue.usage) quota[usage.resource] += usage.nominal;
  }
  for (const api::Object& object : input.objects) {
    const auto* cohort = object.As<api::Cohort>();
    if (cohort == nullptr) continue;
    for (const api::ResourceGroup& group : cohort->spec.resource_groups) {
      for (const api::FlavorQuotas& flavor : group.flavors) {
        for (const api::ResourceQuota& own : flavor.resources)
          quota[own.name] += own.nominal_quota.ToDouble();
      }
    }
  }
  double floor = 0;
  std::vector<std::map<std::string, double>> per_kind(input.kinds.size());
  for (size_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    const Job& given = input.jobs[i];
    if (job.state != JobState::kFinished || given.run_time == Job::kUnknown || given.held_since)
      continue;
    const double seconds = given.run_time.seconds();
    floor = std::max(floor, (given.arrival - input.start).seconds() + seconds);
    std::map<std::string, double>& asked = per_kind[given.kind];
    if (asked.empty()) {
      for (const api::PodSet& pods : input.kinds[given.kind].workload.spec.pod_sets) {
        for (const api::Container& container : pods.template_.spec.containers) {
          for (const auto& [resource, amount] : container.resources.requests)
            asked[resource] += amount.ToDouble() * pods.count.value_or(1);
        }
      }
    }
    for (const auto& [resource, amount] : asked) work[resource] += amount * seconds;
  }
  for (const auto& [resource, amount] : work) {
    const auto most = quota.find(resource);
    if (most != quota.end() && most->second > 0) floor = std::max(floor, amount / most->second);
  }
  return floor;
}

}  // namespace berth::simulate

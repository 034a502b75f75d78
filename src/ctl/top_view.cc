#include "ctl/top_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "apiserver/table/table.h"
#include "ctl/queue_tables.h"
#include "ctl/quota_use.h"
#include "ctl/workload_table.h"
#include "workload/status_changes.h"

namespace berth::ctl {
namespace {

constexpr size_t kBarWidth = 24;

// "[########++----------]": up to the nominal quota, and beyond it. Full is the larger of nominal
// and used.
std::string BarOf(const QuotaUse& use) {
  const double nominal = use.nominal.ToDouble(), used = use.used.ToDouble();
  const double full = std::max(nominal, used);
  const auto cells = [&](double amount) {
    return full <= 0
               ? 0
               : static_cast<size_t>(std::lround(amount / full * static_cast<double>(kBarWidth)));
  };
  const size_t filled = std::min(kBarWidth, cells(used));
  const size_t own = std::min(filled, cells(nominal));
  return "[" + std::string(own, '#') + std::string(filled - own, '+') +
         std::string(kBarWidth - filled, '-') + "]";
}

std::string UseLine(const std::pair<std::string, std::string>& key, const QuotaUse& use) {
  std::string line = "  " + BarOf(use) + " " + use.used.ToString() + "/" + use.nominal.ToString() +
                     " " + key.second + " (" + key.first + ")";
  if (!use.borrowed.IsZero()) line += ", " + use.borrowed.ToString() + " borrowed";
  return line;
}

// The pending workloads of each ClusterQueue, the next one first.
std::map<std::string, std::vector<const api::Workload*>> PendingByQueue(const TopState& state) {
  WorkloadFacts facts;
  for (const api::LocalQueue& queue : state.local_queues)
    facts.cluster_queues[NameOf(queue.metadata)] = queue.spec.cluster_queue.value_or("");
  std::map<std::string, std::vector<const api::Workload*>> pending;
  for (const api::Workload& workload : state.workloads)
    if (StatusOf(workload) == WorkloadStatus::kPending && workload::IsActive(workload))
      pending[facts.ClusterQueueOf(workload)].push_back(&workload);
  for (auto& [queue, workloads] : pending)
    std::ranges::sort(workloads, {}, [](const api::Workload* workload) {
      return std::tuple(-int64_t{workload->spec.priority.value_or(0)},
                        workload::QueuedSince(*workload), NameOf(workload->metadata));
    });
  return pending;
}

std::string HeadLine(size_t place, const api::Workload& workload, base::Time now) {
  return "  " + std::to_string(place) + ". " + NameOf(workload.metadata).ToString() +
         ", priority " + std::to_string(workload.spec.priority.value_or(0)) + ", waits " +
         apiserver::HumanAge(now - workload::QueuedSince(workload));
}

class TopViewMaker {
 public:
  TopViewMaker(const TopState& state, const TopOptions& options, base::Time now)
      : state_(state), options_(options), now_(now), pending_(PendingByQueue(state)) {}

  std::string Make() {
    AddTitle();
    for (const api::ClusterQueue* queue : Ordered()) AddQueue(*queue);
    std::string text;
    const size_t count =
        options_.height == 0 ? lines_.size() : std::min(lines_.size(), options_.height);
    for (size_t i = 0; i < count; ++i) {
      const bool is_cut = i + 1 == count && count < lines_.size();
      text += is_cut ? "… " + std::to_string(lines_.size() - i) + " more lines"
                     : lines_[i].substr(0, options_.width);
      text += '\n';
    }
    return text;
  }

 private:
  void AddTitle() {
    size_t counts[4] = {};
    for (const api::Workload& workload : state_.workloads)
      ++counts[static_cast<size_t>(StatusOf(workload))];
    lines_.push_back(std::to_string(state_.cluster_queues.size()) +
                     (state_.cluster_queues.size() == 1 ? " ClusterQueue, " : " ClusterQueues, ") +
                     std::to_string(counts[0]) + " pending, " + std::to_string(counts[1]) +
                     " with quota reserved, " + std::to_string(counts[2]) + " admitted, " +
                     std::to_string(counts[3]) + " finished");
  }

  // Those with pending workloads first.
  std::vector<const api::ClusterQueue*> Ordered() const {
    std::vector<const api::ClusterQueue*> queues;
    for (const api::ClusterQueue& queue : state_.cluster_queues) queues.push_back(&queue);
    std::ranges::sort(queues, {}, [this](const api::ClusterQueue* queue) {
      return std::pair(!pending_.contains(queue->metadata.name),
                       std::string_view(queue->metadata.name));
    });
    return queues;
  }

  void AddQueue(const api::ClusterQueue& queue) {
    const auto found = pending_.find(queue.metadata.name);
    const size_t count = found == pending_.end() ? 0 : found->second.size();
    std::string heading = queue.metadata.name;
    if (queue.spec.cohort_name) heading += " (cohort " + *queue.spec.cohort_name + ")";
    if (!IsActive(queue)) heading += ", inactive";
    heading += ": " + std::to_string(queue.status.admitted_workloads.value_or(0)) + " admitted, " +
               std::to_string(count) + " pending";
    lines_.emplace_back();
    lines_.push_back(std::move(heading));
    for (const auto& [key, use] : UsesOf(queue)) lines_.push_back(UseLine(key, use));
    for (size_t i = 0; i < std::min(count, options_.heads); ++i)
      lines_.push_back(HeadLine(i + 1, *found->second[i], now_));
    if (count > options_.heads)
      lines_.push_back("  … " + std::to_string(count - options_.heads) + " more");
  }

  const TopState& state_;
  const TopOptions& options_;
  base::Time now_;
  std::map<std::string, std::vector<const api::Workload*>> pending_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string TopView(const TopState& state, const TopOptions& options, base::Time now) {
  return TopViewMaker(state, options, now).Make();
}

}  // namespace berth::ctl

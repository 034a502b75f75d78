#include <algorithm>
#include <map>
#include <memory>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/limit_range.h"
#include "api/local_queue.h"
#include "api/problem_report.h"
#include "api/resource_flavor.h"
#include "api/runtime_class.h"
#include "api/workload.h"
#include "lint/checks.h"
#include "lint/potential_quota.h"
#include "lint/queued_job.h"
#include "workload/flavor_match.h"
#include "workload/pod_requests.h"
#include "workload/resource_filter.h"

namespace berth::lint {
namespace {

constexpr std::string_view kRule = "never-admits";

// `"a" and "b"`, `cpu 3, memory 1Gi`: for messages.
std::string Joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

workload::RuntimeOverheads OverheadsOf(const Catalog& catalog) {
  workload::RuntimeOverheads overheads;
  catalog.ForEach<api::RuntimeClass>([&](const Entry&, const api::RuntimeClass& runtime) {
    if (runtime.overhead) overheads.Set(runtime.metadata.name, runtime.overhead->pod_fixed);
  });
  return overheads;
}

std::map<std::string, workload::LimitSummary> LimitsOf(const Catalog& catalog) {
  std::map<std::pair<std::string, std::string>, const api::LimitRange*> in_order;
  catalog.ForEach<api::LimitRange>([&](const Entry&, const api::LimitRange& range) {
    in_order[{range.metadata.namespace_, range.metadata.name}] = &range;
  });
  std::map<std::string, workload::LimitSummary> limits;
  for (const auto& [key, range] : in_order) limits[key.first].Add(range->spec);
  return limits;
}

class FitChecker {
 public:
  FitChecker(const Catalog& catalog, Report& report)
      : catalog_(catalog),
        report_(report),
        quota_(catalog),
        options_(std::make_shared<workload::ResourceOptions>(
            workload::ResourceOptions::From(catalog.configuration(), catalog.gates()))),
        overheads_(OverheadsOf(catalog)),
        limits_(LimitsOf(catalog)) {}

  void Check(const QueuedJob& job) {
    const api::ClusterQueue* queue = QueueOf(job);
    if (queue == nullptr || HoldsQuota(job)) return;
    const workload::CountedRequests counted = Count(job, *queue);
    for (size_t i = 0; i < counted.pod_sets.size(); ++i)
      CheckPodSet(job, job.pod_sets[i], counted.pod_sets[i], *queue);
  }

 private:
  // The ClusterQueue that the job waits for, if there is exactly one way to it.
  const api::ClusterQueue* QueueOf(const QueuedJob& job) const {
    const Entry* local = FindLocalQueue(catalog_, job.namespace_(), job.queue);
    if (local == nullptr || !local->object) return nullptr;
    if (job.namespace_().empty() && CountNamed(api::LocalQueue::KindInfo(), job.queue) > 1)
      return nullptr;
    const std::string name = local->object->As<api::LocalQueue>()->spec.cluster_queue.value_or("");
    if (CountNamed(api::ClusterQueue::KindInfo(), name) != 1) return nullptr;
    return catalog_.Find<api::ClusterQueue>(name);
  }

  size_t CountNamed(const schema::Kind& kind, std::string_view name) const {
    return static_cast<size_t>(std::ranges::count_if(
        catalog_.All(kind), [&](const Entry* e) { return e->metadata().name == name; }));
  }

  static bool HoldsQuota(const QueuedJob& job) {
    const auto* workload = job.entry->object ? job.entry->object->As<api::Workload>() : nullptr;
    return workload != nullptr && workload->status.admission;
  }

  workload::CountedRequests Count(const QueuedJob& job, const api::ClusterQueue& queue) {
    static const workload::LimitSummary kNoLimits;
    const auto limits = limits_.find(job.namespace_());
    std::vector<api::PodSet> pod_sets;
    for (const PodSetAt& at : job.pod_sets) {
      api::PodSet& pods = pod_sets.emplace_back(at.pod_set);
      AdjustPod(pods.template_.spec, limits == limits_.end() ? kNoLimits : limits->second,
                overheads_);
    }
    const workload::ResourceFilter filter(options_, queue.spec, prefixes_);
    return filter.Count(workload::DemandOf(pod_sets, {}, *options_));
  }

  void CheckPodSet(const QueuedJob& job, const PodSetAt& pods, const workload::PodSetTotals& totals,
                   const api::ClusterQueue& queue) {
    workload::Requests left = totals.requests;
    for (const api::ResourceGroup& group : queue.spec.resource_groups) {
      workload::Requests wanted;
      for (const std::string& resource : group.covered_resources) {
        const int64_t* amount = left.Find(resource);
        if (amount != nullptr && *amount > 0) wanted.Set(resource, *amount);
        left.Erase(resource);
      }
      if (!wanted.empty()) CheckGroup(job, pods, totals.count, wanted, group, queue);
    }
    for (const auto& [resource, amount] : left) {
      if (amount > 0) ReportUncovered(job, pods, resource, amount, queue);
    }
  }

  void CheckGroup(const QueuedJob& job, const PodSetAt& pods, int32_t count,
                  const workload::Requests& wanted, const api::ResourceGroup& group,
                  const api::ClusterQueue& queue) {
    std::vector<std::string> obstacles;
    for (const api::FlavorQuotas& flavor : group.flavors) {
      const std::string obstacle = ObstacleIn(flavor.name, pods, wanted, queue);
      if (obstacle.empty()) return;
      obstacles.push_back(api::Quoted(flavor.name) + " " + obstacle);
    }
    report_.Warn(*job.entry, kRule,
                 {.field = pods.ContainersField(),
                  .message = AskedFor(count, wanted) + ", which ClusterQueue " +
                             api::Quoted(queue.metadata.name) +
                             " can never give: " + Joined(obstacles, "; "),
                  .hint = "ask for less, or raise nominalQuota or borrowingLimit"});
  }

  // Why a flavor can never serve the pods; "" if it can.
  std::string ObstacleIn(const std::string& flavor, const PodSetAt& pods,
                         const workload::Requests& wanted, const api::ClusterQueue& queue) {
    std::vector<std::string> short_of;
    for (const auto& [resource, amount] : wanted) {
      const auto most = quota_.Find(queue.metadata.name, flavor, resource);
      if (most && *most < amount)
        short_of.push_back(resource + " " + formatter_.QuotaText(resource, *most));
    }
    if (!short_of.empty()) return "has at most " + Joined(short_of, ", ");
    const auto* object = catalog_.Find<api::ResourceFlavor>(flavor);
    if (object == nullptr) return {};
    const workload::FlavorMatcher matcher(object->spec);
    const workload::FlavorVerdict verdict = matcher.Match(pods.pod_set.template_.spec);
    if (verdict.is_match()) return {};
    return verdict.fit == workload::FlavorFit::kUntoleratedTaint
               ? "has the taint " + verdict.taint->key + ", which the pods do not tolerate"
               : "has not the node labels that the pods ask for";
  }

  void ReportUncovered(const QueuedJob& job, const PodSetAt& pods, const std::string& resource,
                       int64_t amount, const api::ClusterQueue& queue) {
    report_.Warn(*job.entry, kRule,
                 {.field = pods.ContainersField(),
                  .message = "the pods ask for " + resource + " " +
                             formatter_.RequestText(resource, amount) +
                             ", and no resource group of ClusterQueue " +
                             api::Quoted(queue.metadata.name) + " covers " + resource,
                  .hint = "add it to coveredResources with a quota, or do not ask for it"});
  }

  std::string AskedFor(int32_t count, const workload::Requests& wanted) const {
    std::vector<std::string> parts;
    for (const auto& [resource, amount] : wanted)
      parts.push_back(resource + " " + formatter_.RequestText(resource, amount));
    const std::string who =
        count == 1 ? "the pod asks" : std::to_string(count) + " pods together ask";
    return who + " for " + Joined(parts, ", ");
  }

  const Catalog& catalog_;
  Report& report_;
  PotentialQuota quota_;
  std::shared_ptr<const workload::ResourceOptions> options_;
  workload::ResourcePrefixPool prefixes_;
  workload::RuntimeOverheads overheads_;
  std::map<std::string, workload::LimitSummary> limits_;
  quantity::AmountFormatter formatter_;
};

// Whether every queue and cohort is known for sure: what a broken one would lend is not.
bool AreQueuesValid(const Catalog& catalog, const Report& report) {
  for (const schema::Kind* kind : {&api::ClusterQueue::KindInfo(), &api::Cohort::KindInfo()}) {
    for (const Entry* entry : catalog.All(*kind)) {
      if (report.HasErrors(*entry)) return false;
    }
  }
  return true;
}

}  // namespace

void CheckFit(const Catalog& catalog, Report& report) {
  if (!AreQueuesValid(catalog, report)) return;
  FitChecker checker(catalog, report);
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    if (!report.HasErrors(*job.entry)) checker.Check(job);
  }
}

}  // namespace berth::lint

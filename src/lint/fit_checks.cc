#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/problem_report.h"
#include "api/resource_flavor.h"
#include "lint/checks.h"
#include "lint/job_requests.h"
#include "lint/potential_quota.h"
#include "lint/queued_job.h"
#include "workload/flavor_match.h"

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

class FitChecker {
 public:
  FitChecker(const Catalog& catalog, Report& report)
      : catalog_(catalog), report_(report), quota_(catalog), requests_(catalog) {}

  void Check(const QueuedJob& job) {
    const api::ClusterQueue* queue = requests_.QueueOf(job);
    if (queue == nullptr || HoldsQuota(job)) return;
    cannot_borrow_ =
        catalog_.gates().IsOn(api::Gate::kWorkloadAdmissionConstraints) && job.CannotBorrow();
    const workload::CountedRequests counted = requests_.Count(job, *queue);
    for (size_t i = 0; i < counted.pod_sets.size(); ++i)
      CheckPodSet(job, job.pod_sets[i], counted.pod_sets[i], *queue);
  }

 private:
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
    report_.Warn(
        *job.entry, kRule,
        {.field = pods.ContainersField(),
         .message = AskedFor(count, wanted) + ", which ClusterQueue " +
                    api::Quoted(queue.metadata.name) + " can never give" +
                    (cannot_borrow_ ? " without borrowing: " : ": ") + Joined(obstacles, "; "),
         .hint = cannot_borrow_ ? "ask for less, raise nominalQuota, or do without cannot-borrow"
                                : "ask for less, or raise nominalQuota or borrowingLimit"});
  }

  // Why a flavor can never serve the pods; "" if it can.
  std::string ObstacleIn(const std::string& flavor, const PodSetAt& pods,
                         const workload::Requests& wanted, const api::ClusterQueue& queue) {
    std::vector<std::string> short_of;
    for (const auto& [resource, amount] : wanted) {
      const auto most = cannot_borrow_ ? quota_.FindOwn(queue.metadata.name, flavor, resource)
                                       : quota_.Find(queue.metadata.name, flavor, resource);
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
    const bool is_class = !DeviceClassIn(resource).empty();
    report_.Warn(*job.entry, kRule,
                 {.field = pods.ContainersField(),
                  .message = "the pods ask for " + resource + " " +
                             formatter_.RequestText(resource, amount) +
                             ", and no resource group of ClusterQueue " +
                             api::Quoted(queue.metadata.name) + " covers " + resource,
                  .hint = is_class ? "list the class in deviceClassNames of a resource of the queue"
                                   : "add it to coveredResources with a quota, or do not ask for "
                                     "it"});
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
  JobRequests requests_;
  quantity::AmountFormatter formatter_;
  bool cannot_borrow_ = false;  // the job at hand
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

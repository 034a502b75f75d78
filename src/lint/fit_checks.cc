#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/resource_flavor.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/job_requests.h"
#include "lint/queued_job.h"
#include "workload/unsatisfiable.h"

namespace berth::lint {
namespace {

constexpr std::string_view kRule = "never-admits";

// The first object of each name: a second one would not be applied beside it.
template <class T>
std::vector<const T*> FirstOfEachName(const Catalog& catalog) {
  std::vector<const T*> objects;
  catalog.ForEach<T>([&](const Entry& entry, const T& object) {
    if (catalog.Find(T::KindInfo(), object.metadata.name) == &entry) objects.push_back(&object);
  });
  return objects;
}

class FitChecker {
 public:
  FitChecker(const Catalog& catalog, Report& report)
      : catalog_(catalog),
        report_(report),
        quota_(FirstOfEachName<api::ClusterQueue>(catalog), FirstOfEachName<api::Cohort>(catalog)),
        requests_(catalog) {}

  void Check(const QueuedJob& job) {
    const api::ClusterQueue* queue = requests_.QueueOf(job);
    if (queue == nullptr || HoldsQuota(job)) return;
    const workload::QuotaLookup lookup = LookupFor(job, *queue);
    const workload::CountedRequests counted = requests_.Count(job, *queue);
    for (size_t i = 0; i < counted.pod_sets.size(); ++i) {
      const PodSetAt& pods = job.pod_sets[i];
      for (const workload::UnsatisfiableRequest& request :
           FindUnsatisfiable(counted.pod_sets[i], pods.pod_set.template_.spec, queue->spec, lookup))
        Warn(job, pods, counted.pod_sets[i].count, request, *queue, lookup.cannot_borrow);
    }
  }

 private:
  workload::QuotaLookup LookupFor(const QueuedJob& job, const api::ClusterQueue& queue) {
    return {
        .find_bound =
            [this, &queue](std::string_view flavor, std::string_view resource) {
              return quota_.Find(queue.metadata.name, flavor, resource);
            },
        .find_flavor =
            [this](std::string_view flavor) { return catalog_.Find<api::ResourceFlavor>(flavor); },
        .cannot_borrow =
            catalog_.gates().IsOn(api::Gate::kWorkloadAdmissionConstraints) && job.CannotBorrow()};
  }

  void Warn(const QueuedJob& job, const PodSetAt& pods, int32_t count,
            const workload::UnsatisfiableRequest& request, const api::ClusterQueue& queue,
            bool cannot_borrow) {
    const std::string verb =
        count == 1 ? "1 pod requests" : std::to_string(count) + " pods request";
    report_.Warn(*job.entry, kRule,
                 {.field = pods.ContainersField(),
                  .message = ToString(request, verb, queue.metadata.name, cannot_borrow),
                  .hint = HintFor(request, cannot_borrow)});
  }

  static std::string HintFor(const workload::UnsatisfiableRequest& request, bool cannot_borrow) {
    if (!request.is_uncovered())
      return cannot_borrow ? "request less, raise nominalQuota, or remove cannot-borrow"
                           : "request less, or raise nominalQuota or borrowingLimit";
    const bool is_class = !DeviceClassIn(request.requests.begin()->first).empty();
    return is_class ? "list the class in deviceClassNames of a resource of the queue"
                    : "add the resource to coveredResources with a quota, or remove the request";
  }

  const Catalog& catalog_;
  Report& report_;
  workload::PotentialQuota quota_;
  JobRequests requests_;
};

// Whether all queues and cohorts are valid. The lendable quota of an invalid one is unknown.
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

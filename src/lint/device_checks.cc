#include <string>
#include <vector>

#include "api/dra/device_class.h"
#include "api/dra/device_class_conflicts.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/job_requests.h"

namespace berth::lint {
namespace {

void CheckConflicts(const Catalog& catalog, Report& report) {
  std::vector<const api::ClusterQueue*> queues;
  std::vector<const api::Cohort*> cohorts;
  catalog.ForEach<api::ClusterQueue>([&](const Entry&, const auto& q) { queues.push_back(&q); });
  catalog.ForEach<api::Cohort>([&](const Entry&, const auto& c) { cohorts.push_back(&c); });
  for (const auto& [name, conflict] : api::FindDeviceClassConflicts(queues, cohorts)) {
    report.Error(*catalog.Find(api::ClusterQueue::KindInfo(), name), "device-class-conflict",
                 {.field = "spec.resourceGroups",
                  .message = ToString(conflict) + ": the queue stays inactive",
                  .hint = "list the same classes in both, or give one of the resources another "
                          "name"});
  }
}

void CheckClasses(const Catalog& catalog, const Entry& entry,
                  const std::vector<api::ResourceGroup>& groups, Report& report) {
  const schema::Kind& kind = api::DeviceClass::KindInfo();
  for (size_t g = 0; g < groups.size(); ++g) {
    for (size_t f = 0; f < groups[g].flavors.size(); ++f) {
      const std::vector<api::ResourceQuota>& quotas = groups[g].flavors[f].resources;
      for (size_t r = 0; r < quotas.size(); ++r) {
        if (!quotas[r].device_class_names) continue;
        const std::vector<std::string>& classes = *quotas[r].device_class_names;
        for (size_t i = 0; i < classes.size(); ++i) {
          if (!catalog.IsMissing(kind, classes[i])) continue;
          report.Warn(
              entry, "device-class-not-found",
              {.field = ElementField(
                   ElementField(
                       ElementField(ElementField("spec.resourceGroups", g) + ".flavors", f) +
                           ".resources",
                       r) +
                       ".deviceClassNames",
                   i),
               .message = "DeviceClass " + api::Quoted(classes[i]) +
                          " not found: its devices are never counted",
               .hint = catalog.Suggest(kind, classes[i])});
        }
      }
    }
  }
}

// Claims of jobs are checked only if the set has objects of their kind.
void CheckClaims(const Catalog& catalog, Report& report) {
  const JobRequests requests(catalog);
  const bool has_templates = !catalog.All(api::ResourceClaimTemplate::KindInfo()).empty();
  const bool has_claims = !catalog.All(api::ResourceClaim::KindInfo()).empty();
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    if (HoldsQuota(job)) continue;
    for (const schema::Problem& problem : requests.MissingClaims(job)) {
      const bool is_template = problem.field.ends_with("resourceClaimTemplateName");
      if (is_template ? !has_templates : !has_claims) continue;
      report.Warn(*job.entry, "claim-not-found",
                  {.field = job.entry->object && job.entry->object->kind().kind == "Workload"
                                ? problem.field
                                : job.pod_sets.front().SpecField() + ".resourceClaims",
                   .message = problem.message + ": the job stays pending",
                   .hint = problem.hint});
    }
  }
}

}  // namespace

void CheckDevices(const Catalog& catalog, Report& report) {
  if (catalog.gates().IsOn(api::Gate::kKueueDynamicResourceAllocation)) {
    CheckConflicts(catalog, report);
    catalog.ForEach<api::ClusterQueue>([&](const Entry& entry, const api::ClusterQueue& queue) {
      CheckClasses(catalog, entry, queue.spec.resource_groups, report);
    });
    catalog.ForEach<api::Cohort>([&](const Entry& entry, const api::Cohort& cohort) {
      CheckClasses(catalog, entry, cohort.spec.resource_groups, report);
    });
  }
  CheckClaims(catalog, report);
}

}  // namespace berth::lint

#include <string>
#include <vector>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/device_class.h"
#include "api/device_class_conflicts.h"
#include "api/problem_report.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
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
                  .message = ToString(conflict) + ", so the queue stays inactive",
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
               .message = "there is no DeviceClass " + api::Quoted(classes[i]) +
                          ", so no device of it is ever counted",
               .hint = catalog.Suggest(kind, classes[i])});
        }
      }
    }
  }
}

// Claims of jobs are looked for only if there are objects of their kind: they may be elsewhere.
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
                   .message = problem.message + ", so this waits until there is one",
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

#include <set>
#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/resource_prefix.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/job_requests.h"

namespace berth::lint {
namespace {

using Names = std::set<std::string>;

// All resources of requests and quotas.
Names ResourcesSeen(const Catalog& catalog) {
  Names seen;
  catalog.ForEach<api::ClusterQueue>([&](const Entry&, const api::ClusterQueue& queue) {
    for (const api::ResourceGroup& group : queue.spec.resource_groups)
      seen.insert(group.covered_resources.begin(), group.covered_resources.end());
  });
  JobRequests requests(catalog);
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    for (const workload::PodSetDemand& demand : requests.Demands(job)) {
      for (const auto& [resource, quantity] : demand.per_pod) seen.insert(resource);
    }
  }
  return seen;
}

void CheckList(const Entry& entry, std::string_view field, const std::vector<std::string>& prefixes,
               const Names& seen, Report& report) {
  for (size_t i = 0; i < prefixes.size(); ++i) {
    for (const std::string& resource : seen) {
      if (!resource.starts_with(prefixes[i]) || api::PrefixExcludes(prefixes[i], resource))
        continue;
      report.Warn(
          entry, "prefix-differs",
          {.field = std::string(field) + "[" + std::to_string(i) + "]",
           .message = api::Quoted(prefixes[i]) + " does not exclude " + api::Quoted(resource) +
                      "; in Kueue it would, where a prefix means every name that begins "
                      "with it",
           .hint = "list " + api::Quoted(resource) + " too to exclude it"});
    }
  }
}

}  // namespace

void CheckPrefixes(const Catalog& catalog, Report& report) {
  if (api::ChecksOnlyDeclared(catalog.configuration().resources, catalog.gates())) return;
  const Names seen = ResourcesSeen(catalog);
  catalog.ForEach<api::Configuration>([&](const Entry& entry, const api::Configuration& object) {
    if (object.resources)
      CheckList(entry, "resources.excludeResourcePrefixes",
                object.resources->exclude_resource_prefixes, seen, report);
  });
  if (!catalog.gates().IsOn(api::Gate::kClusterQueueResourceExclusion)) return;
  catalog.ForEach<api::ClusterQueue>([&](const Entry& entry, const api::ClusterQueue& queue) {
    CheckList(entry, "spec.excludeResourcePrefixes", queue.spec.exclude_resource_prefixes, seen,
              report);
  });
}

}  // namespace berth::lint

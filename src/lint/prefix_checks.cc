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

// Resources that Kubernetes itself defines, and all of requests and quotas.
Names ResourcesSeen(const Catalog& catalog) {
  Names seen = {"cpu",           "memory",        "ephemeral-storage", "pods",
                "hugepages-2Mi", "hugepages-1Gi", "hugepages-32Mi"};
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

// A list of prefixes, and the reason why bare beginnings do not match.
struct PrefixList {
  std::string_view field;
  const std::vector<std::string>& prefixes;
  std::string_view reason;
};

void CheckList(const Entry& entry, const PrefixList& list, const Names& seen, Report& report) {
  for (size_t i = 0; i < list.prefixes.size(); ++i) {
    const std::string& prefix = list.prefixes[i];
    for (const std::string& resource : seen) {
      if (!resource.starts_with(prefix) || api::PrefixExcludes(prefix, resource)) continue;
      report.Warn(entry, "prefix-differs",
                  {.field = ElementField(list.field, i),
                   .message = api::Quoted(prefix) + " does not exclude " + api::Quoted(resource) +
                              std::string(list.reason),
                   .hint = "list " + api::Quoted(resource) + " too to exclude it"});
    }
  }
}

}  // namespace

void CheckPrefixes(const Catalog& catalog, Report& report) {
  const bool is_on = catalog.gates().IsOn(api::Gate::kClusterQueueResourceExclusion);
  if (!is_on || api::ChecksOnlyDeclared(catalog.configuration().resources, catalog.gates())) return;
  const Names seen = ResourcesSeen(catalog);
  catalog.ForEach<api::Configuration>([&](const Entry& entry, const api::Configuration& object) {
    if (!object.resources) return;
    CheckList(entry,
              {.field = "resources.excludeResourcePrefixes",
               .prefixes = object.resources->exclude_resource_prefixes,
               .reason = "; without the feature gate ClusterQueueResourceExclusion, as in Kueue, "
                         "it excludes every name that begins with it"},
              seen, report);
  });
  catalog.ForEach<api::ClusterQueue>([&](const Entry& entry, const api::ClusterQueue& queue) {
    CheckList(entry,
              {.field = "spec.excludeResourcePrefixes",
               .prefixes = queue.spec.exclude_resource_prefixes,
               .reason = "; a prefix that ends in a letter or digit matches a whole name or the "
                         "part before '/'"},
              seen, report);
  });
}

}  // namespace berth::lint

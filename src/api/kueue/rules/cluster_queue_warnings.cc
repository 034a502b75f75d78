// The warnings of cluster_queue_rules.h.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "api/kueue/resource_prefix.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/quota_rules.h"
#include "api/meta/problem_report.h"

namespace berth::api {
namespace {

// Resources that are rarely meant to be exempt from quota.
constexpr std::string_view kScarceResources[] = {"cpu", "memory", "nvidia.com/gpu"};

void WarnAboutScarceResources(std::string_view prefix, ProblemReport& report) {
  for (std::string_view resource : kScarceResources) {
    if (!PrefixExcludes(prefix, resource)) continue;
    report.Invalid("", Quoted(resource) + " will not be limited by quota in this queue",
                   "remove the prefix if that is not intended");
  }
}

void WarnAboutCovered(std::string_view prefix, const ClusterQueueSpec& spec,
                      ProblemReport& report) {
  for (const ResourceGroup& group : spec.resource_groups) {
    for (const std::string& resource : group.covered_resources) {
      if (!PrefixExcludes(prefix, resource)) continue;
      report.Invalid("",
                     "the queue covers " + Quoted(resource) + " and excludes it; it is excluded",
                     "remove the prefix, or the resource from resourceGroups");
    }
  }
}

void WarnAboutPrefixes(const ClusterQueueSpec& spec, const ValidationOptions& options,
                       ProblemReport& report) {
  const auto& prefixes = spec.exclude_resource_prefixes;
  if (prefixes.empty()) return;
  if (!options.gates.IsOn(Gate::kClusterQueueResourceExclusion)) {
    report.Invalid("excludeResourcePrefixes", "has no effect",
                   "turn on the feature gate ClusterQueueResourceExclusion");
    return;
  }
  if (options.checks_only_declared) {
    report.Invalid("excludeResourcePrefixes",
                   "has no effect: quotaCheck is OnlyDeclared, so only declared resources count",
                   "remove the prefixes, and the resources that must not count");
    return;
  }
  std::set<std::string_view> seen;
  for (size_t i = 0; i < prefixes.size(); ++i) {
    const auto at = report.In("excludeResourcePrefixes", i);
    if (!seen.insert(prefixes[i]).second) {
      report.Duplicate("", Quoted(prefixes[i]) + " is listed already", "remove it");
      continue;
    }
    WarnAboutScarceResources(prefixes[i], report);
    WarnAboutCovered(prefixes[i], spec, report);
  }
}

// Warns of resources that the Configuration excludes although this queue has quota for them.
void WarnAboutCoveredForAll(const ClusterQueueSpec& spec, const ValidationOptions& options,
                            ProblemReport& report) {
  if (options.checks_only_declared) return;
  const PrefixMatch match = MatchOfConfiguredPrefixes(options.gates);
  for (size_t g = 0; g < spec.resource_groups.size(); ++g) {
    const auto at_group = report.In("resourceGroups", g);
    const std::vector<std::string>& covered = spec.resource_groups[g].covered_resources;
    for (size_t i = 0; i < covered.size(); ++i) {
      const auto prefix = std::ranges::find_if(options.excluded_prefixes, [&](const auto& p) {
        return PrefixExcludes(p, covered[i], match);
      });
      if (prefix == options.excluded_prefixes.end()) continue;
      const auto at = report.In("coveredResources", i);
      report.Invalid("",
                     Quoted(covered[i]) + " is excluded by prefix " + Quoted(*prefix) +
                         " in the Configuration; its quota is not used",
                     "remove the resource here, or the prefix there");
    }
  }
}

}  // namespace

schema::Problems WarningsForClusterQueue(const ClusterQueue& queue,
                                         const ValidationOptions& options) {
  ProblemReport report;
  const auto in = report.In("spec");
  WarnAboutPrefixes(queue.spec, options, report);
  WarnAboutCoveredForAll(queue.spec, options, report);
  WarnAboutDeviceClasses(queue.spec.resource_groups, options.gates, report);
  return std::move(report).Take();
}

}  // namespace berth::api

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/meta/problem_report.h"
#include "base/list_text.h"
#include "lint/checks.h"
#include "lint/job_requests.h"
#include "schema/json/writer.h"

namespace berth::lint {
namespace {

// Requesting jobs by resource.
using Askers = std::map<std::string, std::set<std::string>>;

std::string NameOf(const QueuedJob& job) {
  const std::string& name = job.entry->metadata().name;
  return job.namespace_().empty() ? name : job.namespace_() + "/" + name;
}

bool IsDeclared(const api::ClusterQueue& queue, std::string_view resource) {
  return std::ranges::any_of(queue.spec.resource_groups, [&](const api::ResourceGroup& group) {
    const auto& covered = group.covered_resources;
    return std::ranges::find(covered, resource) != covered.end();
  });
}

std::string TextOf(const Askers& askers) {
  std::string text;
  for (const auto& [resource, jobs] : askers) {
    text += (text.empty() ? "" : "; ") + resource + " blocks " +
            base::ListText(std::vector<std::string>(jobs.begin(), jobs.end()), {.most = 5});
  }
  return text;
}

// A merge patch replaces lists, so it repeats the current prefixes.
std::string ExclusionPatch(const api::ClusterQueue& queue, const Askers& askers) {
  schema::JsonWriter patch;
  patch.BeginObject().Key("spec").BeginObject().Key("excludeResourcePrefixes").BeginArray();
  for (const std::string& prefix : queue.spec.exclude_resource_prefixes)
    patch.Value(std::string_view(prefix));
  for (const auto& [resource, jobs] : askers) {
    if (DeviceClassIn(resource).empty()) patch.Value(std::string_view(resource));
  }
  patch.EndArray().EndObject().EndObject();
  return "kubectl patch clusterqueue " + queue.metadata.name + " --type=merge -p '" + patch.Take() +
         "'";
}

std::string HintFor(const api::ClusterQueue& queue, const Askers& askers, const Catalog& catalog) {
  std::string hint;
  const bool has_resource = std::ranges::any_of(
      askers, [](const auto& entry) { return DeviceClassIn(entry.first).empty(); });
  if (has_resource) {
    const bool is_on = catalog.gates().IsOn(api::Gate::kClusterQueueResourceExclusion);
    hint = "add quota, or exclude the resource: " + ExclusionPatch(queue, askers) +
           (is_on ? "" : " (needs the feature gate ClusterQueueResourceExclusion)");
  }
  for (const auto& [resource, jobs] : askers) {
    const std::string_view device_class = DeviceClassIn(resource);
    if (device_class.empty()) continue;
    hint += std::string(hint.empty() ? "" : "; ") +
            "add to resourceGroups a resource with kind: DeviceClass, deviceClassNames: [" +
            std::string(device_class) + "]";
  }
  return hint;
}

}  // namespace

void CheckUndeclared(const Catalog& catalog, Report& report) {
  JobRequests requests(catalog);
  if (requests.options().checks_only_declared) return;
  std::map<std::string, Askers> by_queue;
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    const api::ClusterQueue* queue = requests.QueueOf(job);
    if (queue == nullptr || HoldsQuota(job) || report.HasErrors(*job.entry)) continue;
    for (const workload::PodSetTotals& totals : requests.Count(job, *queue).pod_sets) {
      for (const auto& [resource, amount] : totals.requests) {
        if (amount > 0 && !IsDeclared(*queue, resource))
          by_queue[queue->metadata.name][resource].insert(NameOf(job));
      }
    }
  }
  for (const auto& [name, askers] : by_queue) {
    const Entry& entry = *catalog.Find(api::ClusterQueue::KindInfo(), name);
    if (report.HasErrors(entry)) continue;
    report.Warn(entry, "undeclared-resource",
                {.field = "spec.resourceGroups",
                 .message = "requested resources without quota in this queue: " + TextOf(askers),
                 .hint = HintFor(*entry.object->As<api::ClusterQueue>(), askers, catalog)});
  }
}

}  // namespace berth::lint

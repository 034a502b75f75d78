#include "jobs/equivalent.h"

#include <algorithm>
#include <optional>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "json/json.h"
#include "objects/owner_chain.h"
#include "schema/encode.h"

namespace berth::jobs {
namespace {

// Workloads get this default from their CRD; some job kinds have no such default.
void FillInProtocols(json::value& tree) {
  json::value* ports = json::Find(tree, {"ports"});
  if (ports == nullptr || !ports->is_array()) return;
  for (json::value& port : ports->get_array())
    if (port.is_object()) port.get_object().emplace("protocol", "TCP");
}

// The order of carried fields differs between jobs and Workloads of an API server.
template <class T>
bool SameInAnyOrder(const T& a, const T& b) {
  if (a == b) return true;
  auto tree = json::Parse(schema::Encode(a));
  auto other = json::Parse(schema::Encode(b));
  if (!tree || !other) return false;
  FillInProtocols(*tree);
  FillInProtocols(*other);
  return *tree == *other;
}

bool SameContainers(const std::vector<api::Container>& a, const std::vector<api::Container>& b) {
  return std::ranges::equal(a, b, SameInAnyOrder<api::Container>);
}

bool SameAffinity(const std::optional<api::Affinity>& a, const std::optional<api::Affinity>& b) {
  return a && b ? SameInAnyOrder(*a, *b) : a == b;
}

bool SamePods(const api::PodSpec& a, const api::PodSpec& b, const PodSetComparison& comparison) {
  if (comparison.with_tolerations && a.tolerations != b.tolerations) return false;
  if (comparison.with_placement &&
      (a.node_selector != b.node_selector || !SameAffinity(a.affinity, b.affinity)))
    return false;
  return SameContainers(a.init_containers, b.init_containers) &&
         SameContainers(a.containers, b.containers);
}

// The pod sets of the running job; nullopt if they cannot be determined.
std::optional<std::vector<api::PodSet>> RunningPodSets(const api::Workload& workload,
                                                       const FindFlavor& find_flavor,
                                                       const StartOptions& start) {
  if (!api::IsConditionTrue(workload.status.conditions, api::condition::kQuotaReserved))
    return std::nullopt;
  const auto infos = InfosFromAdmission(workload, find_flavor, start);
  if (!infos) return std::nullopt;
  std::vector<api::PodSet> sets = workload.spec.pod_sets;
  for (api::PodSet& set : sets) {
    const auto info = std::ranges::find(*infos, set.name, &PodSetInfo::name);
    if (info == infos->end()) return std::nullopt;
    for (const api::Toleration& toleration : info->tolerations) {
      auto& there = set.template_.spec.tolerations;
      if (std::ranges::none_of(there, [&](const auto& t) { return SameToleration(t, toleration); }))
        there.push_back(toleration);
    }
    if (set.min_count) set.count = info->count;
  }
  return sets;
}

base::Result<api::ObjectMeta> MetadataIn(const EquivalenceInput& input) {
  return input.metadata != nullptr ? *input.metadata : MetadataOf(*input.job);
}

base::Result<std::vector<api::PodSet>> PodSetsIn(const EquivalenceInput& input,
                                                 const WorkloadOptions& options) {
  if (input.pod_sets == nullptr) return PodSets(*input.integration, *input.job, options.pod_sets);
  std::vector<api::PodSet> plain;
  for (const JobPodSet& set : *input.pod_sets) plain.push_back(set.pod_set);
  return plain;
}

bool IsController(const api::Workload& workload, const api::ObjectMeta& job) {
  const api::OwnerReference* owner = objects::ControllerOf(workload.metadata);
  return owner != nullptr && owner->name == job.name && owner->uid == job.uid;
}

}  // namespace

bool SamePodSets(const std::vector<api::PodSet>& a, const std::vector<api::PodSet>& b,
                 const PodSetComparison& comparison) {
  return std::ranges::equal(a, b, [&](const api::PodSet& x, const api::PodSet& y) {
    return x.count.value_or(1) == y.count.value_or(1) && x.min_count == y.min_count &&
           SamePods(x.template_.spec, y.template_.spec, comparison);
  });
}

base::Result<bool> IsEquivalent(const EquivalenceInput& input, const WorkloadOptions& options,
                                const StartOptions& start) {
  const api::Workload& workload = *input.workload;
  const auto metadata = MetadataIn(input);
  if (!metadata) return std::unexpected(metadata.error());
  if (!IsController(workload, *metadata)) return false;
  if (workload.spec.maximum_execution_time_seconds != MaximumExecutionTime(*metadata)) return false;
  const auto pod_sets = PodSetsIn(input, options);
  if (!pod_sets) return std::unexpected(pod_sets.error());
  const bool is_admitted =
      api::IsConditionTrue(workload.status.conditions, api::condition::kAdmitted);
  PodSetComparison comparison{.with_tolerations = !is_admitted};
  const auto running = RunningPodSets(workload, input.find_flavor, start);
  if (running && SamePodSets(*pod_sets, *running, comparison)) return true;
  const bool is_suspended = IsSuspended(*input.integration, *input.job);
  if (running && !is_suspended) return false;
  comparison.with_placement = !running && is_suspended && !input.is_prebuilt;
  return SamePodSets(*pod_sets, workload.spec.pod_sets, comparison);
}

}  // namespace berth::jobs

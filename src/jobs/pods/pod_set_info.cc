#include "jobs/pods/pod_set_info.h"

#include <algorithm>
#include <set>

#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "api/meta/problem_report.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kWorkerPodLabel = "kueue.x-k8s.io/multikueue-worker-workload-pod";

using Texts = base::FlatMap<std::string>;

std::expected<void, StartFailure> AddFlavors(const api::PodSetAssignment& assignment,
                                             const FindFlavor& find_flavor, PodSetInfo& info) {
  std::set<std::string_view> seen;
  for (const auto& [resource, name] : assignment.flavors) {
    if (!seen.insert(name).second) continue;
    const api::ResourceFlavor* flavor = find_flavor(name);
    if (flavor == nullptr) {
      return std::unexpected(
          StartFailure{.error = {.message = "ResourceFlavor " + api::Quoted(name) + " not found",
                                 .hint = "create it again, or evict the workload",
                                 .place = {}}});
    }
    for (const auto& [key, value] : flavor->spec.node_labels) info.node_selector.Set(key, value);
    std::ranges::copy(flavor->spec.tolerations, std::back_inserter(info.tolerations));
  }
  return {};
}

bool RequestsTopology(const api::PodSet& set) {
  const auto& request = set.topology_request;
  return request && (request->required || request->preferred || request->unconstrained);
}

void AddTopology(const api::PodSet& set, const api::PodSetAssignment& assignment,
                 PodSetInfo& info) {
  if (!assignment.topology_assignment) return;
  // Pods without a topology request are placed anywhere and must be marked as unconstrained.
  if (!RequestsTopology(set)) info.annotations.Set(api::kUnconstrainedTopologyAnnotation, "true");
  info.scheduling_gates.emplace_back(api::kTopologySchedulingGate);
}

void AddMarks(const api::Workload& workload, const StartOptions& options, PodSetInfo& info) {
  const Texts& annotations = workload.metadata.annotations;
  if (options.has_topology) info.annotations.Set(api::kWorkloadAnnotation, workload.metadata.name);
  const std::string* elastic = annotations.Find(api::kElasticJobAnnotation);
  if (options.has_elastic_jobs && elastic != nullptr && *elastic == "true") {
    const std::string* slice = annotations.Find(api::kWorkloadSliceNameAnnotation);
    info.annotations.Set(api::kWorkloadSliceNameAnnotation,
                         slice == nullptr ? workload.metadata.name : *slice);
  }
  info.labels.Set(api::kPodSetLabel, info.name);
  if (workload.metadata.labels.Contains(api::kMultiKueueOriginLabel))
    info.labels.Set(kWorkerPodLabel, "true");
  if (!options.assigns_queue_labels) return;
  info.labels.Set(api::kLocalQueueNameLabel, workload.spec.queue_name.value_or(""));
  const std::string& queue = workload.status.admission->cluster_queue;
  if (api::IsDns1123Label(queue)) info.labels.Set(api::kClusterQueueNameLabel, queue);
}

std::expected<void, StartFailure> AddUpdate(const api::PodSetUpdate& update, std::string_view check,
                                            PodSetInfo& info) {
  struct Part {
    std::string_view what;
    const Texts* from;
    Texts* into;
  };
  const Part parts[] = {{"annotation", &update.annotations, &info.annotations},
                        {"label", &update.labels, &info.labels},
                        {"node selector", &update.node_selector, &info.node_selector}};
  for (const Part& part : parts) {
    std::string conflict;
    if (MergeTexts(*part.from, *part.into, conflict)) continue;
    return PermanentFailure("AdmissionCheck " + api::Quoted(check) + " changes " +
                                std::string(part.what) + " " + conflict,
                            "an AdmissionCheck may only add values");
  }
  for (const api::Toleration& toleration : update.tolerations) {
    if (std::ranges::none_of(info.tolerations,
                             [&](const auto& t) { return SameToleration(t, toleration); }))
      info.tolerations.push_back(toleration);
  }
  return {};
}

std::expected<void, StartFailure> AddUpdates(const api::Workload& workload, PodSetInfo& info) {
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    const auto update =
        std::ranges::find(check.pod_set_updates, info.name, &api::PodSetUpdate::name);
    if (update == check.pod_set_updates.end()) continue;
    const auto added = AddUpdate(*update, check.name, info);
    if (!added) return added;
  }
  return {};
}

}  // namespace

std::unexpected<StartFailure> PermanentFailure(std::string message, std::string hint) {
  return std::unexpected(
      StartFailure{.error = {.message = std::move(message), .hint = std::move(hint), .place = {}},
                   .is_permanent = true});
}

StartOptions StartOptions::From(const api::FeatureGates& gates) {
  return {.has_topology = gates.IsOn(api::Gate::kTopologyAwareScheduling),
          .assigns_queue_labels = gates.IsOn(api::Gate::kAssignQueueLabelsForPods),
          .has_elastic_jobs = gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices)};
}

std::expected<std::vector<PodSetInfo>, StartFailure> InfosFromAdmission(
    const api::Workload& workload, const FindFlavor& find_flavor, const StartOptions& options) {
  std::vector<PodSetInfo> infos;
  if (!workload.status.admission) return infos;
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    const auto set = std::ranges::find(workload.spec.pod_sets, assignment.name, &api::PodSet::name);
    if (set == workload.spec.pod_sets.end())
      return PermanentFailure(
          "pod set " + api::Quoted(assignment.name) + " of the admission not found in the Workload",
          "delete the Workload; it is created again");
    PodSetInfo info{.name = assignment.name,
                    .count = assignment.count.value_or(set->count.value_or(1))};
    if (options.has_topology) AddTopology(*set, assignment, info);
    if (auto added = AddFlavors(assignment, find_flavor, info); !added)
      return std::unexpected(added.error());
    AddMarks(workload, options, info);
    if (auto added = AddUpdates(workload, info); !added) return std::unexpected(added.error());
    infos.push_back(std::move(info));
  }
  return infos;
}

std::expected<PodSetInfo, StartFailure> InfoFromChecks(const api::Workload& workload,
                                                       std::string_view pod_set) {
  PodSetInfo info{.name = std::string(pod_set)};
  if (auto added = AddUpdates(workload, info); !added) return std::unexpected(added.error());
  return info;
}

std::vector<PodSetInfo> InfosFromPodSets(const api::Workload& workload) {
  std::vector<PodSetInfo> infos;
  for (const api::PodSet& set : workload.spec.pod_sets) {
    PodSetInfo& info = infos.emplace_back();
    info.name = set.name;
    info.count = set.count.value_or(1);
    info.annotations = set.template_.metadata.annotations;
    info.labels = set.template_.metadata.labels;
    info.node_selector = set.template_.spec.node_selector;
    info.tolerations = set.template_.spec.tolerations;
    for (const api::PodSchedulingGate& gate : set.template_.spec.scheduling_gates)
      info.scheduling_gates.push_back(gate.name);
  }
  return infos;
}

bool SameToleration(const api::Toleration& a, const api::Toleration& b) {
  const auto op = [](const api::Toleration& t) -> std::string_view {
    return t.op.empty() ? api::kTolerationEqual : std::string_view(t.op);
  };
  return a.key == b.key && a.value == b.value && a.effect == b.effect && op(a) == op(b) &&
         a.toleration_seconds == b.toleration_seconds;
}

bool MergeTexts(const Texts& from, Texts& into, std::string& conflict) {
  for (const auto& [key, value] : from) {
    const std::string* there = into.Find(key);
    if (there == nullptr || *there == value) continue;
    conflict = key;
    return false;
  }
  for (const auto& [key, value] : from) into.Set(key, value);
  return true;
}

}  // namespace berth::jobs

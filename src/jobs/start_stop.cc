#include "jobs/start_stop.h"

#include <algorithm>
#include <map>

#include "api/well_known.h"
#include "jobs/injection.h"
#include "jobs/job_state.h"
#include "schema/encode.h"
#include "store/same_json.h"

namespace berth::jobs {
namespace {

using Failure = std::expected<void, StartFailure>;

const std::string kStopping = "metadata.annotations[" + std::string(api::kStoppingAnnotation) + "]";
constexpr std::string_view kPatchManager = "kueue.x-k8s.io/manager";
constexpr std::string_view kPatchedJobs = "trainingRuntimeSpec.template.spec.replicatedJobs";

void SetFlag(const Integration& integration, bool is_suspended, json::value& job) {
  if (integration.suspend.empty()) return;
  if (json::value* flag = MakeAt(job, integration.suspend)) *flag = is_suspended;
}

// --- Counts ------------------------------------------------------------------------------------

// Jobs that accept fewer pods are told how many; others keep what they have.
void WriteCount(const JobPodSet& set, int32_t count, json::value& job) {
  if (set.rule == nullptr || set.rule->min_count.empty() || !set.rule->each.empty()) return;
  if (!IntOf(TextAt(job, set.rule->min_count))) return;
  for (const CountField& field : set.rule->partial_count) {
    if (!field.only_if.empty() && TextAt(job, field.only_if) != "true") continue;
    if (json::value* at = MakeAt(job, field.path)) *at = count;
  }
}

// --- Where a kind wants the admission ----------------------------------------------------------

Failure InjectIntoTemplates(const std::vector<JobPodSet>& sets,
                            const std::vector<PodSetInfo>& infos, const StartOptions& options,
                            json::value& job) {
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::string& path = sets[i].template_path;
    // What the job does not say but its operator would choose must be said now, to be added to.
    if (!path.empty() && FindAt(job, path) == nullptr) {
      const auto tree = store::ParseJson(schema::Encode(sets[i].pod_set.template_));
      json::value* at = MakeAt(job, path);
      if (tree && at != nullptr) *at = *tree;
    }
    const auto injected = Inject(InjectionPaths::InTemplate(path), infos[i], options, job);
    if (!injected) return injected;
    WriteCount(sets[i], infos[i].count, job);
  }
  return {};
}

// spec.nodeSelector goes to both roles: beside a role's own it may not stand.
Failure InjectIntoSpark(const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos,
                        const StartOptions& options, json::value& job) {
  const json::value* found = FindAt(job, "spec.nodeSelector");
  const std::optional<json::value> common = found == nullptr ? std::nullopt : std::optional(*found);
  for (size_t i = 0; i < sets.size(); ++i) {
    const InjectionPaths paths = InjectionPaths::InSparkRole(sets[i].template_path);
    json::value* own = common ? MakeAt(job, paths.node_selector) : nullptr;
    if (own != nullptr) *own = *common;
    const auto injected = Inject(paths, infos[i], options, job);
    if (!injected) return injected;
  }
  if (common) EraseAt(job, "spec.nodeSelector");
  return {};
}

Failure WritePodSetInfos(const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos,
                         json::value& job) {
  std::map<std::string, json::array> by_component;
  for (size_t i = 0; i < sets.size(); ++i)
    by_component[sets[i].template_path].push_back(ToPodSetInfo(infos[i]));
  for (auto& [component, list] : by_component) {
    if (json::value* at = MakeAt(job, component + ".podSetInfos")) *at = std::move(list);
  }
  return {};
}

// Berth's own patch, which the webhook has put there when the job was made.
json::value* OwnPatch(json::value& job) {
  json::value* patches = FindAt(job, "spec.runtimePatches");
  if (patches == nullptr || !patches->is_array()) return nullptr;
  for (json::value& patch : patches->get_array()) {
    if (TextAt(patch, "manager") == kPatchManager) return &patch;
  }
  return nullptr;
}

Failure WriteRuntimePatch(const std::vector<PodSetInfo>& infos, json::value& job) {
  json::value* patch = OwnPatch(job);
  if (patch == nullptr) {
    return PermanentFailure(
        "spec.runtimePatches has no entry of the manager " + std::string(kPatchManager),
        "create the job again; the webhook adds it");
  }
  json::array list;
  for (const PodSetInfo& info : infos) {
    json::object all = ToPodSetInfo(info);
    json::object metadata;
    json::object spec;
    for (const auto& member : all) {
      const bool is_mark = member.key() == "annotations" || member.key() == "labels";
      (is_mark ? metadata : spec)[member.key()] = member.value();
    }
    list.push_back(
        {{"name", info.name},
         {"template", {{"spec", {{"template", {{"metadata", metadata}, {"spec", spec}}}}}}}});
  }
  if (json::value* at = MakeAt(*patch, kPatchedJobs)) *at = std::move(list);
  return {};
}

Failure WriteAdmission(const Integration& integration, const std::vector<JobPodSet>& sets,
                       const std::vector<PodSetInfo>& infos, const StartOptions& options,
                       json::value& job) {
  if (integration.injects == kInjectsPodSetInfos) return WritePodSetInfos(sets, infos, job);
  if (integration.injects == kInjectsRuntimePatches) return WriteRuntimePatch(infos, job);
  if (integration.injects == kInjectsSparkFields) return InjectIntoSpark(sets, infos, options, job);
  return InjectIntoTemplates(sets, infos, options, job);
}

// --- Back again --------------------------------------------------------------------------------

void RestoreComponents(json::value& job) {
  json::value* components = FindAt(job, "spec.components");
  if (components == nullptr || !components->is_array()) return;
  for (json::value& component : components->get_array()) EraseAt(component, "podSetInfos");
}

void RestoreAll(const Integration& integration, const std::vector<JobPodSet>& sets,
                const std::vector<PodSetInfo>& infos, json::value& job) {
  if (integration.injects == kInjectsPodSetInfos) return RestoreComponents(job);
  if (integration.injects == kInjectsRuntimePatches) {
    if (json::value* patch = OwnPatch(job)) EraseAt(*patch, kPatchedJobs);
    return;
  }
  if (infos.size() != sets.size()) return;  // of another shape: nothing is known of this one
  for (size_t i = 0; i < sets.size(); ++i) {
    const bool is_spark = integration.injects == kInjectsSparkFields;
    const std::string& path = sets[i].template_path;
    Restore(is_spark ? InjectionPaths::InSparkRole(path) : InjectionPaths::InTemplate(path),
            infos[i], integration.own_labels, job);
    WriteCount(sets[i], infos[i].count, job);
  }
}

StopPlan StopInSteps(const Integration& integration, const json::value& job,
                     const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos) {
  StopPlan plan;
  json::value state = job;
  const auto write = [&](const json::value& next, bool is_status) {
    if (next == state) return;
    state = next;
    plan.writes.push_back({.object = state, .is_status = is_status});
  };
  plan.stops_now = !IsSuspended(integration, job);
  if (plan.stops_now) {
    json::value next = state;
    SetFlag(integration, true, next);
    if (json::value* mark = MakeAt(next, kStopping)) *mark = "true";
    write(next, false);
  }
  if (!integration.reset_on_stop.empty()) {
    json::value next = state;
    EraseAt(next, integration.reset_on_stop);
    write(next, true);
  }
  if (IsActive(integration, job)) {
    plan.is_complete = false;
    return plan;
  }
  json::value next = state;
  RestoreAll(integration, sets, infos, next);
  EraseAt(next, kStopping);
  if (!IsSetAt(next, "metadata.annotations")) EraseAt(next, "metadata.annotations");
  write(next, false);
  return plan;
}

}  // namespace

std::expected<std::vector<JobWrite>, StartFailure> StartJob(const Integration& integration,
                                                            const json::value& job,
                                                            const std::vector<JobPodSet>& pod_sets,
                                                            const std::vector<PodSetInfo>& infos,
                                                            const StartOptions& options) {
  if (infos.size() != pod_sets.size()) {
    return PermanentFailure("the job has " + std::to_string(pod_sets.size()) +
                                " pod sets, its admission " + std::to_string(infos.size()),
                            "delete the workload; it is made anew");
  }
  std::vector<JobWrite> writes;
  json::value started = job;
  const auto written = WriteAdmission(integration, pod_sets, infos, options, started);
  if (!written) return std::unexpected(written.error());
  // Patches of a TrainJob may change only while it is suspended.
  if (integration.injects == kInjectsRuntimePatches) writes.push_back({.object = started});
  SetFlag(integration, false, started);
  writes.push_back({.object = std::move(started)});
  return writes;
}

StopPlan StopJob(const Integration& integration, const json::value& job,
                 const std::vector<JobPodSet>& pod_sets, const std::vector<PodSetInfo>& infos) {
  if (integration.stops_in_steps) return StopInSteps(integration, job, pod_sets, infos);
  StopPlan plan;
  if (IsSuspended(integration, job)) return plan;
  json::value stopped = job;
  SetFlag(integration, true, stopped);
  RestoreAll(integration, pod_sets, infos, stopped);
  plan.stops_now = true;
  plan.writes.push_back({.object = std::move(stopped)});
  return plan;
}

void Suspend(const Integration& integration, json::value& job) { SetFlag(integration, true, job); }

json::value MergePatchBetween(const json::value& before, const json::value& after) {
  if (!before.is_object() || !after.is_object()) return after;
  json::object patch;
  for (const auto& member : before.get_object()) {
    if (!after.get_object().contains(member.key())) patch[member.key()] = nullptr;
  }
  for (const auto& member : after.get_object()) {
    const json::value* old = before.get_object().if_contains(member.key());
    if (old != nullptr && store::SameJson(*old, member.value())) continue;
    const bool is_deep = old != nullptr && old->is_object() && member.value().is_object();
    patch[member.key()] = is_deep ? MergePatchBetween(*old, member.value()) : member.value();
  }
  return patch;
}

}  // namespace berth::jobs

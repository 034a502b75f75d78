#include "jobs/start_stop.h"

#include <algorithm>
#include <map>

#include "api/kueue/well_known.h"
#include "jobs/injection.h"
#include "jobs/job_state.h"
#include "json/same.h"
#include "schema/encode.h"

namespace berth::jobs {
namespace {

using Failure = std::expected<void, StartFailure>;

const std::string kStopping = "metadata.annotations[" + std::string(api::kStoppingAnnotation) + "]";
constexpr std::string_view kPatchManager = "kueue.x-k8s.io/manager";
constexpr std::string_view kPatchedJobs = "trainingRuntimeSpec.template.spec.replicatedJobs";

void SetFlag(const Integration& integration, bool is_suspended, json::value& job) {
  if (integration.suspend.empty()) return;
  if (json::value* flag = json::MakeAt(job, integration.suspend)) *flag = is_suspended;
}

// --- Counts ------------------------------------------------------------------------------------

// Writes the admitted count to jobs that support partial admission.
void WriteCount(const JobPodSet& set, int32_t count, json::value& job) {
  if (set.rule == nullptr || set.rule->min_count.empty() || !set.rule->each.empty()) return;
  if (!json::IntOf(json::TextAt(job, set.rule->min_count))) return;
  for (const CountField& field : set.rule->partial_count) {
    if (!field.only_if.empty() && json::TextAt(job, field.only_if) != "true") continue;
    if (json::value* at = json::MakeAt(job, field.path)) *at = count;
  }
}

// --- Injection by kind --------------------------------------------------------------------------

Failure InjectIntoTemplates(const std::vector<JobPodSet>& sets,
                            const std::vector<PodSetInfo>& infos, const StartOptions& options,
                            json::value& job) {
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::string& path = sets[i].template_path;
    // A template that the operator would default must be written out before injection.
    if (!path.empty() && json::FindAt(job, path) == nullptr) {
      const auto tree = json::Parse(schema::Encode(sets[i].pod_set.template_));
      json::value* at = json::MakeAt(job, path);
      if (tree && at != nullptr) *at = *tree;
    }
    const auto injected = Inject(InjectionPaths::InTemplate(path), infos[i], options, job);
    if (!injected) return injected;
    WriteCount(sets[i], infos[i].count, job);
  }
  return {};
}

// spec.nodeSelector applies to both roles and excludes a node selector of a role.
Failure InjectIntoSpark(const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos,
                        const StartOptions& options, json::value& job) {
  const json::value* found = json::FindAt(job, "spec.nodeSelector");
  const std::optional<json::value> common = found == nullptr ? std::nullopt : std::optional(*found);
  for (size_t i = 0; i < sets.size(); ++i) {
    const InjectionPaths paths = InjectionPaths::InSparkRole(sets[i].template_path);
    json::value* own = common ? json::MakeAt(job, paths.node_selector) : nullptr;
    if (own != nullptr) *own = *common;
    const auto injected = Inject(paths, infos[i], options, job);
    if (!injected) return injected;
  }
  if (common) json::EraseAt(job, "spec.nodeSelector");
  return {};
}

Failure WritePodSetInfos(const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos,
                         json::value& job) {
  std::map<std::string, json::array> by_component;
  for (size_t i = 0; i < sets.size(); ++i)
    by_component[sets[i].template_path].push_back(ToPodSetInfo(infos[i]));
  for (auto& [component, list] : by_component) {
    if (json::value* at = json::MakeAt(job, component + ".podSetInfos")) *at = std::move(list);
  }
  return {};
}

// Berth's own patch, added by the webhook on creation.
json::value* OwnPatch(json::value& job) {
  json::value* patches = json::FindAt(job, "spec.runtimePatches");
  if (patches == nullptr || !patches->is_array()) return nullptr;
  for (json::value& patch : patches->get_array()) {
    if (json::TextAt(patch, "manager") == kPatchManager) return &patch;
  }
  return nullptr;
}

Failure WriteRuntimePatch(const std::vector<PodSetInfo>& infos, json::value& job) {
  json::value* patch = OwnPatch(job);
  if (patch == nullptr) {
    return PermanentFailure(
        "spec.runtimePatches has no entry of manager " + std::string(kPatchManager),
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
  if (json::value* at = json::MakeAt(*patch, kPatchedJobs)) *at = std::move(list);
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

// --- Restoring ----------------------------------------------------------------------------------

void RestoreComponents(json::value& job) {
  json::value* components = json::FindAt(job, "spec.components");
  if (components == nullptr || !components->is_array()) return;
  for (json::value& component : components->get_array()) json::EraseAt(component, "podSetInfos");
}

void RestoreAll(const Integration& integration, const std::vector<JobPodSet>& sets,
                const std::vector<PodSetInfo>& infos, json::value& job) {
  if (integration.injects == kInjectsPodSetInfos) return RestoreComponents(job);
  if (integration.injects == kInjectsRuntimePatches) {
    if (json::value* patch = OwnPatch(job)) json::EraseAt(*patch, kPatchedJobs);
    return;
  }
  if (infos.size() != sets.size()) return;  // of another shape: nothing to restore from
  for (size_t i = 0; i < sets.size(); ++i) {
    const bool is_spark = integration.injects == kInjectsSparkFields;
    const std::string& path = sets[i].template_path;
    Restore(is_spark ? InjectionPaths::InSparkRole(path) : InjectionPaths::InTemplate(path),
            infos[i], integration.own_labels, job);
    WriteCount(sets[i], infos[i].count, job);
  }
}

StopPlan StopInSteps(const Integration& integration, const json::value& job,
                     const std::vector<JobPodSet>& sets, const std::vector<PodSetInfo>& infos,
                     bool is_elastic) {
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
    if (json::value* mark = json::MakeAt(next, kStopping)) *mark = "true";
    write(next, false);
  }
  if (!integration.reset_on_stop.empty()) {
    json::value next = state;
    json::EraseAt(next, integration.reset_on_stop);
    write(next, true);
  }
  if (IsActive(integration, job) && !is_elastic) {
    plan.is_complete = false;
    return plan;
  }
  json::value next = state;
  RestoreAll(integration, sets, infos, next);
  json::EraseAt(next, kStopping);
  if (!json::IsSetAt(next, "metadata.annotations")) json::EraseAt(next, "metadata.annotations");
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
    return PermanentFailure("pod sets differ: " + std::to_string(pod_sets.size()) +
                                " in the job, " + std::to_string(infos.size()) +
                                " in the admission",
                            "delete the Workload; it is created again");
  }
  std::vector<JobWrite> writes;
  json::value started = job;
  const auto written = WriteAdmission(integration, pod_sets, infos, options, started);
  if (!written) return std::unexpected(written.error());
  // Patches of a TrainJob are mutable only while it is suspended.
  if (integration.injects == kInjectsRuntimePatches) writes.push_back({.object = started});
  SetFlag(integration, false, started);
  writes.push_back({.object = std::move(started)});
  return writes;
}

StopPlan StopJob(const Integration& integration, const json::value& job,
                 const std::vector<JobPodSet>& pod_sets, const std::vector<PodSetInfo>& infos,
                 bool is_elastic) {
  if (integration.stops_in_steps) return StopInSteps(integration, job, pod_sets, infos, is_elastic);
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
    if (old != nullptr && json::Same(*old, member.value())) continue;
    const bool is_deep = old != nullptr && old->is_object() && member.value().is_object();
    patch[member.key()] = is_deep ? MergePatchBetween(*old, member.value()) : member.value();
  }
  return patch;
}

}  // namespace berth::jobs

#include <map>
#include <utility>

#include "api/core/pod.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "lint/checks.h"
#include "lint/queued_job.h"

namespace berth::lint {
namespace {

void CheckContainers(const Catalog& catalog, Report& report) {
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    for (const PodSetAt& pods : job.pod_sets) {
      if (!pods.pod_set.template_.spec.containers.empty()) continue;
      const std::string field = pods.ContainersField();
      if (report.HasErrors(*job.entry)) continue;  // reported already
      report.Error(*job.entry, "required",
                   {.field = field, .message = "a pod needs at least one container"});
    }
  }
}

// Pods of a group are admitted together and must have the same constraints.
void CheckGroupConstraints(const Catalog& catalog, Report& report) {
  if (!catalog.gates().IsOn(api::Gate::kWorkloadAdmissionConstraints)) return;
  std::map<std::pair<std::string, std::string>, const api::Pod*> first_of_group;
  catalog.ForEach<api::Pod>([&](const Entry& entry, const api::Pod& pod) {
    const std::string* group = pod.metadata.labels.Find(api::kPodGroupName);
    if (group == nullptr) return;
    const auto [it, is_first] = first_of_group.try_emplace({pod.metadata.namespace_, *group}, &pod);
    if (is_first) return;
    const api::ObjectMeta& first = it->second->metadata;
    const api::ConstrainedPod pair[] = {{first.name, &first.annotations},
                                        {pod.metadata.name, &pod.metadata.annotations}};
    api::ProblemReport problems;
    ValidateGroupConstraints(pair, problems);
    for (const schema::Problem& problem : std::move(problems).Take())
      report.Add(entry, Severity::kError, "invalid", problem);
  });
}

}  // namespace

void CheckPods(const Catalog& catalog, Report& report) {
  CheckContainers(catalog, report);
  CheckGroupConstraints(catalog, report);
}

}  // namespace berth::lint

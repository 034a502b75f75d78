#include "jobs/kinds/kubeflow_job.h"

#include "base/text.h"

namespace berth::jobs::kinds {
namespace {

constexpr std::string_view kStatus = R"yaml(active: [{each: status.replicaStatuses, path: active}]
finished:
- {when: [{condition: Succeeded}], success: true}
- {when: [{condition: Failed}]}
ready: {when: [{condition: Running}]}
priorityClass: [spec.runPolicy.schedulingPolicy.priorityClass]
)yaml";

std::string Line(std::string_view key, std::string_view value, std::string_view end = "\n") {
  return std::string(key).append(value).append(end);
}

std::string PodSetOf(const KubeflowJob& job, std::string_view role) {
  const std::string replicas = "spec." + std::string(job.replica_specs) + "." + std::string(role);
  return Line("- name: ", base::LowerCase(role)) + Line("  when: [{path: ", replicas, "}]\n") +
         Line("  template: ", replicas, ".template\n") +
         Line("  count: [{path: ", replicas, ".replicas}]\n") +
         "  podIndexLabel: training.kubeflow.org/replica-index\n";
}

}  // namespace

std::string DescribeKubeflowJob(const KubeflowJob& job) {
  const std::string name = base::LowerCase(job.kind);
  std::string text = Line("framework: kubeflow.org/", name) +
                     Line("apiVersion: kubeflow.org/", job.version) + Line("kind: ", job.kind) +
                     Line("plural: ", name, "s\n") + "suspend: spec.runPolicy.suspend\npodSets:\n";
  for (std::string_view role : job.roles) {
    if (!role.empty()) text += PodSetOf(job, role);
  }
  text += kStatus;
  text += Line("managedBy: {path: spec.runPolicy.managedBy, controller: ", job.controller, "}\n");
  if (job.allows_prebuilt) text += "prebuilt: true\n";
  return text;
}

}  // namespace berth::jobs::kinds

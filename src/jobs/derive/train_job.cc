#include <algorithm>

#include "jobs/derive/derive.h"
#include "jobs/integration_set.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kJobs = "spec.replicatedJobs";
constexpr std::string_view kAncestor =
    "template.metadata.labels[trainer.kubeflow.org/trainjob-ancestor-step]";
constexpr std::string_view kTrainer = "trainer";
constexpr std::string_view kNode = "node";

// Merges objects; other values are replaced.
void MergeInto(json::value& target, const json::value& source) {
  json::object* object = target.if_object();
  if (object == nullptr || !source.is_object()) {
    target = source;
    return;
  }
  for (const auto& member : source.get_object()) {
    if (member.value().is_null()) continue;
    MergeInto((*object)[member.key()], member.value());
  }
}

json::value* FindNamed(json::value* list, std::string_view name) {
  if (list == nullptr || !list->is_array()) return nullptr;
  for (json::value& element : list->get_array()) {
    if (json::TextAt(element, "name") == name) return &element;
  }
  return nullptr;
}

// Applies the trainer of the TrainJob to the trainer container.
void ApplyTrainer(const json::value& trainer, json::value& replicated) {
  json::value* container =
      FindNamed(json::FindAt(replicated, "template.spec.template.spec.containers"), kNode);
  if (container == nullptr) return;
  for (std::string_view field : {"image", "command", "args"}) {
    if (const json::value* given = json::FindAt(trainer, field))
      container->get_object()[json::BoostView(field)] = *given;
  }
  if (const json::value* resources = json::FindAt(trainer, "resourcesPerNode"))
    MergeInto(container->get_object()["resources"], *resources);
  const json::value* given = json::FindAt(trainer, "env");
  if (given == nullptr || !given->is_array()) return;
  json::value& variables = container->get_object()["env"];
  if (!variables.is_array()) variables.emplace_array();
  for (const json::value& variable : given->get_array()) {
    json::value* there = FindNamed(&variables, json::TextAt(variable, "name"));
    if (there == nullptr) {
      variables.get_array().push_back(variable);
    } else {
      *there = variable;
    }
  }
}

void SetNodes(int32_t nodes, json::value& replicated) {
  for (std::string_view path : {"template.spec.parallelism", "template.spec.completions"}) {
    if (json::value* at = json::MakeAt(replicated, path)) *at = nodes;
  }
}

// Applies patches of users and controllers by the name of the replicated job. Berth's own patch is
// the admission, written on start, and is not part of the requests.
void ApplyPatches(const json::value& job, json::value& job_set) {
  const json::value* patches = json::FindAt(job, "spec.runtimePatches");
  if (patches == nullptr || !patches->is_array()) return;
  for (const json::value& patch : patches->get_array()) {
    if (json::TextAt(patch, "manager") == "kueue.x-k8s.io/manager") continue;
    const json::value* list =
        json::FindAt(patch, "trainingRuntimeSpec.template.spec.replicatedJobs");
    if (list == nullptr || !list->is_array()) continue;
    for (const json::value& change : list->get_array()) {
      json::value* target = FindNamed(json::FindAt(job_set, kJobs), json::TextAt(change, "name"));
      if (target != nullptr) MergeInto(*target, change);
    }
  }
}

void ApplyPolicy(const json::value& job, const json::value& runtime, json::value& job_set) {
  json::value* list = json::FindAt(job_set, kJobs);
  if (list == nullptr || !list->is_array()) return;
  const json::value* trainer = json::FindAt(job, "spec.trainer");
  auto nodes = json::IntAt(job, "spec.trainer.numNodes");
  if (!nodes) nodes = json::IntAt(runtime, "spec.mlPolicy.numNodes");
  for (json::value& replicated : list->get_array()) {
    if (json::TextAt(replicated, kAncestor) != kTrainer) {
      // Kubeflow Trainer runs the others with one pod at least.
      if (json::IntAt(replicated, "template.spec.parallelism") == 0) SetNodes(1, replicated);
      continue;
    }
    if (json::value* replicas = json::MakeAt(replicated, "replicas")) *replicas = 1;
    if (nodes) SetNodes(*nodes, replicated);
    if (trainer != nullptr) ApplyTrainer(*trainer, replicated);
  }
}

}  // namespace

base::Result<PodSetList> DeriveTrainJob(const json::value& job, const PodSetOptions& options) {
  const auto& find = options.related.find_training_runtime;
  const json::value* runtime = find ? find(job) : nullptr;
  const json::value* job_set_template =
      runtime == nullptr ? nullptr : json::FindAt(*runtime, "spec.template");
  if (job_set_template == nullptr) {
    return base::Fail(
        "training runtime " + json::TextAt(job, "spec.runtimeRef.name") + " not found",
        "create it, or name another in spec.runtimeRef");
  }
  json::value job_set = *job_set_template;
  ApplyPolicy(job, *runtime, job_set);
  ApplyPatches(job, job_set);
  auto sets = PodSetsOf(*IntegrationSet::BuiltIn().FindFramework("jobset.x-k8s.io/jobset"), job_set,
                        options);
  if (!sets) return sets;
  for (JobPodSet& set : *sets) {
    set.source_path = "job[" + set.pod_set.name + "]";
    set.template_path.clear();
  }
  return sets;
}

}  // namespace berth::jobs

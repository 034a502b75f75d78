#include <algorithm>

#include "jobs/derive.h"
#include "jobs/integration_set.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kJobs = "spec.replicatedJobs";
constexpr std::string_view kAncestor =
    "template.metadata.labels[trainer.kubeflow.org/trainjob-ancestor-step]";
constexpr std::string_view kTrainer = "trainer";
constexpr std::string_view kNode = "node";

// Members of objects are merged, everything else is replaced.
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
    if (TextAt(element, "name") == name) return &element;
  }
  return nullptr;
}

// What the TrainJob's trainer says of the container that trains.
void ApplyTrainer(const json::value& trainer, json::value& replicated) {
  json::value* container =
      FindNamed(FindAt(replicated, "template.spec.template.spec.containers"), kNode);
  if (container == nullptr) return;
  for (std::string_view field : {"image", "command", "args"}) {
    if (const json::value* given = FindAt(trainer, field))
      container->get_object()[store::BoostView(field)] = *given;
  }
  if (const json::value* resources = FindAt(trainer, "resourcesPerNode"))
    MergeInto(container->get_object()["resources"], *resources);
  const json::value* given = FindAt(trainer, "env");
  if (given == nullptr || !given->is_array()) return;
  json::value& variables = container->get_object()["env"];
  if (!variables.is_array()) variables.emplace_array();
  for (const json::value& variable : given->get_array()) {
    json::value* there = FindNamed(&variables, TextAt(variable, "name"));
    if (there == nullptr) {
      variables.get_array().push_back(variable);
    } else {
      *there = variable;
    }
  }
}

void SetNodes(int32_t nodes, json::value& replicated) {
  for (std::string_view path : {"template.spec.parallelism", "template.spec.completions"}) {
    if (json::value* at = MakeAt(replicated, path)) *at = nodes;
  }
}

// Patches of users and controllers, by the name of the replicated job. Berth's own is what it
// writes when the job starts, and no part of what the job asks for.
void ApplyPatches(const json::value& job, json::value& job_set) {
  const json::value* patches = FindAt(job, "spec.runtimePatches");
  if (patches == nullptr || !patches->is_array()) return;
  for (const json::value& patch : patches->get_array()) {
    if (TextAt(patch, "manager") == "kueue.x-k8s.io/manager") continue;
    const json::value* list = FindAt(patch, "trainingRuntimeSpec.template.spec.replicatedJobs");
    if (list == nullptr || !list->is_array()) continue;
    for (const json::value& change : list->get_array()) {
      json::value* target = FindNamed(FindAt(job_set, kJobs), TextAt(change, "name"));
      if (target != nullptr) MergeInto(*target, change);
    }
  }
}

void ApplyPolicy(const json::value& job, const json::value& runtime, json::value& job_set) {
  json::value* list = FindAt(job_set, kJobs);
  if (list == nullptr || !list->is_array()) return;
  const json::value* trainer = FindAt(job, "spec.trainer");
  auto nodes = IntAt(job, "spec.trainer.numNodes");
  if (!nodes) nodes = IntAt(runtime, "spec.mlPolicy.numNodes");
  for (json::value& replicated : list->get_array()) {
    if (TextAt(replicated, kAncestor) != kTrainer) continue;
    if (json::value* replicas = MakeAt(replicated, "replicas")) *replicas = 1;
    if (nodes) SetNodes(*nodes, replicated);
    if (trainer != nullptr) ApplyTrainer(*trainer, replicated);
  }
}

}  // namespace

base::Result<PodSetList> DeriveTrainJob(const json::value& job, const PodSetOptions& options) {
  const auto& find = options.related.find_training_runtime;
  const json::value* runtime = find ? find(job) : nullptr;
  const json::value* job_set_template =
      runtime == nullptr ? nullptr : FindAt(*runtime, "spec.template");
  if (job_set_template == nullptr) {
    return base::Fail("there is no training runtime " + TextAt(job, "spec.runtimeRef.name"),
                      "create it, or name another in spec.runtimeRef");
  }
  json::value job_set = *job_set_template;
  ApplyPolicy(job, *runtime, job_set);
  ApplyPatches(job, job_set);
  auto sets = PodSetsOf(*IntegrationSet::BuiltIn().FindFramework("jobset.x-k8s.io/jobset"), job_set,
                        options);
  if (!sets) return sets;
  for (JobPodSet& set : *sets) set.template_path.clear();
  return sets;
}

}  // namespace berth::jobs

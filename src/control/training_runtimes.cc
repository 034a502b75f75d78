#include "control/training_runtimes.h"

#include <utility>

#include "jobs/path.h"

namespace berth::control {
namespace {

constexpr const char* kOfAll = "ClusterTrainingRuntime";
constexpr const char* kOfOne = "TrainingRuntime";

}  // namespace

std::span<const store::Resource> TrainingRuntimes::Resources() {
  static const store::Resource kResources[] = {
      {.group = "trainer.kubeflow.org",
       .version = "v1alpha1",
       .plural = "clustertrainingruntimes",
       .kind = kOfAll,
       .is_namespaced = false},
      {.group = "trainer.kubeflow.org",
       .version = "v1alpha1",
       .plural = "trainingruntimes",
       .kind = kOfOne,
       .is_namespaced = true},
  };
  return kResources;
}

void TrainingRuntimes::OnChange(const store::Resource& resource, const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const std::tuple key(resource.kind, any.namespace_, any.name);
  runtimes_.erase(key);
  if (change.after == nullptr) return;
  if (auto tree = store::ParseJson(change.after->text())) runtimes_.emplace(key, std::move(*tree));
}

const store::json::value* TrainingRuntimes::FindFor(const store::json::value& train_job) const {
  std::string kind = jobs::TextAt(train_job, "spec.runtimeRef.kind");
  if (kind.empty()) kind = kOfAll;
  std::string namespace_ = kind == kOfAll ? "" : jobs::TextAt(train_job, "metadata.namespace");
  const auto found = runtimes_.find(std::tuple(std::move(kind), std::move(namespace_),
                                               jobs::TextAt(train_job, "spec.runtimeRef.name")));
  return found == runtimes_.end() ? nullptr : &found->second;
}

}  // namespace berth::control

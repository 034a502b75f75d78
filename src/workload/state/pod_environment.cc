#include "workload/state/pod_environment.h"

#include "workload/convert/convert_workload.h"

namespace berth::workload {

void PodEnvironment::Upsert(const api::Namespace& space) {
  auto [labels, is_new] = namespace_labels_.Insert(space.metadata.name);
  if (is_new || labels != space.metadata.labels) changed_namespaces_.insert(space.metadata.name);
  labels = space.metadata.labels;
}

void PodEnvironment::Upsert(const api::LimitRange& range) {
  limit_ranges_.Insert(NamespacedName(range.metadata)).object = range;
  limits_.Erase(range.metadata.namespace_);
  changed_namespaces_.insert(range.metadata.namespace_);
}

void PodEnvironment::Upsert(const api::RuntimeClass& runtime) {
  overheads_.Set(runtime.metadata.name,
                 runtime.overhead ? runtime.overhead->pod_fixed : api::ResourceList{});
  has_changed_overheads_ = true;
}

void PodEnvironment::EraseNamespace(std::string_view name) {
  if (namespace_labels_.Erase(name)) changed_namespaces_.emplace(name);
}

void PodEnvironment::EraseLimitRange(std::string_view namespace_name, std::string_view name) {
  if (!limit_ranges_.Erase(NamespacedName(namespace_name, name))) return;
  limits_.Erase(namespace_name);
  changed_namespaces_.emplace(namespace_name);
}

void PodEnvironment::EraseRuntimeClass(std::string_view name) {
  if (overheads_.Erase(name)) has_changed_overheads_ = true;
}

const api::Labels& PodEnvironment::LabelsOf(const std::string& namespace_name) {
  if (const api::Labels* labels = namespace_labels_.Find(namespace_name)) return *labels;
  auto [labels, is_new] = implied_labels_.Insert(namespace_name);
  if (is_new) labels.Set("kubernetes.io/metadata.name", namespace_name);
  return labels;
}

const LimitSummary& PodEnvironment::LimitsOf(const std::string& namespace_name) {
  auto [summary, is_new] = limits_.Insert(namespace_name);
  if (!is_new) return summary;
  const std::string prefix = namespace_name + "/";
  for (auto range = limit_ranges_.lower_bound(prefix);
       range != limit_ranges_.end() && range->first.starts_with(prefix); ++range)
    summary.Add(range->second.spec);
  return summary;
}

void PodEnvironment::ClearChanges() {
  changed_namespaces_.clear();
  has_changed_overheads_ = false;
}

}  // namespace berth::workload

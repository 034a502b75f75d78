#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/core/runtime_class.h"
#include "api/meta/selector.h"
#include "workload/requests/limit_summary.h"
#include "workload/requests/pod_requests.h"
#include "workload/state/object_map.h"

namespace berth::workload {

// The objects outside a pod template that its requests depend on: labels of Namespaces, LimitRanges
// and the overhead of RuntimeClasses; and which of them changed since the last Sync.
class PodEnvironment {
 public:
  void Upsert(const api::Namespace& space);
  void Upsert(const api::LimitRange& range);
  void Upsert(const api::RuntimeClass& runtime);
  void EraseNamespace(std::string_view name);
  void EraseLimitRange(std::string_view namespace_name, std::string_view name);
  void EraseRuntimeClass(std::string_view name);

  // Null if there is no such Namespace.
  const api::Labels* FindLabels(std::string_view namespace_name) const {
    return namespace_labels_.Find(namespace_name);
  }
  // A Namespace without an object has only the label that every Namespace has: its name.
  const api::Labels& LabelsOf(const std::string& namespace_name);
  const LimitSummary& LimitsOf(const std::string& namespace_name);
  const RuntimeOverheads& overheads() const { return overheads_; }

  bool has_changes() const { return has_changed_overheads_ || !changed_namespaces_.empty(); }
  // Whether the requests of pods in this Namespace may have changed.
  bool HasChanged(std::string_view namespace_name) const {
    return has_changed_overheads_ || changed_namespaces_.contains(namespace_name);
  }
  void ClearChanges();

 private:
  ObjectMap<api::Labels> namespace_labels_;
  ObjectMap<api::Labels> implied_labels_;    // of Namespaces without an object
  ObjectMap<api::LimitRange> limit_ranges_;  // by namespaced name
  ObjectMap<LimitSummary> limits_;           // by Namespace; computed on demand
  RuntimeOverheads overheads_;
  std::set<std::string, std::less<>> changed_namespaces_;
  bool has_changed_overheads_ = false;
};

}  // namespace berth::workload

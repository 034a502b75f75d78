#pragma once

// The equivalence class of a workload for scheduling: if one workload of a shape does not fit, none
// does, so the scheduler tries only the first.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/kueue/pod_set.h"
#include "workload/requests/requests.h"

namespace berth::workload {

// A 128-bit hash, the same on every machine. Workloads with different parts have different shapes,
// except for hash collisions.
struct Shape {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator==(const Shape&, const Shape&) = default;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

// The input of the hash. Names of containers, images, namespace, LocalQueue, uid and times are not
// part of it.
struct ShapeParts {
  int64_t priority = 0;  // effective
  // Adjusted (pod_requests.h). Hashed are name, minCount and topology request; of pods: requests
  // and ports of containers and init containers, requests of the pod itself, node selector,
  // affinity, tolerations, runtime class, priority, spread constraints, overhead and resource
  // claims. Quantities are compared by their text.
  std::span<const api::PodSet> pod_sets;
  // The requests that count in the queue (resource_filter.h), in the same order.
  std::span<const PodSetTotals> totals;
  // KEP-8729: workloads with different constraints are never equivalent.
  bool cannot_preempt = false;
  bool cannot_borrow = false;
  // The flavors that this variant of a job may use; nullopt if it is not a variant.
  std::optional<std::string_view> allowed_flavors;
};

Shape ShapeOf(const ShapeParts& parts);

// The bytes that are hashed: equal if and only if the parts are equal.
std::string ShapeBytes(const ShapeParts& parts);

}  // namespace berth::workload

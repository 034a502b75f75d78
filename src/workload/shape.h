#pragma once

// Workloads of one shape get the same answer from the same cluster: if one of them does not fit,
// none does, and they are tried once.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/pod_set.h"
#include "workload/requests.h"

namespace berth::workload {

// A fingerprint of 128 bits, the same on every machine. Workloads whose parts differ have
// different shapes, as far as such a fingerprint can promise.
struct Shape {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator==(const Shape&, const Shape&) = default;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

// What the shape is taken of. Names of containers, images, namespace, LocalQueue, uid and times
// are not part of it.
struct ShapeParts {
  int64_t priority = 0;  // effective
  // Adjusted (pod_requests.h). Of each: name, minCount, topology request; of its pods: requests and
  // ports of containers and init containers, requests of the pod itself, node selector, affinity,
  // tolerations, runtime class, priority, spread constraints, overhead and resource claims.
  // Quantities are compared by their text.
  std::span<const api::PodSet> pod_sets;
  // What counts of them in the queue at hand (resource_filter.h), in the same order.
  std::span<const PodSetTotals> totals;
  // KEP-8729: workloads with different constraints never stand for each other.
  bool cannot_preempt = false;
  bool cannot_borrow = false;
  // Of workloads that compete for one job: the flavors that this one may use.
  std::optional<std::string_view> allowed_flavors;
};

Shape ShapeOf(const ShapeParts& parts);

// The bytes that the fingerprint is taken of: equal exactly for parts that are equal.
std::string ShapeBytes(const ShapeParts& parts);

}  // namespace berth::workload

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ids.h"
#include "engine/quota/quota_forest.h"
#include "engine/spec.h"

namespace berth::engine {

// How well an assignment fits, worst first.
enum class AssignmentMode : uint8_t {
  kNoFit,
  kPreempt,
  kDeferredFit,  // fits once the preemption targets of others are gone
  kFit,
};

// How well one resource fits in one flavor, worst first.
enum class FlavorMode : uint8_t {
  kNoFit,
  kNoCandidates,  // preemption is allowed, but there are no candidates
  kPreempt,       // needs a preemption target in its own queue
  kReclaim,       // all preemption targets are in other queues
  kFit,
};

// Why a workload has no quota: the reasons of QuotaReserved=False, least severe first, for the case
// that flavors fail for different reasons.
enum class WaitReason : uint8_t {
  kNone,
  kWaitingForQuota,
  kExceedsMaxQuota,
  kNoMatchingFlavor,
  kWaitingForPreemptedWorkloads,
  kPendingEvaluation,
  kMisconfigured,
  kSuspended,
  kAdmissionGated,
  kAdmissionConstrained,     // an option exists, but its constraints forbid it (BlockedOption)
  kTopologyPlacementFailed,  // its pods fit nowhere, even if all workloads were preempted
};

// One resource in one flavor that was tried, with its numbers; for explanations.
struct FlavorAttempt {
  uint32_t pod_set = 0;
  FlavorId flavor;
  ResourceId resource;  // none: the flavor does not match the pods
  Mismatch mismatch = Mismatch::kUntoleratedTaint;
  FlavorMode mode = FlavorMode::kFit;
  WaitReason reason = WaitReason::kNone;
  int32_t borrowing_height = 0;
  Amount requested;  // by this podset group
  Amount assumed;    // by earlier podsets in the same flavor
  Amount available;
  Amount potential;
};

struct AssignedResource {
  ResourceId resource;
  FlavorId flavor;
  ColumnIndex column = kNoColumn;
  int64_t amount = 0;
  AssignmentMode mode = AssignmentMode::kFit;
  int32_t borrowing_height = 0;
  int32_t last_tried = -1;  // index of the flavor where the search stopped; -1 after the last
};

struct AssignedPodSet {
  int32_t count = 0;
  bool is_assigned = false;
  std::vector<AssignedResource> resources;
};

// A podset that has no place in the topology of its flavor.
struct PlacementShortage {
  uint32_t pod_set = 0;
  FlavorId flavor;
  bool is_valid = true;  // otherwise the topology does not support its slices
  // Slices, or pods: in the best domain of a required level, or in all domains. 0 of 0 if unknown.
  int32_t fitting = 0;
  int32_t needed = 0;
  int32_t slice_size = 1;
};

// Flavors for all podsets of a workload. Reused from cycle to cycle, so that steady cycles do not
// allocate.
struct Assignment {
  AssignmentMode mode = AssignmentMode::kNoFit;
  WaitReason no_fit_reason = WaitReason::kNone;
  std::optional<PlacementShortage> shortage;  // if quota is not all that it lacks
  bool is_placement_too_large = false;        // of a kTopologyPlacementFailed: see placement_size.h
  int32_t borrowing_height = 0;
  std::vector<AssignedPodSet> pod_sets;
  std::vector<ColumnAmount> usage;          // net of the usage of a replaced slice
  std::vector<PodSetPlacement> placements;  // of podsets with a topology
  std::vector<FlavorAttempt>
      attempts;  // attempts that did not simply fit; all of them when tracing

  void Clear(size_t pod_set_count);
};

// Adds to the entry of a column, or inserts one.
void AddTo(std::vector<ColumnAmount>& amounts, ColumnIndex column, Amount amount);
// 0 if the column has no entry.
Amount AmountIn(const std::vector<ColumnAmount>& amounts, ColumnIndex column);

}  // namespace berth::engine

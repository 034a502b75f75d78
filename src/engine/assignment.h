#pragma once

#include <cstdint>
#include <vector>

#include "engine/ids.h"
#include "engine/quota_forest.h"
#include "engine/spec.h"

namespace berth::engine {

// How well an assignment fits, worst first.
enum class AssignmentMode : uint8_t {
  kNoFit,
  kPreempt,
  kDeferredFit,  // fits once the victims of others are gone
  kFit,
};

// How well one resource fits in one flavor, worst first.
enum class FlavorMode : uint8_t {
  kNoFit,
  kNoCandidates,  // preemption would be allowed, but there is nobody to preempt
  kPreempt,       // needs a victim in the own queue
  kReclaim,       // all victims are elsewhere
  kFit,
};

// Why a workload was not given quota: the reasons of QuotaReserved=False, least severe first where
// several flavors fail in different ways.
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
  kAdmissionConstrained,  // there is a way, but its constraints forbid it (ForbiddenWay)
};

// One resource in one flavor that was tried, with the numbers. What an explanation is made of.
struct FlavorAttempt {
  uint32_t pod_set = 0;
  FlavorId flavor;
  ResourceId resource;  // none: the flavor does not suit the pods
  Mismatch mismatch = Mismatch::kUntoleratedTaint;
  FlavorMode mode = FlavorMode::kFit;
  WaitReason reason = WaitReason::kNone;
  int32_t borrowing_height = 0;
  Amount requested;  // by this podset group
  Amount assumed;    // by podsets before it, in the same flavor
  Amount available;
  Amount potential;
};

struct AssignedResource {
  ResourceId resource;
  FlavorId flavor;
  Column column = kNoColumn;
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

// Flavors for all podsets of a workload. Kept and reused from cycle to cycle, so that steady
// cycles allocate nothing.
struct Assignment {
  AssignmentMode mode = AssignmentMode::kNoFit;
  WaitReason no_fit_reason = WaitReason::kNone;
  int32_t borrowing_height = 0;
  std::vector<AssignedPodSet> pod_sets;
  std::vector<ColumnAmount> usage;      // net: without what a replaced slice holds
  std::vector<FlavorAttempt> attempts;  // those that did not simply fit; all of them when tracing

  void Clear(size_t pod_set_count);
};

// Adds to the entry of a column, or makes one.
void AddTo(std::vector<ColumnAmount>& amounts, Column column, Amount amount);
// 0 if there is none.
Amount AmountIn(const std::vector<ColumnAmount>& amounts, Column column);

}  // namespace berth::engine

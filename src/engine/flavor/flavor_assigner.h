#pragma once

// Flavor assignment: the flavors that a workload's podsets would get from its ClusterQueue now.
//
// Podsets are assigned in order, those of one group together, and each sees the usage of earlier
// ones. For each resource group of the queue, flavors are tried in the queue's order. A flavor that
// does not match the pods is skipped. In the others, each resource is
//
//   kFit           its quota is available now
//   kReclaim, kPreempt, kNoCandidates
//                  it is not, but the queue may preempt: simulated for this resource alone
//   kNoFit         otherwise, or if it exceeds all that the queue can ever have
//
// and a flavor is as good as its worst resource, by the queue's preference. The search stops at the
// first flavor that is good enough for the queue's flavorFungibility; otherwise it takes the best
// one tried. The position is kept, and the next cycle resumes behind it (ScanProgress).
//
// Podsets fit if all their flavors are kFit. With PreemptionOverBorrowing that includes a resource
// that needs a preemption target, if another one must borrow and is therefore worse. As in Kueue,
// nothing is preempted then: the workload is retried until there is room.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/flavor/assignment.h"
#include "engine/preemption/targets.h"
#include "engine/state.h"

namespace berth::engine {

struct AssignmentInput {
  const Workload* workload = nullptr;
  // Pods of each podset; empty: the counts of the shape.
  std::span<const int32_t> counts;
  // Where the search resumes; null: from the first flavor.
  const ScanProgress* progress = nullptr;
  // Restricts the search to the flavors of this assignment; null: all flavors.
  const Assignment* nominated = nullptr;
  // The reservation of the workload slice that this one replaces; null: none.
  const Reservation* replaced = nullptr;
  // Record every flavor tried, including those that fit.
  bool is_traced = false;
  // Search for preemption targets; otherwise there are none.
  bool may_preempt = true;
};

// The lowest level of the quota tree whose quota the request fits into.
struct BorrowingHeight {
  int32_t height = 0;          // quota lent beyond that level can be reclaimed
  bool is_below_root = false;  // so that quota lent beyond that level can be had back
};
BorrowingHeight FindBorrowingHeight(const QuotaForest& forest, NodeId queue, ColumnIndex column,
                                    Amount amount);

class FlavorAssigner {
 public:
  FlavorAssigner(State& state, TargetSearch& targets);

  void Assign(const AssignmentInput& input, Assignment& out);

 private:
  struct Grade {
    FlavorMode mode = FlavorMode::kFit;
    int32_t height = 0;
  };
  // A resource of the current podset group and its assignment.
  struct GroupRequest {
    ResourceId resource;
    int64_t amount = 0;
    bool has_flavor = false;
    AssignedResource assigned;
  };
  // A resource in the current flavor or in the best one so far.
  struct Trial {
    size_t request = 0;  // index in group_
    ColumnIndex column = kNoColumn;
    Grade grade;
  };

  void StartGroup(size_t first);
  void AddRequest(ResourceId resource, int64_t amount);
  bool AssignGroup();
  void AssignPodSet(uint32_t index);
  bool FindFlavor(size_t request);
  size_t FirstFlavorToTry(ResourceId resource) const;
  bool IsNominated(FlavorId flavor, ResourceId resource) const;
  const FlavorMismatch* FindMismatch(FlavorId flavor) const;
  Grade TryFlavor(const Queue::Group& group, size_t flavor);
  Grade TryResource(FlavorAttempt& attempt, ColumnIndex column, Amount amount);
  Grade TryPreemption(ColumnIndex column, Amount amount);
  void TakeBest(const Queue::Group& group, size_t flavor, size_t last_tried);
  bool IsPreferred(Grade a, Grade b) const;
  bool ShouldTryNext(Grade grade) const;
  void RecordNoFit(WaitReason reason);
  void Record(const FlavorAttempt& attempt);
  int64_t ScaledAmount(size_t pod_set, const Request& request) const;
  int32_t CountOf(size_t pod_set) const;
  bool CountsPods() const;
  int64_t ReplacedAmount(uint32_t pod_set, ResourceId resource) const;

  State& state_;
  TargetSearch& target_search_;
  ResourceId pods_;

  // Of the current call.
  const AssignmentInput* input_ = nullptr;
  ShapeView shape_;
  const Queue* queue_ = nullptr;
  Assignment* out_ = nullptr;

  // Of the current podset group.
  std::vector<uint32_t> pod_sets_;
  std::vector<GroupRequest> group_;
  std::vector<size_t> order_;  // of the flavor search, indices into group_
  bool fits_ = true;           // in all flavors chosen so far
  // The least severe reason among the flavors of the current resource group that did not fit, and
  // the most severe reason of all resource groups so far.
  WaitReason flavor_reason_ = WaitReason::kNone;
  WaitReason resource_group_reason_ = WaitReason::kNone;
  WaitReason no_fit_reason_ = WaitReason::kNone;
  std::vector<Trial> trial_, best_;
  std::vector<PreemptionTarget> found_targets_;
};

}  // namespace berth::engine

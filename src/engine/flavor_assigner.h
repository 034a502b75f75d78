#pragma once

// Which flavors a workload's podsets would get from its ClusterQueue now.
//
// Podsets are taken in order, those of one group together, and each sees what earlier ones took.
// For each resource group of the queue the flavors are tried in the queue's order. A flavor that
// does not suit the pods is passed over. In the others each resource is
//
//   kFit           its quota is available now
//   kReclaim, kPreempt, kNoCandidates
//                  it is not, but the queue may preempt for it: tried for this resource alone
//   kNoFit         else, or more than the queue could ever have
//
// and a flavor is as good as its worst resource, by the queue's preference. The search stops at the
// first flavor that is good enough for the queue's flavorFungibility; if none is, the best one
// tried is taken. Where it stopped is remembered, and the next cycle goes on behind it
// (ScanProgress).
//
// Podsets whose flavors all count as kFit fit. With PreemptionOverBorrowing that can be so although
// one resource needs a victim, if another has to be borrowed and so is worse. As in Kueue, nobody
// is preempted then: the workload is tried again until there is room.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/assignment.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

struct AssignmentInput {
  const Workload* workload = nullptr;
  // Pods of each podset; empty: all that the shape asks for.
  std::span<const int32_t> counts;
  // Where the search goes on; null: from the first flavor.
  const ScanProgress* progress = nullptr;
  // Only flavors that this assignment chose may be used; null: all.
  const Assignment* nominated = nullptr;
  // What the workload slice that this one replaces holds; null: it replaces none.
  const Reservation* replaced = nullptr;
  // Record every flavor that is tried, also those that fit.
  bool is_traced = false;
  // Look for victims; otherwise there are never any.
  bool may_preempt = true;
};

// The lowest level of the quota tree at which a request fits into the quota there.
struct BorrowingHeight {
  int32_t height = 0;          // 0: within the queue's own quota
  bool is_below_root = false;  // so that quota lent beyond that level can be had back
};
BorrowingHeight FindBorrowingHeight(const QuotaForest& forest, NodeId queue, Column column,
                                    Amount amount);

class FlavorAssigner {
 public:
  FlavorAssigner(State& state, VictimSearch& victims);

  void Assign(const AssignmentInput& input, Assignment& out);

 private:
  struct Grade {
    FlavorMode mode = FlavorMode::kFit;
    int32_t height = 0;
  };
  // A resource of the podset group at hand, and what it got.
  struct GroupRequest {
    ResourceId resource;
    int64_t amount = 0;
    bool has_flavor = false;
    AssignedResource assigned;
  };
  // A resource in the flavor that is being tried, or in the best one so far.
  struct Trial {
    size_t request = 0;  // in group_
    Column column = kNoColumn;
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
  Grade TryResource(FlavorAttempt& attempt, Column column, Amount amount);
  Grade TryPreemption(Column column, Amount amount);
  void TakeBest(const Queue::Group& group, size_t flavor, size_t last_tried);
  bool IsPreferred(Grade a, Grade b) const;
  bool ShouldTryNext(Grade grade) const;
  void NoteNoFit(WaitReason reason);
  void Record(const FlavorAttempt& attempt);
  int64_t ScaledAmount(size_t pod_set, const Request& request) const;
  int32_t CountOf(size_t pod_set) const;
  bool CountsPods() const;
  int64_t ReplacedAmount(uint32_t pod_set, ResourceId resource) const;

  State& state_;
  VictimSearch& victim_search_;
  ResourceId pods_;

  // Of the call at hand.
  const AssignmentInput* input_ = nullptr;
  ShapeView shape_;
  const Queue* queue_ = nullptr;
  Assignment* out_ = nullptr;

  // Of the podset group at hand.
  std::vector<uint32_t> pod_sets_;
  std::vector<GroupRequest> group_;
  std::vector<size_t> order_;  // in which they look for flavors
  bool fits_ = true;           // in all flavors chosen so far
  // Of the resource group at hand: the mildest reason of its flavors that did not fit; and of all
  // resource groups so far, the gravest.
  WaitReason flavor_reason_ = WaitReason::kNone;
  WaitReason resource_group_reason_ = WaitReason::kNone;
  WaitReason no_fit_reason_ = WaitReason::kNone;
  std::vector<Trial> trial_, best_;
  std::vector<Victim> found_victims_;
};

}  // namespace berth::engine

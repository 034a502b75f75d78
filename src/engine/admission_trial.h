#pragma once

// What-ifs about one pending workload. All that they change in the state is undone.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cycle.h"
#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

// How carefully a question is answered.
enum class Care : uint8_t {
  kGlance,  // as if nobody ever preempted: cheap, and nearly always the same answer
  kFull,    // as a cycle would
};

// Whether a workload would be admitted in the state at hand, which may be that of a what-if around
// this. Decided by the cycle's own nomination.
class AdmissionTrial {
 public:
  // `ahead`: those that are looked at before it, in order.
  AdmissionTrial(State& state, Cycle& cycle, WorkloadId workload, std::vector<WorkloadId> ahead);

  // As if it were the only head. Good until the next question.
  const Entry& Consider(bool may_shrink, Care care = Care::kFull) {
    return Consider(workload_, may_shrink, care);
  }
  // Of the last answer: whether it fits, once its victims are gone.
  bool has_room() const { return has_room_; }
  // Of the last answer, where it was not nominated: what its constraints forbid.
  std::vector<ForbiddenWay> FindForbiddenWays();
  bool AdmitsAlone(Care care = Care::kFull);

  // After those ahead got what they can get. In a StrictFIFO queue the first that gets nothing ends
  // it for all behind.
  struct AfterOthers {
    WorkloadId blocked_by;
    bool is_admitted = false;   // with all its pods
    bool is_nominated = false;  // that, or fewer pods, or by preemption
  };
  AfterOthers AskAfterOthers(WorkloadId without = WorkloadId::None(), Care care = Care::kFull);

  // Both now and after the others: it must not depend on the victims of those ahead.
  bool Admits(Care care = Care::kFull);
  // The same, or it would make room for all its pods by preemption.
  bool Nominates();

  // So much is looked at in all, in nodes and workloads; after that every answer is no. What
  // remains is a matter of seconds at most.
  static constexpr size_t kMostWork = 5'000'000;
  bool is_exhausted() const { return work_ > kMostWork; }

  State& state() { return state_; }
  WorkloadId workload() const { return workload_; }
  const std::vector<WorkloadId>& ahead() const { return ahead_; }

 private:
  const Entry& Consider(WorkloadId id, bool may_shrink, Care care);
  bool IsGated(WorkloadId id) const;
  bool TryToGiveQuota(WorkloadId id, Care care, std::vector<WorkloadId>& taken_out);

  State& state_;
  Cycle& cycle_;
  WorkloadId workload_;
  std::vector<WorkloadId> ahead_;
  Entry entry_;
  bool has_room_ = false;
  size_t glance_cost_ = 0;
  size_t full_cost_ = 0;
  size_t work_ = 0;
};

// How many workloads a queue may have to look at to find victims.
size_t CountCandidates(const State& state, NodeId queue);

// Reserved workloads gone, for as long as this lives.
class FinishTrial {
 public:
  explicit FinishTrial(State& state) : state_(state), usage_(state.forest) {}
  ~FinishTrial();
  FinishTrial(const FinishTrial&) = delete;
  FinishTrial& operator=(const FinishTrial&) = delete;

  void Finish(WorkloadId id);
  void BringBack(WorkloadId id);
  const std::vector<WorkloadId>& finished() const { return finished_; }

 private:
  State& state_;
  UsageTrial usage_;
  std::vector<WorkloadId> finished_;
};

// Another shape of a pending workload, for as long as this lives.
class ShapeTrial {
 public:
  ShapeTrial(State& state, WorkloadId workload, const Shape& shape);
  ~ShapeTrial();
  ShapeTrial(const ShapeTrial&) = delete;
  ShapeTrial& operator=(const ShapeTrial&) = delete;

 private:
  State& state_;
  WorkloadId workload_;
  ShapeId before_;
};

}  // namespace berth::engine

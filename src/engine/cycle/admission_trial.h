#pragma once

// What-if trials for one pending workload. All state changes are undone.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cycle/nominator.h"
#include "engine/ids.h"
#include "engine/state.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {

// The precision of a trial.
enum class TrialMode : uint8_t {
  kWithoutPreemption,  // cheap, and nearly always the same answer
  kFull,               // exactly like a cycle
};

// Decides whether a workload would be admitted in the current state, which may be inside another
// trial. Uses the cycle's nomination.
class AdmissionTrial {
 public:
  // `ahead`: the workloads considered before it, in order.
  AdmissionTrial(State& state, Nominator& nominator, WorkloadId workload,
                 std::vector<WorkloadId> ahead);

  // Nominates the workload as the only head. The entry is valid until the next call.
  const Entry& Consider(bool may_shrink, TrialMode mode = TrialMode::kFull) {
    return Consider(workload_, may_shrink, mode);
  }
  // Whether the entry of the last Consider fits once its preemption targets are gone.
  bool has_room() const { return has_room_; }
  // The options that constraints block for the entry of the last Consider; empty if it was
  // nominated.
  std::vector<BlockedOption> FindBlockedOptions();
  bool AdmitsAlone(TrialMode mode = TrialMode::kFull);

  // Evaluates the workload after the workloads ahead took the quota they can get. In a StrictFIFO
  // queue the first one that gets none blocks all behind it.
  struct AfterOthers {
    WorkloadId blocked_by;
    bool is_admitted = false;   // with all its pods
    bool is_nominated = false;  // admitted, with fewer pods, or by preemption
  };
  AfterOthers ConsiderAfterOthers(WorkloadId without = WorkloadId::None(),
                                  TrialMode mode = TrialMode::kFull);

  // Admitted both now and after the others, so that it does not depend on their preemption targets.
  bool Admits(TrialMode mode = TrialMode::kFull);
  // Like Admits, or all its pods would fit after preemption.
  bool Nominates();

  // The work limit in visited nodes and workloads; once exceeded, every answer but the first is no.
  // Bounds the remaining time to a few seconds.
  static constexpr size_t kMostWork = 5'000'000;
  bool is_exhausted() const { return work_ > kMostWork; }

  State& state() { return state_; }
  WorkloadId workload() const { return workload_; }
  const std::vector<WorkloadId>& ahead() const { return ahead_; }

 private:
  const Entry& Consider(WorkloadId id, bool may_shrink, TrialMode mode);
  bool IsGated(WorkloadId id) const;
  bool TryReserve(WorkloadId id, TrialMode mode, std::vector<WorkloadId>& taken_out);

  State& state_;
  Nominator& nominator_;
  WorkloadId workload_;
  std::vector<WorkloadId> ahead_;
  Entry entry_;
  bool has_room_ = false;
  size_t cost_without_preemption_ = 0;
  size_t full_cost_ = 0;
  size_t work_ = 0;
};

// The number of workloads that a search for preemption targets of the queue may visit.
size_t CountCandidates(const State& state, NodeId queue);

// Scoped removal of reserved workloads; restored on destruction.
class FinishTrial {
 public:
  explicit FinishTrial(State& state) : state_(state), usage_(state, UsageLayer::kLasting) {}
  ~FinishTrial();
  FinishTrial(const FinishTrial&) = delete;
  FinishTrial& operator=(const FinishTrial&) = delete;

  void Finish(WorkloadId id);
  void Restore(WorkloadId id);
  const std::vector<WorkloadId>& finished() const { return finished_; }

 private:
  State& state_;
  StateTrial usage_;
  std::vector<WorkloadId> finished_;
};

// Scoped replacement of a pending workload's shape; restored on destruction.
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

// Scoped replacement of the topology requests of a pending workload that has some.
class TopologyRequestTrial {
 public:
  TopologyRequestTrial(State& state, WorkloadId workload, WorkloadTopology topology);
  ~TopologyRequestTrial();
  TopologyRequestTrial(const TopologyRequestTrial&) = delete;
  TopologyRequestTrial& operator=(const TopologyRequestTrial&) = delete;

 private:
  State& state_;
  WorkloadId workload_;
  std::unique_ptr<const WorkloadExtras> before_;
};

}  // namespace berth::engine

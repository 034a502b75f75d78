#pragma once

// A random walk over a few queues: every step applies one chosen operation to the pending queues
// and to the naive model.

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/queue/pending.h"
#include "engine/testing/naive_pending.h"

namespace berth::engine::testing {

class PendingWalk {
 public:
  // Returns a number below the bound. Precondition: the bound is positive.
  using Choose = std::function<uint64_t(uint64_t bound)>;

  explicit PendingWalk(Choose choose) : choose_(std::move(choose)), real_(state_), naive_(state_) {
    state_.options.scheduling_equivalence_hashing = Pick(4) != 0;
    state_.options.admission_fair_sharing = Pick(4) != 0;
    state_.local_queue_usage.resize(kLocalQueues - 1);  // the last one has no known usage
    state_.queues.resize(kQueues);
    for (uint32_t i = 0; i < kQueues; ++i) ChangeQueue(NodeId(i));
    state_.workloads.resize(kWorkloads);
    for (uint32_t i = 0; i < kWorkloads; ++i) state_.workloads[i].uid = std::to_string(i * 7 % 100);
  }

  void Step() {
    switch (Pick(16)) {
      case 0:
        return ChangeQueue(AnyQueue());
      case 1:
        return ChangeUsage();
      case 2:
        return MarkPreemptor(AnyQueue());
      case 3:
        return Both([q = AnyQueue()](auto& p) { p.RequeueInadmissible(q); });
      case 4:
        return Both([id = AnyWorkload()](auto& p) { p.Release(id); });
      case 5:
        return Advance();
      case 6:
        return Both([id = AnyWorkload()](auto& p) { p.Remove(id); });
      case 7:
        return KeepOut(AnyWorkload());
      case 8:
        return MarkInadmissible(AnyWorkload());
      case 9:
        return MarkShapeInadmissible(AnyWorkload());
      case 10:
        return MarkShapeInadmissible(real_.Head(AnyQueue()));
      default:
        return Renew(AnyWorkload());
    }
  }

  // The first difference between the two; empty if they agree.
  std::string Difference() const {
    for (uint32_t i = 0; i < kWorkloads; ++i) {
      const WorkloadId id(i);
      if (real_.Contains(id) != naive_.Contains(id)) return "Contains of " + std::to_string(i);
      if (real_.IsActive(id) != naive_.IsActive(id)) return "IsActive of " + std::to_string(i);
    }
    for (uint32_t i = 0; i < kQueues; ++i)
      if (const std::string found = Difference(NodeId(i)); !found.empty())
        return found + " of queue " + std::to_string(i);
    return "";
  }

 private:
  static constexpr uint32_t kQueues = 4;
  static constexpr uint32_t kLocalQueues = 4;
  static constexpr uint32_t kWorkloads = 40;
  static constexpr uint32_t kKeys = 4;

  uint32_t Pick(uint32_t bound) { return static_cast<uint32_t>(choose_(bound)); }
  NodeId AnyQueue() { return NodeId(Pick(kQueues)); }
  WorkloadId AnyWorkload() { return WorkloadId(Pick(kWorkloads)); }

  template <class Operation>
  void Both(Operation operation) {
    operation(real_);
    operation(naive_);
  }

  void ChangeQueue(NodeId queue) {
    ClusterQueueSpec& spec = state_.queue(queue).spec;
    spec.strategy =
        Pick(4) == 0 ? QueueingStrategy::kStrictFIFO : QueueingStrategy::kBestEffortFIFO;
    spec.orders_by_usage = Pick(2) == 0;
    Both([&](auto& p) { p.QueueChanged(queue); });
  }
  void ChangeUsage() {
    constexpr double kUsages[] = {0, 0.5, 2, std::numeric_limits<double>::infinity()};
    state_.local_queue_usage[Pick(kLocalQueues - 1)] = kUsages[Pick(4)];
  }
  void MarkPreemptor(NodeId queue) {
    state_.queue(queue).preemptor = AnyWorkload();
    state_.queue(queue).is_preemptor_sticky = Pick(4) != 0;
  }
  void Advance() {
    now_.micros += Pick(4);
    Both([&](auto& p) { p.AdvanceTo(now_); });
  }
  void KeepOut(WorkloadId id) {
    if (!real_.Contains(id)) Fill(id);
    if (Pick(2) == 0) return Both([&](auto& p) { p.Hold(id); });
    const base::Time until{now_.micros + Pick(8)};
    Both([&](auto& p) { p.BackOff(id, until); });
  }
  void MarkInadmissible(WorkloadId id) {
    if (real_.IsActive(id)) Both([&](auto& p) { p.MarkInadmissible(id); });
  }
  void MarkShapeInadmissible(WorkloadId id) {
    if (real_.IsActive(id)) Both([&](auto& p) { p.MarkShapeInadmissible(id); });
  }
  // Replaces the workload with one of the same uid, or with new values.
  void Renew(WorkloadId id) {
    Both([&](auto& p) { p.Remove(id); });
    Fill(id);
    Both([&](auto& p) { p.Add(id); });
  }
  void Fill(WorkloadId id) {
    Workload& workload = state_.workload(id);
    workload.cluster_queue = AnyQueue();
    workload.local_queue = LocalQueueId(Pick(kLocalQueues));
    workload.priority = Pick(3);
    workload.queue_order_time = {.micros = Pick(3)};
    if (!workload.shape.is_none()) state_.shapes.Release(workload.shape);
    workload.shape = state_.shapes.Acquire(
        {.pod_sets = {}, .priority = workload.priority, .key = {.high = 0, .low = Pick(kKeys)}});
  }

  std::string Difference(NodeId queue) const {
    if (real_.Head(queue) != naive_.Head(queue)) return "Head";
    if (real_.Active(queue) != naive_.Active(queue)) return "Active";
    if (real_.Inadmissible(queue) != naive_.Inadmissible(queue)) return "Inadmissible";
    if (real_.ActiveCount(queue) != naive_.Active(queue).size()) return "ActiveCount";
    if (real_.InadmissibleCount(queue) != naive_.Inadmissible(queue).size())
      return "InadmissibleCount";
    return "";
  }

  Choose choose_;
  State state_;
  PendingQueues real_;
  NaivePending naive_;
  base::Time now_;
};

}  // namespace berth::engine::testing

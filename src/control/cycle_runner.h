#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "control/deadline_timer.h"
#include "control/report/controller_event.h"
#include "control/report/equivalence_reasons.h"
#include "control/report/pending_reason_debouncer.h"
#include "control/report/rejected_admissions.h"
#include "control/report/uncounted_requests.h"
#include "control/scheduler.h"
#include "control/workload_reconciler.h"
#include "control/write/workload_writer.h"
#include "store/executor.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// Runs scheduling cycles and writes their decisions. Pending reasons are debounced.
class CycleRunner {
 public:
  struct Hooks {
    std::function<void()> schedule_reconcile;
    std::function<void(const ControllerEvent&)> observe;
    std::function<void(std::string_view workload)> on_decision;
    RecordCycle on_cycle;
  };
  struct Inputs {
    workload::ClusterState& cluster;
    WorkloadWriter& writer;
    UncountedRequests& uncounted_requests;
    RejectedAdmissions& rejected_admissions;
    // waitForPodsReady.blockAdmission: one workload at a time until its pods are ready.
    bool blocks_admission = false;
  };

  // All references must outlive this.
  CycleRunner(store::Executor& executor, const Inputs& inputs, Hooks hooks);

  // Runs cycles until one decides nothing new. Then Workloads that were not considered get a
  // pending reason: the `reconciled` ones now, others once a second at most. The cluster state must
  // be in sync.
  void Run(const std::vector<ReconciledWorkload>& reconciled, base::Time now);
  // Writes the deferred pending reasons that are due, as far as there is capacity.
  void FlushPendingReasons(base::Time now);
  void OnDelete(std::string_view workload);
  // The admission of a Workload was rejected and is reverted: the next attempt waits.
  void OnRejected(std::string_view workload, const store::Failure& failure);

  // A decision for this Workload, which holds quota or preempts, was rejected and is reverted: the
  // next one waits.
  void OnDecisionRejected(std::string_view workload, const store::Failure& failure);

  // No pending reason is deferred, and no workload is about to be requeued because of a node.
  bool is_idle() const;

 private:
  void RunCycles(const std::vector<ReconciledWorkload>& reconciled, base::Time now);
  // The engine learns Workloads with quota afresh, without their back-off.
  void HoldBackRejected(base::Time now);
  // Whether another cycle may decide more.
  bool RunOne(bool& is_blocked, base::Time now);
  void Observe(CycleCompleted& event, base::Time started);
  void Apply(WorkloadChange change, base::Time now);
  void Report(const FailedSecondPass& failed);
  void NoteReconciled(const std::vector<ReconciledWorkload>& reconciled);
  // Reports the reason of a Workload that was not considered, if there is one.
  void Explain(const std::string& name, bool is_blocked, base::Time now);
  // Explains the Workloads that were reconciled earlier: those without a reason, and those of
  // classes that have another one now.
  void Sweep(bool is_blocked, base::Time now);
  std::set<std::string> WorkloadsToSweep();
  // The number of pending reasons that may be written now.
  size_t WriteCapacity() const;

  store::Executor& executor_;
  Inputs inputs_;
  Hooks hooks_;
  EquivalenceReasons equivalence_reasons_;
  std::set<std::string, std::less<>> newly_eligible_;  // see ReconciledWorkload
  std::set<std::string, std::less<>> unexplained_;     // see IsUnexplained
  bool must_sweep_ = false;                            // reasons may have become known
  std::set<engine::NodeId> changed_queues_;            // with classes that have another reason
  base::Time next_sweep_;
  PendingReasonDebouncer deferred_reasons_;
  RejectedAdmissions rejected_decisions_;  // by the Workload that they were made for
  DeadlineTimer timer_;            // for deferred_reasons_, rounds of nodes and second passes
  DeadlineTimer rejection_timer_;  // for rejected admissions
  DeadlineTimer sweep_timer_;
};

}  // namespace berth::control

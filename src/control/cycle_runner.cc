#include "control/cycle_runner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/behind_head.h"
#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

// Cycles per reconcile, so that other work gets its share of the executor.
constexpr int kMaxCycles = 100;
// Pending reasons in flight; more of them would delay decisions. An idle API server answers sooner
// than the next ones are due.
constexpr size_t kMaxPendingReasonWrites = 4;
constexpr base::Duration kSweepInterval = base::Duration::Seconds(1);
// A sweep may take this part of the time.
constexpr int64_t kSweepShare = 20;

}  // namespace

CycleRunner::CycleRunner(store::Executor& executor, const Inputs& inputs, Hooks hooks)
    : executor_(executor),
      inputs_(inputs),
      hooks_(std::move(hooks)),
      timer_(executor, [this] { hooks_.schedule_reconcile(); }),
      rejection_timer_(executor, [this] { hooks_.schedule_reconcile(); }),
      sweep_timer_(executor, [this] { hooks_.schedule_reconcile(); }) {}

void CycleRunner::Run(const std::vector<ReconciledWorkload>& reconciled, base::Time now) {
  RunCycles(reconciled, now);
  if (const auto next = inputs_.cluster.next_round()) timer_.SetFor(*next, now);
  if (const auto next = inputs_.cluster.engine().NextSecondPass(now)) timer_.SetFor(*next, now);
}

bool CycleRunner::is_idle() const {
  return deferred_reasons_.empty() && !sweep_timer_.is_set() &&
         !inputs_.cluster.has_waiting_nodes();
}

void CycleRunner::RunCycles(const std::vector<ReconciledWorkload>& reconciled, base::Time now) {
  NoteReconciled(reconciled);
  HoldBackRejected(now);
  if (const auto next = inputs_.rejected_admissions.NextAttempt(now))
    rejection_timer_.SetFor(*next, now);
  bool is_blocked = inputs_.blocks_admission && IsAdmissionBlocked(inputs_.cluster);
  for (int i = 0; i < kMaxCycles; ++i) {
    if (RunOne(is_blocked, now)) continue;
    for (const ReconciledWorkload& workload : reconciled) Explain(workload.name, is_blocked, now);
    return Sweep(is_blocked, now);
  }
  must_sweep_ = true;
  hooks_.schedule_reconcile();
}

void CycleRunner::NoteReconciled(const std::vector<ReconciledWorkload>& reconciled) {
  for (const ReconciledWorkload& workload : reconciled) {
    const std::string& name = workload.name;
    if (workload.is_newly_eligible) newly_eligible_.insert(name);
    const api::Workload* w = inputs_.cluster.FindWorkload(name);
    if (w != nullptr && IsUnexplained(*w, inputs_.cluster))
      unexplained_.insert(name);
    else
      unexplained_.erase(name);
  }
}

void CycleRunner::HoldBackRejected(base::Time now) {
  engine::Engine& engine = inputs_.cluster.engine();
  for (const auto& [name, until] : rejected_decisions_.Waiting(now)) {
    const api::Workload* w = inputs_.cluster.FindWorkload(name);
    const engine::WorkloadId id =
        w == nullptr ? engine::WorkloadId::None() : engine.FindWorkload(w->metadata.uid);
    if (!id.is_none() && engine.IsReserved(id)) engine.DelaySecondPass(id, until);
    rejection_timer_.SetFor(until, now);
  }
}

bool CycleRunner::RunOne(bool& is_blocked, base::Time now) {
  const base::Time started = executor_.Now();
  CycleResult result = RunCycle(inputs_.cluster, now);
  hooks_.on_cycle(result, now);
  if (inputs_.blocks_admission) is_blocked = BlockReservations(result, is_blocked, inputs_.cluster);
  Observe(result.event, started);
  for (WorkloadChange& change : result.changes) {
    if (equivalence_reasons_.OnUpsert(change, inputs_.cluster))
      changed_queues_.insert(inputs_.cluster.engine().ClusterQueueOf(change.id));
    must_sweep_ |= change.is_inadmissible;
    if (change.kind == WorkloadChange::Kind::kReserve)
      inputs_.uncounted_requests.Record(inputs_.cluster.WorkloadOf(change.id));
    Apply(std::move(change), now);
  }
  for (const FailedSecondPass& failed : result.failed_second_passes) Report(failed);
  return result.made_progress;
}

void CycleRunner::Observe(CycleCompleted& event, base::Time started) {
  if (event.heads == 0) return;
  event.took = std::max(executor_.Now() - started, base::Duration());
  hooks_.observe(event);
}

void CycleRunner::Apply(WorkloadChange change, base::Time now) {
  hooks_.on_decision(change.workload);
  for (const WorkloadChange& next : change.follow_ups) hooks_.on_decision(next.workload);
  const api::Workload* w = inputs_.cluster.FindWorkload(change.workload);
  const api::Condition* quota =
      w == nullptr ? nullptr
                   : api::FindCondition(w->status.conditions, api::condition::kQuotaReserved);
  if (!MayDefer(change, quota, WriteCapacity() > 0)) {
    deferred_reasons_.Drop(change.workload);
    return inputs_.writer.Write(std::move(change));
  }
  deferred_reasons_.Hold(std::move(change),
                         ReportedReason(quota, w == nullptr ? 0 : w->metadata.generation), now);
}

void CycleRunner::Report(const FailedSecondPass& failed) {
  if (const api::Workload* w = inputs_.cluster.FindWorkload(failed.workload))
    inputs_.writer.RecordDecision(*w, {.about = lifecycle::EventRecord::About::kWorkload,
                                       .is_warning = true,
                                       .reason = "SecondPassFailed",
                                       .message = failed.message});
}

void CycleRunner::Explain(const std::string& name, bool is_blocked, base::Time now) {
  const api::Workload* w = inputs_.cluster.FindWorkload(name);
  // A decision about the Workload itself takes precedence.
  if (w == nullptr || inputs_.writer.IsBusy(name) || deferred_reasons_.Holds(name)) return;
  std::optional<WorkloadChange> change =
      equivalence_reasons_.For(*w, inputs_.cluster, newly_eligible_.contains(name));
  if (!change) change = BehindHead(*w, inputs_.cluster, is_blocked);
  if (!change) return;
  newly_eligible_.erase(name);
  const bool is_first =
      api::FindCondition(w->status.conditions, api::condition::kQuotaReserved) == nullptr;
  // First reasons are as many as there are Workloads, and wait for those of the heads.
  if (is_first || WriteCapacity() == 0)
    deferred_reasons_.Hold(std::move(*change), "", now);
  else
    inputs_.writer.Write(std::move(*change));
}

std::set<std::string> CycleRunner::WorkloadsToSweep() {
  std::set<std::string> names(unexplained_.begin(), unexplained_.end());
  for (const engine::NodeId queue : std::exchange(changed_queues_, {}))
    for (const engine::WorkloadId id : inputs_.cluster.engine().InadmissibleIn(queue))
      names.insert(workload::NamespacedName(inputs_.cluster.WorkloadOf(id).metadata));
  return names;
}

void CycleRunner::Sweep(bool is_blocked, base::Time now) {
  if (!must_sweep_) return;
  if (now < next_sweep_) {
    if (!unexplained_.empty() || !changed_queues_.empty()) sweep_timer_.SetFor(next_sweep_, now);
    return;
  }
  must_sweep_ = false;
  const base::Time started = executor_.Now();
  for (const std::string& name : WorkloadsToSweep()) Explain(name, is_blocked, now);
  equivalence_reasons_.Prune(inputs_.cluster);
  const base::Duration took = executor_.Now() - started;
  next_sweep_ = now + std::max(kSweepInterval, base::Duration{took.nanos * kSweepShare});
}

size_t CycleRunner::WriteCapacity() const {
  return kMaxPendingReasonWrites -
         std::min(kMaxPendingReasonWrites, inputs_.writer.pending_reasons_in_flight());
}

void CycleRunner::FlushPendingReasons(base::Time now) {
  const engine::Engine& engine = inputs_.cluster.engine();
  for (WorkloadChange& reason : deferred_reasons_.TakeDue(now, WriteCapacity())) {
    const api::Workload* w = inputs_.cluster.FindWorkload(reason.workload);
    // The Workload may have left the engine and come back under another id; its reason still holds.
    reason.id = w == nullptr ? engine::WorkloadId::None() : engine.FindWorkload(w->metadata.uid);
    if (!reason.id.is_none() && !engine.IsReserved(reason.id))
      inputs_.writer.Write(std::move(reason));
  }
  // Without capacity, the answer to a write schedules the next reconcile.
  if (const auto next = deferred_reasons_.next(); next && WriteCapacity() > 0)
    timer_.SetFor(*next, now);
}

void CycleRunner::OnRejected(std::string_view workload, const store::Failure& failure) {
  const api::Workload* w = inputs_.cluster.FindWorkload(workload);
  if (w == nullptr) return;
  const std::string why = lifecycle::messages::AdmissionRejected(store::ToString(failure));
  const base::Time next = inputs_.rejected_admissions.Add(workload, why, executor_.Now());
  const engine::Engine& engine = inputs_.cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(w->metadata.uid);
  if (!id.is_none() && !engine.IsReserved(id)) inputs_.cluster.BackOff(id, next);
  inputs_.writer.Record(*w, {.about = lifecycle::EventRecord::About::kWorkload,
                             .is_warning = true,
                             .reason = std::string(api::reason::kMisconfigured),
                             .message = why});
}

void CycleRunner::OnDecisionRejected(std::string_view workload, const store::Failure& failure) {
  const base::Time next =
      rejected_decisions_.Add(workload, store::ToString(failure), executor_.Now());
  const api::Workload* w = inputs_.cluster.FindWorkload(workload);
  if (w == nullptr) return;  // held back when the engine has learned it again
  engine::Engine& engine = inputs_.cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(w->metadata.uid);
  if (!id.is_none() && !engine.IsReserved(id)) engine.BackOff(id, next);
}

void CycleRunner::OnDelete(std::string_view workload) {
  rejected_decisions_.Remove(workload);
  if (const auto found = unexplained_.find(workload); found != unexplained_.end())
    unexplained_.erase(found);
  if (const auto found = newly_eligible_.find(workload); found != newly_eligible_.end())
    newly_eligible_.erase(found);
}

}  // namespace berth::control

// The life of a job in the virtual world.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "engine/state.h"
#include "lifecycle/transitions.h"
#include "simulate/world/world.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::simulate {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;

// Random draws of a job. Each purpose has its own generator.
enum Purpose : uint64_t { kForRunTime, kForReadiness };

// Jobs without a uid get one that sorts by their number.
std::string UidOf(const JobKind& kind, uint32_t job) {
  if (!kind.workload.metadata.uid.empty()) return kind.workload.metadata.uid;
  char text[16];
  std::snprintf(text, sizeof text, "job-%010u", job);
  return text;
}

base::Time AdmittedAt(const api::Workload& workload, base::Time reserved_at) {
  const api::Condition* admitted =
      api::FindCondition(workload.status.conditions, condition::kAdmitted);
  if (admitted == nullptr || admitted->status != api::kConditionTrue) return reserved_at;
  return admitted->last_transition_time.value_or(reserved_at);
}

}  // namespace

// --- Pending ------------------------------------------------------------------------------------

void World::Arrive(uint32_t job) {
  const base::Time at = std::max(input_.jobs[job].arrival, input_.start);
  Emit(at, EventKind::kArrived, job);
  clock_.RecordEvent(at);
  result_.jobs[job].state = JobState::kUnqueued;
  LoadHistory(job);
  if (input_.jobs[job].held_since && AddReserved(job)) return;
  Enqueue(job, clock_.now());
}

// Dumps may contain Workloads that have run before.
void World::LoadHistory(uint32_t job) {
  const api::WorkloadStatus& status = input_.kinds[input_.jobs[job].kind].workload.status;
  if (status.requeue_state) records_[job].requeues = status.requeue_state->count.value_or(0);
  records_[job].past_seconds = status.accumulated_past_execution_time_seconds.value_or(0);
}

engine::PendingSpec World::SpecFor(uint32_t job, const engine::PendingSpec& kind) const {
  engine::PendingSpec spec = kind;
  const Job& given = input_.jobs[job];
  spec.uid = UidOf(input_.kinds[given.kind], job);
  if (result_.jobs[job].starts == 0) {
    if (spec.queue_order_time == base::kZeroTime) spec.queue_order_time = given.arrival;
    return spec;
  }
  const JobRecord& record = records_[job];
  spec.not_before.reset();
  if (record.requeue_at > base::kZeroTime) spec.not_before = record.requeue_at;
  spec.is_held = false;
  spec.queue_order_time = std::max(record.queue_order_time, given.arrival);
  return spec;
}

void World::ScheduleBackOff(const engine::PendingSpec& spec, uint32_t job, base::Time at) {
  if (spec.not_before && *spec.not_before > at)
    agenda_.Add({.at = *spec.not_before, .kind = TimerKind::kBackOffOver, .job = job});
}

void World::Enqueue(uint32_t job, base::Time at) {
  const KindState& kind = kinds_[input_.jobs[job].kind];
  if (!kind.spec || kind.is_drained()) return;
  engine::PendingSpec spec = SpecFor(job, *kind.spec);
  ScheduleBackOff(spec, job, at);
  JobRecord& record = records_[job];
  record.id = engine().AddPending(std::move(spec), at);
  Register(record.id, job);
  CountPending(job, 1, at);
  result_.jobs[job].state = JobState::kPending;
  const engine::NodeId queue = engine().ClusterQueueOf(record.id);
  result_.jobs[job].queue = queue.value();
  needs_cycle_ = needs_cycle_ || engine().CountPending(queue).active > 0;
}

void World::Register(engine::WorkloadId id, uint32_t job) {
  if (engine_records_.size() <= id.index()) engine_records_.resize(id.index() + 1);
  engine_records_[id.index()].job = job;
}

void World::CountPending(uint32_t job, int change, base::Time at) {
  const engine::NodeId queue = engine().ClusterQueueOf(records_[job].id);
  pending_counts_.Add(queue, change);
  meters_.pending.Count(input_.jobs[job].kind, queue, change, at);
}

void World::RemoveFromEngine(uint32_t job) {
  engine().Remove(records_[job].id);
  records_[job].id = engine::WorkloadId::None();
}

// --- Running ------------------------------------------------------------------------------------

// Adds a job that holds quota when the simulation begins. False if its ClusterQueue is missing.
bool World::AddReserved(uint32_t job) {
  const JobKind& kind = input_.kinds[input_.jobs[job].kind];
  std::optional<engine::ReservedSpec> spec = cluster_.DescribeReserved(kind.workload);
  if (!spec) return false;
  spec->uid = UidOf(kind, job);
  const engine::NodeId queue = spec->cluster_queue;
  const bool is_stopping = spec->is_evicted;
  records_[job].id = engine().AddReserved(*std::move(spec));
  Register(records_[job].id, job);
  JobOutcome& outcome = result_.jobs[job];
  outcome.held_at_start = true;
  outcome.queue = queue.value();
  outcome.first_start = std::max(*input_.jobs[job].held_since, outcome.arrival);
  MarkRunning(job, AdmittedAt(kind.workload, *input_.jobs[job].held_since));
  ++outcome.starts;
  AddUsage(job, input_.start);
  if (is_stopping) {
    ResumeStopping(job);
    return true;
  }
  if (IsDelayed(job))
    AwaitPlace(job);
  else
    ScheduleEnd(job, clock_.now() + RemainingOf(job));
  const std::string_view drain_reason = kinds_[input_.jobs[job].kind].drain_reason;
  if (!drain_reason.empty()) Evict(job, EventKind::kEvicted, kNoIndex, drain_reason, clock_.now());
  needs_cycle_ =
      needs_cycle_ || engine().SecondPassOf(records_[job].id) != engine::SecondPass::kNone;
  return true;
}

// Of a job that holds quota when the simulation begins, whose pods have no place yet.
void World::AwaitPlace(uint32_t job) {
  records_[job].awaits_place = true;
  result_.jobs[job].starts = 0;
  result_.jobs[job].first_start = kNever;
  PlaceAgain(job, engine::SecondPass::kDelayedTopology, {});
}

// Of a job that was evicted before the simulation begins and holds quota until it has stopped.
void World::ResumeStopping(uint32_t job) {
  const api::Workload& workload = input_.kinds[input_.jobs[job].kind].workload;
  JobRecord& record = records_[job];
  record.is_stopping = true;
  record.queue_order_time = workload::QueueOrderTime(workload, cluster_.rules());
  if (workload.status.requeue_state)
    record.requeue_at = workload.status.requeue_state->requeue_at.value_or(base::kZeroTime);
  ScheduleStop(job, clock_.now());
}

void World::MarkRunning(uint32_t job, base::Time admitted_at) {
  JobRecord& record = records_[job];
  result_.jobs[job].state = JobState::kRunning;
  ++record.epoch;
  record.admitted_at = admitted_at;
  record.requeue_at = base::kZeroTime;
}

void World::AddUsage(uint32_t job, base::Time at) {
  const engine::WorkloadId id = records_[job].id;
  const engine::State& state = engine().state();
  std::vector<engine::FlavorResourceUsage>& usage = engine_records_[id.index()].usage;
  usage.assign(state.workload(id).reservation->usage.begin(),
               state.workload(id).reservation->usage.end());
  for (const engine::FlavorResourceUsage& u : usage)
    meters_.usage.Add(state.workload(id).cluster_queue, u.flavor_resource, u.amount, at);
  meters_.topology.Place(job, id, state, at);
}

void World::Admit(uint32_t job, CycleOutcome& cycle) {
  CountPending(job, -1, clock_.now());
  MarkRunning(job, clock_.now());
  AddUsage(job, clock_.now());
  if (!IsDelayed(job)) return Start(job, clock_.now());
  records_[job].awaits_place = true;
  cycle.delayed.push_back(job);
}

void World::Start(uint32_t job, base::Time at) {
  JobOutcome& outcome = result_.jobs[job];
  if (outcome.first_start == kNever) outcome.first_start = at;
  ++outcome.starts;
  records_[job].awaits_place = false;
  records_[job].admitted_at = at;
  clock_.RecordEvent(at);
  Emit(at, EventKind::kStarted, job);
  const base::Time ready_at = at + ReadyAfter(job);
  const auto deadline = lifecycle::DeadlineOfPods(policy_, at, std::nullopt);
  if (deadline && ready_at > deadline->at) {
    Schedule(TimerKind::kPodsReadyTimeout, job, deadline->at);
    if (const auto limit = ExecutionEnd(job))
      Schedule(TimerKind::kExecutionLimit, job, std::max(*limit, at));
  } else {
    ScheduleEnd(job, ready_at + RunTimeOf(job));
  }
}

void World::Schedule(TimerKind kind, uint32_t job, base::Time at) {
  agenda_.Add({.at = at, .kind = kind, .job = job, .epoch = records_[job].epoch});
}

void World::ScheduleStop(uint32_t job, base::Time evicted_at) {
  Schedule(TimerKind::kStop, job, evicted_at + options_.stop_time);
}

void World::ScheduleEnd(uint32_t job, base::Time at) {
  if (!options_.jobs_end) return;
  const std::optional<base::Time> limit = ExecutionEnd(job);
  if (limit && *limit < at)
    return Schedule(TimerKind::kExecutionLimit, job, std::max(*limit, clock_.now()));
  Schedule(TimerKind::kFinish, job, at);
}

std::optional<base::Time> World::ExecutionEnd(uint32_t job) const {
  const auto& limit =
      input_.kinds[input_.jobs[job].kind].workload.spec.maximum_execution_time_seconds;
  if (!limit || !options_.jobs_end) return std::nullopt;
  return lifecycle::EndOfExecution(*limit, records_[job].past_seconds, records_[job].admitted_at);
}

base::Duration World::RunTimeOf(uint32_t job) const {
  base::Random random = RandomFor(options_.seed, job, kForRunTime);
  base::Duration length = input_.jobs[job].run_time;
  if (length == Job::kUnknown) {
    length = options_.run_time.Draw(random);
  } else if (options_.run_time_spread > 0) {
    length.nanos = static_cast<int64_t>(static_cast<double>(length.nanos) *
                                        DrawFactor(options_.run_time_spread, random));
  }
  return length;
}

// The rest of the run time of a job that holds quota when the simulation begins.
base::Duration World::RemainingOf(uint32_t job) const {
  const Job& given = input_.jobs[job];
  const base::Duration so_far = std::max(input_.start - *given.held_since, base::Duration{});
  base::Duration length = RunTimeOf(job);
  if (given.run_time == Job::kUnknown && length <= so_far) {
    base::Random random = RandomFor(options_.seed, job, kForRunTime);
    length = options_.run_time.DrawBeyond(so_far, random);
  }
  return std::max(base::Duration{length.nanos - so_far.nanos}, base::Duration{});
}

base::Duration World::ReadyAfter(uint32_t job) const {
  base::Random random =
      RandomFor(options_.seed, job, kForReadiness + uint64_t{8} * result_.jobs[job].starts);
  return options_.ready_after.Draw(random);
}

// --- Eviction and end ---------------------------------------------------------------------------

void World::Evict(uint32_t job, EventKind kind, uint32_t by, std::string_view reason,
                  base::Time at) {
  JobRecord& record = records_[job];
  if (kind == EventKind::kEvicted) {
    ++result_.jobs[job].other_evictions;
    if (!engine().state().workload(record.id).reservation->is_evicted)
      engine().MarkEvicted(record.id);
  }
  record.is_stopping = true;
  record.awaits_place = false;
  record.queue_order_time =
      workload::QueueOrderTimeAfter(reason, at, cluster_.rules()).value_or(base::kZeroTime);
  ++record.epoch;
  Emit(at, kind, job, by, reason);
  ScheduleStop(job, at);
}

void World::TimeOutPods(uint32_t job, base::Time at) {
  JobRecord& record = records_[job];
  const std::optional<workload::Requeue> next =
      lifecycle::RequeueAfterTimeout(*policy_.pods_ready, record.requeues, std::nullopt,
                                     UidOf(input_.kinds[input_.jobs[job].kind], job), at);
  if (!next) return EvictForGood(job, reason::kRequeuingLimitExceeded, at);
  record.requeues = next->count;
  record.requeue_at = next->at;
  Evict(job, EventKind::kEvicted, kNoIndex, reason::kPodsReadyTimeout, at);
}

void World::EvictForGood(uint32_t job, std::string_view cause, base::Time at) {
  records_[job].is_deactivated = true;
  Evict(job, EventKind::kEvicted, kNoIndex, workload::EvictedReason(reason::kDeactivated, cause),
        at);
}

void World::Stop(uint32_t job, base::Time at) {
  JobRecord& record = records_[job];
  const KindState& kind = kinds_[input_.jobs[job].kind];
  // Execution time counts until the job has stopped. A back-off defers the check.
  std::optional<base::Time> limit = ExecutionEnd(job);
  if (limit) limit = std::max(*limit, record.requeue_at);
  record.past_seconds = workload::ExecutionSeconds(record.past_seconds, record.admitted_at, at);
  record.is_stopping = false;
  ReleaseUsage(job, at);
  clock_.RecordEvent(at);
  if (record.is_deactivated || (limit && *limit <= at)) return Deactivate(job, at);
  if (!kind.spec || kind.is_drained()) {
    RemoveFromEngine(job);
    result_.jobs[job].state = JobState::kUnqueued;
    return;
  }
  engine::PendingSpec spec = SpecFor(job, *kind.spec);
  ScheduleBackOff(spec, job, at);
  engine().Release(record.id, std::move(spec), at);
  result_.jobs[job].state = JobState::kPending;
  result_.jobs[job].queue = engine().ClusterQueueOf(record.id).value();
  CountPending(job, 1, at);
  needs_cycle_ = true;
}

void World::ReleaseUsage(uint32_t job, base::Time at) {
  const engine::WorkloadId id = records_[job].id;
  const engine::NodeId queue = engine().ClusterQueueOf(id);
  std::vector<engine::FlavorResourceUsage>& usage = engine_records_[id.index()].usage;
  for (const engine::FlavorResourceUsage& u : usage)
    meters_.usage.Add(queue, u.flavor_resource, quantity::SaturatingSub(0, u.amount), at);
  usage.clear();
  meters_.topology.Remove(job, engine().state(), at);
  needs_cycle_ = needs_cycle_ || pending_counts_.HasPendingInTreeOf(queue);
}

void World::Finish(uint32_t job, base::Time at) {
  ReleaseUsage(job, at);
  End(job, JobState::kFinished, EventKind::kFinished, at);
}

void World::Deactivate(uint32_t job, base::Time at) {
  End(job, JobState::kDeactivated, EventKind::kDeactivated, at);
}

void World::End(uint32_t job, JobState state, EventKind event, base::Time at) {
  RemoveFromEngine(job);
  result_.jobs[job].state = state;
  result_.jobs[job].end = at;
  clock_.RecordEvent(at);
  ++ended_;
  Emit(at, event, job);
}

}  // namespace berth::simulate

// The life of a job in the virtual world.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/state.h"
#include "simulate/world.h"
#include "workload/convert_workload.h"
#include "workload/requeue_backoff.h"

namespace berth::simulate {
namespace {

// What is drawn for a job, each from a generator of its own.
enum Purpose : uint64_t { kForRunTime, kForReadiness, kForBackOff };

// Of a number, in the order of numbers.
std::string UidOf(const JobKind& kind, uint32_t job) {
  if (!kind.workload.metadata.uid.empty()) return kind.workload.metadata.uid;
  char text[16];
  std::snprintf(text, sizeof text, "job-%010u", job);
  return text;
}

}  // namespace

// --- Waiting ------------------------------------------------------------------------------------

void World::Arrive(uint32_t job) {
  Tell(std::max(input_.jobs[job].arrival, input_.start), EventKind::kArrived, job);
  end_ = std::max(end_, std::max(input_.jobs[job].arrival, input_.start));
  outcomes_[job].state = JobState::kOutside;
  if (input_.jobs[job].held_since && JoinHeld(job)) return;
  Join(job, now_);
}

engine::PendingSpec World::SpecFor(uint32_t job, const engine::PendingSpec& kind) const {
  engine::PendingSpec spec = kind;
  const Job& given = input_.jobs[job];
  spec.uid = UidOf(input_.kinds[given.kind], job);
  const bool is_first = outcomes_[job].starts == 0;
  if (!is_first) {
    spec.not_before.reset();
    spec.is_held = false;
  }
  if (!is_first || spec.queue_order_time == base::kZeroTime) spec.queue_order_time = given.arrival;
  return spec;
}

void World::Join(uint32_t job, base::Time at) {
  const KindView& kind = kinds_[input_.jobs[job].kind];
  if (!kind.spec || kind.is_drained) return;
  engine::PendingSpec spec = SpecFor(job, *kind.spec);
  if (spec.not_before && *spec.not_before > at)
    events_.push({.at = *spec.not_before, .what = Happening::kBackOffOver, .job = job});
  JobRecord& record = records_[job];
  record.id = engine().AddPending(std::move(spec), at);
  Know(record.id, job);
  CountWaiting(job, 1);
  outcomes_[job].state = JobState::kWaiting;
  const engine::NodeId queue = engine().ClusterQueueOf(record.id);
  outcomes_[job].queue = queue.value();
  needs_cycle_ = needs_cycle_ || engine().CountPending(queue).active > 0;
}

void World::Know(engine::WorkloadId id, uint32_t job) {
  if (job_of_.size() <= id.index()) {
    job_of_.resize(id.index() + 1, kNobody);
    usage_of_.resize(id.index() + 1);
  }
  job_of_[id.index()] = job;
}

void World::CountWaiting(uint32_t job, int change) {
  const size_t queue = engine().ClusterQueueOf(records_[job].id).index();
  waiting_of_[queue] += static_cast<uint32_t>(change);
  waiting_in_[root_of_[queue]] += static_cast<uint64_t>(static_cast<int64_t>(change));
}

void World::Forget(uint32_t job) {
  engine().Remove(records_[job].id);
  records_[job].id = engine::WorkloadId::None();
}

// --- Running ------------------------------------------------------------------------------------

// False if the ClusterQueue that it held quota in is not there.
bool World::JoinHeld(uint32_t job) {
  const JobKind& kind = input_.kinds[input_.jobs[job].kind];
  const engine::NodeId queue =
      engine().FindClusterQueue(kind.workload.status.admission->cluster_queue);
  if (queue.is_none()) return false;
  engine::ReservedSpec spec = workload::ToReserved(kind.workload, queue, feed_.rules(), engine());
  spec.uid = UidOf(kind, job);
  const bool is_stopping = spec.is_evicted;
  records_[job].id = engine().AddReserved(std::move(spec));
  Know(records_[job].id, job);
  JobOutcome& outcome = outcomes_[job];
  outcome.held_at_start = true;
  outcome.queue = queue.value();
  outcome.first_start = std::max(*input_.jobs[job].held_since, outcome.arrival);
  outcome.state = JobState::kRunning;
  ++outcome.starts;
  ++records_[job].turn;
  TakeQuota(job, input_.start);
  if (is_stopping) {
    records_[job].is_stopping = true;
    events_.push({.at = now_ + options_.stop_time,
                  .what = Happening::kStop,
                  .job = job,
                  .turn = records_[job].turn});
  } else {
    ScheduleEnd(job, now_ + RemainingOf(job));
    if (kinds_[input_.jobs[job].kind].is_drained)
      Evict(job, EventKind::kEvicted, kNobody, "ClusterQueueStopped");
  }
  return true;
}

void World::TakeQuota(uint32_t job, base::Time at) {
  const engine::WorkloadId id = records_[job].id;
  const engine::State& state = engine().state();
  std::vector<engine::PairUsage>& usage = usage_of_[id.index()];
  usage.assign(state.workload(id).reservation->usage.begin(),
               state.workload(id).reservation->usage.end());
  for (const engine::PairUsage& u : usage)
    meter_.Add(state.workload(id).cluster_queue, u.pair, u.amount, at);
}

void World::Start(uint32_t job, base::Time at) {
  CountWaiting(job, -1);
  JobOutcome& outcome = outcomes_[job];
  outcome.state = JobState::kRunning;
  if (outcome.first_start == kNever) outcome.first_start = at;
  ++outcome.starts;
  ++records_[job].turn;
  end_ = std::max(end_, at);
  TakeQuota(job, at);
  Tell(at, EventKind::kStarted, job);
  const base::Duration ready_after = ReadyAfter(job);
  const auto& waits = configuration().wait_for_pods_ready;
  if (waits && waits->timeout.nanos > 0 && ready_after > waits->timeout) {
    events_.push({.at = at + waits->timeout,
                  .what = Happening::kNotReady,
                  .job = job,
                  .turn = records_[job].turn});
  } else {
    ScheduleEnd(job, at + ready_after + RunTimeOf(job));
  }
}

void World::ScheduleEnd(uint32_t job, base::Time at) {
  if (!options_.jobs_end) return;
  events_.push({.at = at, .what = Happening::kFinish, .job = job, .turn = records_[job].turn});
}

base::Duration World::RunTimeOf(uint32_t job) const {
  base::Random random = RandomFor(options_.seed, job, kForRunTime);
  const Job& given = input_.jobs[job];
  base::Duration length = given.run_time;
  if (length == Job::kUnknown) {
    length = options_.run_time.Draw(random);
  } else if (options_.run_time_spread > 0) {
    length.nanos = static_cast<int64_t>(static_cast<double>(length.nanos) *
                                        DrawFactor(options_.run_time_spread, random));
  }
  const auto& most = input_.kinds[given.kind].workload.spec.maximum_execution_time_seconds;
  return most ? std::min(length, base::Duration::Seconds(*most)) : length;
}

// Of one that was running when the simulation began.
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
      RandomFor(options_.seed, job, kForReadiness + uint64_t{8} * outcomes_[job].starts);
  return options_.ready_after.Draw(random);
}

// --- Ending -------------------------------------------------------------------------------------

void World::Evict(uint32_t job, EventKind kind, uint32_t by, std::string_view reason) {
  JobRecord& record = records_[job];
  if (kind == EventKind::kEvicted) {
    ++outcomes_[job].other_evictions;
    engine().MarkEvicted(record.id);
  }
  record.is_stopping = true;
  ++record.turn;
  Tell(now_, kind, job, by, reason);
  events_.push(
      {.at = now_ + options_.stop_time, .what = Happening::kStop, .job = job, .turn = record.turn});
}

void World::Stop(uint32_t job, base::Time at) {
  JobRecord& record = records_[job];
  const KindView& kind = kinds_[input_.jobs[job].kind];
  const bool was_timeout = std::exchange(record.was_timeout, false);
  record.is_stopping = false;
  GiveBack(job, at);
  end_ = std::max(end_, at);
  std::optional<workload::Requeue> requeue;
  if (was_timeout) {
    requeue = NextTry(job, at);
    if (!requeue) {
      Forget(job);
      outcomes_[job].state = JobState::kGaveUp;
      outcomes_[job].end = at;
      ++ended_;
      return Tell(at, EventKind::kGaveUp, job);
    }
  }
  if (!kind.spec || kind.is_drained) {
    Forget(job);
    outcomes_[job].state = JobState::kOutside;
    return;
  }
  engine::PendingSpec spec = SpecFor(job, *kind.spec);
  if (requeue) {
    if (feed_.rules().orders_timeouts_by_eviction) spec.queue_order_time = at;
    spec.not_before = requeue->at;
    events_.push({.at = requeue->at, .what = Happening::kBackOffOver, .job = job});
  }
  engine().Release(record.id, std::move(spec), at);
  outcomes_[job].state = JobState::kWaiting;
  outcomes_[job].queue = engine().ClusterQueueOf(record.id).value();
  CountWaiting(job, 1);
  needs_cycle_ = true;
}

// When it may come back after its pods were not ready in time; nullopt if it may not.
std::optional<workload::Requeue> World::NextTry(uint32_t job, base::Time at) {
  const auto& waits = configuration().wait_for_pods_ready;
  const api::RequeuingSettings strategy =
      waits && waits->requeuing_strategy ? *waits->requeuing_strategy : api::RequeuingSettings();
  JobRecord& record = records_[job];
  if (strategy.backoff_limit_count && record.timeouts >= *strategy.backoff_limit_count)
    return std::nullopt;
  const workload::BackoffSettings settings{
      .base_seconds = strategy.backoff_base_seconds.value_or(60),
      .max_seconds = strategy.backoff_max_seconds.value_or(3600)};
  base::Random random =
      RandomFor(options_.seed, job, kForBackOff + uint64_t{8} * outcomes_[job].starts);
  const double jitter = static_cast<double>(random.Next() >> 11) * 0x1.0p-53;
  return workload::NextRequeue(settings, record.timeouts++, std::nullopt, at, jitter);
}

void World::GiveBack(uint32_t job, base::Time at) {
  const engine::WorkloadId id = records_[job].id;
  const engine::NodeId queue = engine().ClusterQueueOf(id);
  for (const engine::PairUsage& u : usage_of_[id.index()])
    meter_.Add(queue, u.pair, quantity::SaturatingSub(0, u.amount), at);
  usage_of_[id.index()].clear();
  needs_cycle_ = needs_cycle_ || waiting_in_[root_of_[queue.index()]] > 0;
}

void World::Finish(uint32_t job, base::Time at) {
  GiveBack(job, at);
  Forget(job);
  outcomes_[job].state = JobState::kFinished;
  outcomes_[job].end = at;
  end_ = std::max(end_, at);
  ++ended_;
  Tell(at, EventKind::kFinished, job);
}

}  // namespace berth::simulate

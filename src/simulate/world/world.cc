#include "simulate/world/world.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "engine/state.h"
#include "lifecycle/transitions.h"
#include "workload/convert/convert_admission.h"
#include "workload/convert/convert_workload.h"

namespace berth::simulate {
namespace {

// Cycles of a scheduler with many queues take longer, as in a cluster.
base::Duration DefaultCycleTime(const Input& input) {
  constexpr int64_t kMaxRounds = 100'000;
  constexpr int64_t kMaxHeads = 20'000'000;  // in all rounds together
  const base::Duration least = base::Duration::Milliseconds(1);
  if (input.jobs.empty()) return least;
  const int64_t queues = std::ranges::count_if(input.objects, [](const api::Object& object) {
    return object.As<api::ClusterQueue>() != nullptr;
  });
  const int64_t rounds =
      std::clamp<int64_t>(kMaxHeads / std::max<int64_t>(queues, 1), 1, kMaxRounds);
  const base::Duration most =
      std::max(base::Duration::Seconds(1), base::Duration::Milliseconds(10 * queues));
  const base::Duration span = input.jobs.back().arrival - input.start;
  return std::clamp(base::Duration{span.nanos / rounds}, least, most);
}

}  // namespace

World::World(const Input& input, WorldOptions options, Observer observer)
    : input_(input),
      options_(std::move(options)),
      observer_(std::move(observer)),
      policy_(lifecycle::LifecyclePolicy::From(configuration(), input.gates)),
      cluster_(configuration(), input.gates),
      now_(input.start),
      end_(input.start),
      cycle_time_(options_.cycle_time.value_or(DefaultCycleTime(input))),
      records_(input.jobs.size()),
      outcomes_(input.jobs.size()),
      sample_every_(std::max(cycle_time_, base::Duration::Milliseconds(1))),
      next_sample_(input.start) {
  for (size_t i = 0; i < input.jobs.size(); ++i) outcomes_[i].arrival = input.jobs[i].arrival;
  LoadObjects();
}

World::~World() = default;

void World::LoadObjects() {
  for (const api::Object& object : input_.objects) cluster_.Apply(object);
  cluster_.Sync(now_);
  SyncKinds();
  SyncRoots();
  meter_.ReadQuota(engine(), now_);
}

std::optional<base::Time> World::NextTime() const {
  base::Time next = kNever;
  if (!timers_.empty()) next = timers_.top().at;
  if (next_arrival_ < input_.jobs.size()) next = std::min(next, input_.jobs[next_arrival_].arrival);
  if (next_edit_ < options_.edits.size())
    next = std::min(next, input_.start + options_.edits[next_edit_].after);
  if (next == kNever) return std::nullopt;
  return next;
}

bool World::Step() {
  const std::optional<base::Time> next = NextTime();
  if (!next) return false;
  const base::Time earliest = has_begun_ ? now_ + cycle_time_ : input_.start;
  const base::Time at = std::max(*next, earliest);
  if (options_.until && at > input_.start + *options_.until) {
    now_ = end_ = input_.start + *options_.until;
    return false;
  }
  now_ = at;
  has_begun_ = true;
  while (!timers_.empty() && timers_.top().at <= now_) {
    const Timer timer = timers_.top();
    timers_.pop();
    Handle(timer);
  }
  ApplyEdits();
  while (next_arrival_ < input_.jobs.size() && input_.jobs[next_arrival_].arrival <= now_)
    Arrive(static_cast<uint32_t>(next_arrival_++));
  if (std::exchange(needs_cycle_, false)) RunCycles();
  if (options_.keeps_samples && now_ >= next_sample_) TakeSample();
  return true;
}

void World::Handle(const Timer& timer) {
  if (timer.kind == TimerKind::kBackOffOver) {
    needs_cycle_ = true;
    return;
  }
  if (records_[timer.job].epoch != timer.epoch || outcomes_[timer.job].state != JobState::kRunning)
    return;
  switch (timer.kind) {
    case TimerKind::kFinish:
      return Finish(timer.job, timer.at);
    case TimerKind::kStop:
      return Stop(timer.job, timer.at);
    case TimerKind::kPodsReadyTimeout:
      return TimeOutPods(timer.job, timer.at);
    case TimerKind::kExecutionLimit:
      return EvictForGood(timer.job, api::reason::kMaximumExecutionTimeExceeded, timer.at);
    case TimerKind::kBackOffOver:
      return;
  }
}

void World::Emit(base::Time at, EventKind kind, uint32_t job, uint32_t by,
                 std::string_view reason) const {
  if (observer_) observer_({.at = at, .kind = kind, .job = job, .by = by, .reason = reason});
}

// --- Scheduling cycles --------------------------------------------------------------------------

// A cycle without a change may have advanced the search for flavors. So many of them in a row have
// not.
static constexpr int kMaxQuietCycles = 16;

void World::RunCycles() {
  int quiet = 0;
  while (quiet < kMaxQuietCycles) {
    const std::span<const engine::Decision> decisions = engine().RunCycle(now_);
    if (decisions.empty()) return;
    ++cycles_;
    bool has_changed = false, is_searching = false;
    for (const engine::Decision& decision : decisions) {
      const uint32_t job = job_of_[decision.workload.index()];
      has_changed = has_changed || decision.is_inadmissible || !decision.targets.empty();
      if (decision.outcome == engine::Outcome::kAdmitted) {
        has_changed = true;
        if (!decision.replaced.is_none()) replaced_.push_back(job_of_[decision.replaced.index()]);
        Start(job, now_);
      } else if (engine().state().workload(decision.workload).progress != nullptr) {
        is_searching = true;
      }
      for (const engine::PreemptionTarget& target : decision.targets)
        Preempt(job_of_[target.workload.index()], job, target.reason);
    }
    for (const uint32_t job : std::exchange(replaced_, {})) Finish(job, now_);
    quiet = has_changed ? 0 : is_searching ? quiet + 1 : kMaxQuietCycles;
  }
}

void World::Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason) {
  preemptions_.push_back({.at = now_, .by = by, .target = job, .reason = reason});
  ++outcomes_[job].preemptions;
  Evict(job, EventKind::kPreempted, by, workload::ReasonOf(reason), now_);
}

// --- Edits --------------------------------------------------------------------------------------

void World::ApplyEdits() {
  bool has_changed = false;
  for (; next_edit_ < options_.edits.size(); ++next_edit_) {
    const Edit& edit = options_.edits[next_edit_];
    if (input_.start + edit.after > now_) break;
    for (const api::Object& object : *edit.objects) cluster_.Apply(object);
    has_changed = true;
  }
  if (!has_changed) return;
  cluster_.Sync(now_);
  end_ = now_;
  SyncKinds();
  SyncRoots();
  for (size_t job = 0; job < next_arrival_; ++job) Resync(static_cast<uint32_t>(job));
  meter_.ReadQuota(engine(), now_);
  needs_cycle_ = true;
}

std::string_view World::DrainReasonOf(const api::Workload& workload) const {
  const api::LocalQueue* local = cluster_.FindLocalQueue(workload::NamespacedName(
      workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
  if (local == nullptr) return {};
  return lifecycle::DrainReason(local,
                                cluster_.FindClusterQueue(local->spec.cluster_queue.value_or("")));
}

void World::SyncKinds() {
  kinds_.clear();
  for (const JobKind& kind : input_.kinds) {
    const bool may_wait =
        kind.workload.status.admission || workload::MayWait(kind.workload, cluster_.rules());
    kinds_.push_back({.spec = may_wait ? cluster_.DescribeWaiting(kind.workload) : std::nullopt,
                      .drain_reason = DrainReasonOf(kind.workload)});
  }
}

void World::Resync(uint32_t job) {
  const KindState& kind = kinds_[input_.jobs[job].kind];
  JobRecord& record = records_[job];
  switch (outcomes_[job].state) {
    case JobState::kUnqueued:
      return Enqueue(job, now_);
    case JobState::kPending:
      CountPending(job, -1);
      if (kind.spec) {
        engine().UpdatePending(record.id, SpecFor(job, *kind.spec), now_);
        CountPending(job, 1);
      } else {
        RemoveFromEngine(job);
        outcomes_[job].state = JobState::kUnqueued;
      }
      return;
    case JobState::kRunning:
      if (kind.is_drained() && !record.is_stopping)
        Evict(job, EventKind::kEvicted, kNoIndex, kind.drain_reason, now_);
      return;
    default:
      return;
  }
}

// Trees may have been merged or split.
void World::SyncRoots() {
  const engine::QuotaForest& forest = engine().state().forest;
  root_of_.assign(forest.node_count(), 0);
  pending_of_.resize(forest.node_count());
  pending_in_.assign(forest.node_count(), 0);
  for (uint32_t i = 0; i < forest.node_count(); ++i) {
    const engine::NodeId node(i);
    root_of_[i] = forest.HasTree(node) ? forest.RootOf(node).value() : i;
    pending_in_[root_of_[i]] += pending_of_[i];
  }
}

// --- Samples ------------------------------------------------------------------------------------

void World::TakeSample() {
  constexpr size_t kMaxRows = 1024;
  Samples::Row& row = samples_.emplace_back();
  row.at = now_;
  for (const UsageMeter::Slot& slot : meter_.slots()) {
    row.used.push_back(static_cast<float>(slot.usage));
    row.nominal.push_back(slot.nominal.is_unlimited() ? -1
                                                      : static_cast<float>(slot.nominal.value()));
  }
  row.waiting = pending_of_;
  next_sample_ = now_ + sample_every_;
  if (samples_.size() < kMaxRows) return;
  for (size_t i = 0; i < kMaxRows / 2; ++i) samples_[i] = std::move(samples_[2 * i]);
  samples_.resize(kMaxRows / 2);
  sample_every_.nanos *= 2;
}

Result Play(const Input& input, const WorldOptions& options) {
  World world(input, options);
  while (world.Step()) {
  }
  return std::move(world).TakeResult();
}

}  // namespace berth::simulate

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
      clock_(input.start, options_.cycle_time.value_or(DefaultCycleTime(input))),
      agenda_(input_, options_.edits),
      records_(input.jobs.size()),
      outcomes_(input.jobs.size()),
      sampler_(input.start, std::max(clock_.cycle_time(), base::Duration::Milliseconds(1))) {
  for (size_t i = 0; i < input.jobs.size(); ++i) outcomes_[i].arrival = input.jobs[i].arrival;
  LoadObjects();
}

World::~World() = default;

void World::LoadObjects() {
  for (const api::Object& object : input_.objects) cluster_.Apply(object);
  cluster_.Sync(clock_.now());
  SyncKinds();
  pending_counts_.SyncTrees(engine().state().forest);
  meter_.ReadQuota(engine(), clock_.now());
}

bool World::Step() {
  const std::optional<base::Time> next = agenda_.NextTime();
  if (!next) return false;
  const base::Time now = clock_.RoundFor(*next);
  if (options_.until && now > input_.start + *options_.until) {
    clock_.Stop(input_.start + *options_.until);
    return false;
  }
  clock_.StartRound(now);
  while (const std::optional<Timer> timer = agenda_.TakeTimer(now)) Handle(*timer);
  ApplyEdits();
  while (const std::optional<uint32_t> job = agenda_.TakeArrival(now)) Arrive(*job);
  if (std::exchange(needs_cycle_, false)) RunCycles();
  if (options_.keeps_samples && sampler_.IsDue(now)) TakeSample();
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
    const std::span<const engine::Decision> decisions = engine().RunCycle(clock_.now());
    if (decisions.empty()) return;
    ++cycles_;
    std::vector<uint32_t> replaced;
    bool has_changed = false, is_searching = false;
    for (const engine::Decision& decision : decisions) {
      const uint32_t job = job_of_[decision.workload.index()];
      has_changed = has_changed || decision.is_inadmissible || !decision.targets.empty();
      if (decision.outcome == engine::Outcome::kAdmitted) {
        has_changed = true;
        if (!decision.replaced.is_none()) replaced.push_back(job_of_[decision.replaced.index()]);
        Start(job, clock_.now());
      } else if (engine().state().workload(decision.workload).progress != nullptr) {
        is_searching = true;
      }
      for (const engine::PreemptionTarget& target : decision.targets)
        Preempt(job_of_[target.workload.index()], job, target.reason);
    }
    for (const uint32_t job : replaced) Finish(job, clock_.now());
    quiet = has_changed ? 0 : is_searching ? quiet + 1 : kMaxQuietCycles;
  }
}

void World::Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason) {
  preemptions_.push_back({.at = clock_.now(), .by = by, .target = job, .reason = reason});
  ++outcomes_[job].preemptions;
  Evict(job, EventKind::kPreempted, by, workload::ReasonOf(reason), clock_.now());
}

// --- Edits --------------------------------------------------------------------------------------

void World::ApplyEdits() {
  bool has_changed = false;
  while (const Edit* edit = agenda_.TakeEdit(clock_.now())) {
    for (const api::Object& object : *edit->objects) cluster_.Apply(object);
    has_changed = true;
  }
  if (!has_changed) return;
  cluster_.Sync(clock_.now());
  clock_.RecordEvent(clock_.now());
  SyncKinds();
  pending_counts_.SyncTrees(engine().state().forest);
  for (size_t job = 0; job < agenda_.arrived(); ++job) Resync(static_cast<uint32_t>(job));
  meter_.ReadQuota(engine(), clock_.now());
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
      return Enqueue(job, clock_.now());
    case JobState::kPending:
      CountPending(job, -1);
      if (kind.spec) {
        engine().UpdatePending(record.id, SpecFor(job, *kind.spec), clock_.now());
        CountPending(job, 1);
      } else {
        RemoveFromEngine(job);
        outcomes_[job].state = JobState::kUnqueued;
      }
      return;
    case JobState::kRunning:
      if (kind.is_drained() && !record.is_stopping)
        Evict(job, EventKind::kEvicted, kNoIndex, kind.drain_reason, clock_.now());
      return;
    default:
      return;
  }
}

Result Play(const Input& input, const WorldOptions& options) {
  World world(input, options);
  while (world.Step()) {
  }
  return std::move(world).TakeResult();
}

}  // namespace berth::simulate

#include "simulate/world/world.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "engine/state.h"
#include "lifecycle/transitions.h"
#include "simulate/world/placement_mode.h"
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
      cluster_(configuration(), input.gates,
               {.topology = PlacementModeOf(input, options_.edits) == PlacementMode::kPlacesPods}),
      clock_(input.start, options_.cycle_time.value_or(DefaultCycleTime(input))),
      agenda_(input_, options_.edits),
      failures_(input_, options_.seed),
      node_states_(input_),
      records_(input.jobs.size()),
      meters_{.usage = {},
              .topology = {},
              .pending = PendingTimes(input.kinds.size()),
              .sampler = Sampler(input.start,
                                 std::max(clock_.cycle_time(), base::Duration::Milliseconds(1)))} {
  result_.start = input.start;
  result_.jobs.resize(input.jobs.size());
  for (size_t i = 0; i < input.jobs.size(); ++i) result_.jobs[i].arrival = input.jobs[i].arrival;
  LoadObjects();
}

World::~World() = default;

void World::LoadObjects() {
  for (const api::Object& object : input_.objects) cluster_.Apply(object);
  cluster_.Sync(clock_.now());
  SyncKinds();
  pending_counts_.SyncTrees(engine().state().forest);
  meters_.usage.ReadQuota(engine(), clock_.now());
  meters_.topology.ReadNodes(engine().state(), clock_.now());
}

// Nodes that fail or are repaired do not keep the world going, unless jobs wait for repairs.
std::optional<base::Time> World::NextTime() const {
  const std::optional<base::Time> next = agenda_.NextTime();
  if (!next) return pending_counts_.total() > 0 ? failures_.NextRepair() : std::nullopt;
  base::Time first = *next;
  for (const auto& event : {failures_.NextFailure(), failures_.NextRepair()})
    if (event) first = std::min(first, *event);
  return first;
}

bool World::Step() {
  const std::optional<base::Time> next = NextTime();
  if (!next) return false;
  const bool has_work = agenda_.NextTime().has_value();
  const base::Time now = clock_.RoundFor(*next);
  if (options_.until && now > input_.start + *options_.until) {
    clock_.Stop(input_.start + *options_.until);
    return false;
  }
  clock_.StartRound(now);
  HostChanges hosts;
  bool has_event = HandleTimers();
  has_event = ApplyNodeEvents(has_work, hosts) || has_event;
  has_event = ApplyEdits(hosts) || has_event;
  while (const std::optional<uint32_t> job = agenda_.TakeArrival(now)) {
    Arrive(*job);
    has_event = true;
  }
  // Last, as jobs that hold quota when the simulation begins arrive in the first round.
  for (const std::string& host : hosts.repaired) RepairHost(host);
  for (const std::string& host : hosts.failed) FailHost(host);
  if (std::exchange(needs_cycle_, false)) RunCycles();
  if (has_event) ScheduleSecondPass();
  if (options_.keeps_samples && meters_.sampler.IsDue(now)) TakeSample();
  return true;
}

bool World::HandleTimers() {
  bool has_event = false;
  while (const std::optional<Timer> timer = agenda_.TakeTimer(clock_.now())) {
    has_event = has_event || timer->kind != TimerKind::kSecondPass;
    Handle(*timer);
  }
  return has_event;
}

void World::Handle(const Timer& timer) {
  if (timer.kind == TimerKind::kBackOffOver || timer.kind == TimerKind::kSecondPass) {
    needs_cycle_ = true;
    return;
  }
  if (records_[timer.job].epoch != timer.epoch ||
      result_.jobs[timer.job].state != JobState::kRunning)
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
    case TimerKind::kSecondPass:
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
    ++result_.cycles;
    CycleOutcome cycle;
    for (const engine::Decision& decision : decisions) Apply(decision, cycle);
    FollowUp(cycle);
    quiet = cycle.has_changed ? 0 : cycle.is_searching ? quiet + 1 : kMaxQuietCycles;
  }
}

void World::Apply(const engine::Decision& decision, CycleOutcome& cycle) {
  const uint32_t job = engine_records_[decision.workload.index()].job;
  cycle.has_changed = cycle.has_changed || decision.is_inadmissible || !decision.targets.empty() ||
                      decision.outcome == engine::Outcome::kPlaced ||
                      decision.outcome == engine::Outcome::kEvicted;
  if (decision.outcome == engine::Outcome::kAdmitted) {
    cycle.has_changed = true;
    if (!decision.replaced.is_none())
      cycle.replaced.push_back(engine_records_[decision.replaced.index()].job);
    Admit(job, cycle);
  } else if (decision.outcome == engine::Outcome::kPlaced) {
    TakePlace(job);
  } else if (decision.outcome == engine::Outcome::kEvicted) {
    cycle.evicted.push_back(job);
  } else {
    if (!decision.is_second_pass)
      meters_.pending.Decide(input_.jobs[job].kind, decision.reason, clock_.now());
    if (engine().state().workload(decision.workload).progress != nullptr) cycle.is_searching = true;
  }
  for (const engine::PreemptionTarget& target : decision.targets)
    Preempt(engine_records_[target.workload.index()].job, job, target.reason);
}

// After all decisions, which are valid until the engine changes.
void World::FollowUp(const CycleOutcome& cycle) {
  for (const uint32_t job : cycle.replaced) Finish(job, clock_.now());
  for (const uint32_t job : cycle.evicted)
    if (!records_[job].is_stopping)
      Evict(job, EventKind::kEvicted, kNoIndex, api::reason::kNodeFailures, clock_.now());
  for (const uint32_t job : cycle.delayed)
    if (!records_[job].is_stopping) PlaceAgain(job, engine::SecondPass::kDelayedTopology, {});
}

void World::Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason) {
  result_.preemptions.push_back({.at = clock_.now(), .by = by, .target = job, .reason = reason});
  ++result_.jobs[job].preemptions;
  Evict(job, EventKind::kPreempted, by, workload::ReasonOf(reason), clock_.now());
}

// --- Edits --------------------------------------------------------------------------------------

bool World::ApplyEdits(HostChanges& hosts) {
  bool has_queues = false, has_nodes = false;
  while (const Edit* edit = agenda_.TakeEdit(clock_.now())) {
    for (const api::Object& object : *edit->objects) {
      cluster_.Apply(object);
      (EditNode(object, hosts) ? has_nodes : has_queues) = true;
    }
  }
  if (!has_queues && !has_nodes) return false;
  cluster_.Sync(clock_.now());
  clock_.RecordEvent(clock_.now());
  if (has_queues) ApplyQueueEdits();
  NodesChanged();
  return true;
}

void World::ApplyQueueEdits() {
  SyncKinds();
  pending_counts_.SyncTrees(engine().state().forest);
  for (size_t job = 0; job < agenda_.arrived(); ++job) Resync(static_cast<uint32_t>(job));
  meters_.usage.ReadQuota(engine(), clock_.now());
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
  switch (result_.jobs[job].state) {
    case JobState::kUnqueued:
      return Enqueue(job, clock_.now());
    case JobState::kPending:
      CountPending(job, -1, clock_.now());
      if (kind.spec) {
        engine().UpdatePending(record.id, SpecFor(job, *kind.spec), clock_.now());
        CountPending(job, 1, clock_.now());
      } else {
        RemoveFromEngine(job);
        result_.jobs[job].state = JobState::kUnqueued;
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

#include "simulate/world.h"

#include <algorithm>
#include <utility>

#include "api/stop_policy.h"
#include "engine/state.h"
#include "workload/convert_admission.h"
#include "workload/convert_workload.h"

namespace berth::simulate {
namespace {

// A scheduler of many queues takes longer for a cycle, here as in a cluster.
base::Duration DefaultCycleTime(const Input& input) {
  constexpr int64_t kMostRounds = 100'000;
  constexpr int64_t kMostHeads = 20'000'000;  // in all rounds together
  const base::Duration least = base::Duration::Milliseconds(1);
  if (input.jobs.empty()) return least;
  const int64_t queues = std::ranges::count_if(input.objects, [](const api::Object& object) {
    return object.As<api::ClusterQueue>() != nullptr;
  });
  const int64_t rounds =
      std::clamp<int64_t>(kMostHeads / std::max<int64_t>(queues, 1), 1, kMostRounds);
  const base::Duration most =
      std::max(base::Duration::Seconds(1), base::Duration::Milliseconds(10 * queues));
  const base::Duration span = input.jobs.back().arrival - input.start;
  return std::clamp(base::Duration{span.nanos / rounds}, least, most);
}

}  // namespace

World::World(const Input& input, WorldOptions options, Watcher watcher)
    : input_(input),
      options_(std::move(options)),
      watcher_(std::move(watcher)),
      feed_(configuration(), input.gates),
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
  for (const api::Object& object : input_.objects) feed_.Apply(object);
  feed_.Sync(now_);
  DescribeKinds();
  FindRoots();
  meter_.ReadQuota(engine(), now_);
}

std::optional<base::Time> World::NextTime() const {
  base::Time next = kNever;
  if (!events_.empty()) next = events_.top().at;
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
  while (!events_.empty() && events_.top().at <= now_) {
    const Event event = events_.top();
    events_.pop();
    Handle(event);
  }
  ApplyEdits();
  while (next_arrival_ < input_.jobs.size() && input_.jobs[next_arrival_].arrival <= now_)
    Arrive(static_cast<uint32_t>(next_arrival_++));
  if (std::exchange(needs_cycle_, false)) RunCycles();
  if (options_.keeps_samples && now_ >= next_sample_) TakeSample();
  return true;
}

void World::Handle(const Event& event) {
  if (event.what == Happening::kBackOffOver) {
    needs_cycle_ = true;
    return;
  }
  if (records_[event.job].turn != event.turn || outcomes_[event.job].state != JobState::kRunning)
    return;
  switch (event.what) {
    case Happening::kFinish:
      return Finish(event.job, event.at);
    case Happening::kStop:
      return Stop(event.job, event.at);
    case Happening::kNotReady:
      records_[event.job].was_timeout = true;
      return Evict(event.job, EventKind::kEvicted, kNobody, "PodsReadyTimeout");
    case Happening::kBackOffOver:
      return;
  }
}

void World::Tell(base::Time at, EventKind kind, uint32_t job, uint32_t by,
                 std::string_view reason) const {
  if (watcher_) watcher_({.at = at, .kind = kind, .job = job, .by = by, .reason = reason});
}

// --- The engine's turn --------------------------------------------------------------------------

// A cycle that changes nothing may have gone on in its search for flavors; after so many it has
// not.
static constexpr int kMostQuietCycles = 16;

void World::RunCycles() {
  int quiet = 0;
  while (quiet < kMostQuietCycles) {
    const std::span<const engine::Decision> decisions = engine().RunCycle(now_);
    if (decisions.empty()) return;
    ++cycles_;
    bool has_changed = false, is_searching = false;
    for (const engine::Decision& decision : decisions) {
      const uint32_t job = job_of_[decision.workload.index()];
      has_changed = has_changed || decision.is_parked || !decision.victims.empty();
      if (decision.outcome == engine::Outcome::kAdmitted) {
        has_changed = true;
        if (!decision.replaced.is_none()) replaced_.push_back(job_of_[decision.replaced.index()]);
        Start(job, now_);
      } else if (engine().state().workload(decision.workload).progress != nullptr) {
        is_searching = true;
      }
      for (const engine::Victim& victim : decision.victims)
        Preempt(job_of_[victim.workload.index()], job, victim.reason);
    }
    for (const uint32_t job : std::exchange(replaced_, {})) Finish(job, now_);
    quiet = has_changed ? 0 : is_searching ? quiet + 1 : kMostQuietCycles;
  }
}

void World::Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason) {
  preemptions_.push_back({.at = now_, .by = by, .victim = job, .reason = reason});
  ++outcomes_[job].preemptions;
  Evict(job, EventKind::kPreempted, by, workload::ReasonOf(reason));
}

// --- Changes of objects -------------------------------------------------------------------------

void World::ApplyEdits() {
  bool has_changed = false;
  for (; next_edit_ < options_.edits.size(); ++next_edit_) {
    const Edit& edit = options_.edits[next_edit_];
    if (input_.start + edit.after > now_) break;
    for (const api::Object& object : *edit.objects) feed_.Apply(object);
    has_changed = true;
  }
  if (!has_changed) return;
  feed_.Sync(now_);
  end_ = now_;
  DescribeKinds();
  FindRoots();
  for (size_t job = 0; job < next_arrival_; ++job) Redescribe(static_cast<uint32_t>(job));
  meter_.ReadQuota(engine(), now_);
  needs_cycle_ = true;
}

bool World::IsDrained(const api::Workload& workload) const {
  const api::LocalQueue* local = feed_.FindLocalQueue(workload::NamespacedName(
      workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
  if (local == nullptr) return false;
  if (local->spec.stop_policy == api::kStopPolicyHoldAndDrain) return true;
  const api::ClusterQueue* queue = feed_.FindClusterQueue(local->spec.cluster_queue.value_or(""));
  return queue != nullptr && queue->spec.stop_policy == api::kStopPolicyHoldAndDrain;
}

void World::DescribeKinds() {
  kinds_.clear();
  for (const JobKind& kind : input_.kinds) {
    const bool may_wait =
        kind.workload.status.admission || workload::MayWait(kind.workload, feed_.rules());
    kinds_.push_back({.spec = may_wait ? feed_.DescribeWaiting(kind.workload) : std::nullopt,
                      .is_drained = IsDrained(kind.workload)});
  }
}

void World::Redescribe(uint32_t job) {
  const KindView& kind = kinds_[input_.jobs[job].kind];
  JobRecord& record = records_[job];
  switch (outcomes_[job].state) {
    case JobState::kOutside:
      return Join(job, now_);
    case JobState::kWaiting:
      CountWaiting(job, -1);
      if (kind.spec) {
        engine().UpdatePending(record.id, SpecFor(job, *kind.spec), now_);
        CountWaiting(job, 1);
      } else {
        Forget(job);
        outcomes_[job].state = JobState::kOutside;
      }
      return;
    case JobState::kRunning:
      if (kind.is_drained && !record.is_stopping)
        Evict(job, EventKind::kEvicted, kNobody, "ClusterQueueStopped");
      return;
    default:
      return;
  }
}

// Trees may have come together or apart.
void World::FindRoots() {
  const engine::QuotaForest& forest = engine().state().forest;
  root_of_.assign(forest.node_count(), 0);
  waiting_of_.resize(forest.node_count());
  waiting_in_.assign(forest.node_count(), 0);
  for (uint32_t i = 0; i < forest.node_count(); ++i) {
    const engine::NodeId node(i);
    root_of_[i] = forest.HasTree(node) ? forest.RootOf(node).value() : i;
    waiting_in_[root_of_[i]] += waiting_of_[i];
  }
}

// --- What is left behind ------------------------------------------------------------------------

void World::TakeSample() {
  constexpr size_t kMostRows = 1024;
  Samples::Row& row = samples_.emplace_back();
  row.at = now_;
  for (const UsageMeter::Slot& slot : meter_.slots()) {
    row.used.push_back(static_cast<float>(slot.usage));
    row.nominal.push_back(slot.nominal.is_unlimited() ? -1
                                                      : static_cast<float>(slot.nominal.value()));
  }
  row.waiting = waiting_of_;
  next_sample_ = now_ + sample_every_;
  if (samples_.size() < kMostRows) return;
  for (size_t i = 0; i < kMostRows / 2; ++i) samples_[i] = std::move(samples_[2 * i]);
  samples_.resize(kMostRows / 2);
  sample_every_.nanos *= 2;
}

Result Play(const Input& input, const WorldOptions& options) {
  World world(input, options);
  while (world.Step()) {
  }
  return std::move(world).TakeResult();
}

}  // namespace berth::simulate

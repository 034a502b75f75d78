#pragma once

// The virtual world: objects, a clock, and jobs that arrive, wait, run and end, on the real engine.
//
// Time advances from event to event. A round handles every event up to its time - timers of jobs,
// edits of objects, arrivals - and then runs engine cycles until nothing changes. Rounds are at
// least the cycle time apart, since a real scheduler takes time to decide, too.
//
// The life of a job follows the rules of src/lifecycle, which the controller follows, too:
//   arrival      pending in the ClusterQueue of its LocalQueue; unqueued while one of the queues is
//                missing or stopped
//   start        on admission. Admission checks pass at once
//   readiness    after a delay. A job that misses the deadline of waitForPodsReady is evicted and
//                requeued after a back-off; at the requeuing limit it is deactivated. Jobs that
//                hold quota when the simulation begins are ready
//   preemption   the job stops after a delay and is requeued. It starts from the beginning
//   drain        the same, when an edit sets the stop policy HoldAndDrain
//   time limit   a job that exceeds its maximum execution time is deactivated
//   end          when the run time is over
//
// The result depends on the input, the options and the seed only, bit for bit. Random draws of a
// job do not depend on other events, so that it has the same run time in a changed world.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/state.h"
#include "lifecycle/lifecycle_policy.h"
#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/trace/distribution.h"
#include "simulate/world/agenda.h"
#include "simulate/world/pending_counts.h"
#include "simulate/world/round_clock.h"
#include "simulate/world/sampler.h"
#include "simulate/world/usage_meter.h"
#include "workload/state/cluster_state.h"

namespace berth::simulate {

struct WorldOptions {
  uint64_t seed = 1;
  // Of jobs whose run time is unknown.
  Distribution run_time = Distribution::Fixed(base::Duration::Seconds(3600));
  double run_time_spread = 0;  // of known run times, see DrawFactor
  Distribution ready_after = Distribution::Fixed({});
  base::Duration stop_time;  // from the eviction of a job until it releases its quota
  // Absent: 1/100,000 of the arrival period, from 1 ms to 1 s. With more than 200 queues it grows
  // in proportion, up to 10 ms a queue.
  std::optional<base::Duration> cycle_time;
  bool jobs_end = true;                 // false: running jobs never end by themselves
  std::optional<base::Duration> until;  // absent: until no event is left
  std::vector<Edit> edits;              // by time; those at 0 apply before the first cycle
  std::optional<api::Configuration> configuration;  // absent: that of the input
  bool keeps_samples = false;
};

enum class EventKind : uint8_t {
  kArrived,
  kStarted,
  kPreempted,
  kEvicted,
  kFinished,
  kDeactivated,  // when it has stopped
};

struct TimelineEvent {
  base::Time at;
  EventKind kind = EventKind::kArrived;
  uint32_t job = kNoIndex;
  uint32_t by = kNoIndex;   // the preemptor
  std::string_view reason;  // of preemptions and evictions; valid during the callback
};
using Observer = std::function<void(const TimelineEvent&)>;

class World {
 public:
  // The input must outlive the world. The observer may be empty.
  World(const Input& input, WorldOptions options, Observer observer = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Runs one round. False if no event is left.
  bool Step();
  Result TakeResult() &&;

  base::Time now() const { return clock_.now(); }
  uint64_t arrived() const { return agenda_.arrived(); }
  uint64_t ended() const { return ended_; }
  const JobOutcome& outcome(uint32_t job) const { return outcomes_[job]; }

 private:
  struct JobRecord {
    engine::WorkloadId id;     // none: not in the engine
    uint32_t epoch = 0;        // incremented by every start and eviction
    int32_t requeues = 0;      // after pods-ready timeouts, as status.requeueState.count
    int32_t past_seconds = 0;  // as status.accumulatedPastExecutionTimeSeconds
    base::Time admitted_at;    // of a running job
    base::Time requeue_at = base::kZeroTime;        // end of the back-off; zero: none
    base::Time queue_order_time = base::kZeroTime;  // after an eviction; zero: that of arrival
    bool is_stopping = false;
    bool is_deactivated = false;
  };
  // How the engine sees the jobs of a kind.
  struct KindState {
    std::optional<engine::PendingSpec> spec;  // nullopt: one of their queues is missing or stopped
    std::string_view drain_reason;            // "" unless one of their queues is drained
    bool is_drained() const { return !drain_reason.empty(); }
  };

  void LoadObjects();
  void SyncKinds();
  std::string_view DrainReasonOf(const api::Workload& workload) const;
  void Emit(base::Time at, EventKind kind, uint32_t job, uint32_t by = kNoIndex,
            std::string_view reason = {}) const;

  void ApplyEdits();
  void Handle(const Timer& timer);
  void Arrive(uint32_t job);
  void LoadHistory(uint32_t job);
  void Enqueue(uint32_t job, base::Time at);
  bool AddReserved(uint32_t job);
  void ResumeStopping(uint32_t job);
  void MarkRunning(uint32_t job, base::Time admitted_at);
  void RunCycles();
  void Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason);
  void Register(engine::WorkloadId id, uint32_t job);
  void AddUsage(uint32_t job, base::Time at);
  void ReleaseUsage(uint32_t job, base::Time at);
  void Start(uint32_t job, base::Time at);
  void TimeOutPods(uint32_t job, base::Time at);
  void Evict(uint32_t job, EventKind kind, uint32_t by, std::string_view reason, base::Time at);
  // Evicts a job that will be deactivated when it has stopped.
  void EvictForGood(uint32_t job, std::string_view cause, base::Time at);
  void Stop(uint32_t job, base::Time at);
  void Finish(uint32_t job, base::Time at);
  void Deactivate(uint32_t job, base::Time at);
  void End(uint32_t job, JobState state, EventKind event, base::Time at);
  void RemoveFromEngine(uint32_t job);
  void Schedule(TimerKind kind, uint32_t job, base::Time at);
  void ScheduleStop(uint32_t job, base::Time evicted_at);
  // Schedules the end of the run time, or that of the execution time if it is earlier.
  void ScheduleEnd(uint32_t job, base::Time at);
  void ScheduleBackOff(const engine::PendingSpec& spec, uint32_t job, base::Time at);
  void Resync(uint32_t job);
  void CountPending(uint32_t job, int change);
  void TakeSample() { sampler_.Take(clock_.now(), meter_, pending_counts_.by_node()); }

  engine::PendingSpec SpecFor(uint32_t job, const engine::PendingSpec& kind) const;
  base::Duration RunTimeOf(uint32_t job) const;
  base::Duration RemainingOf(uint32_t job) const;
  base::Duration ReadyAfter(uint32_t job) const;
  // Of a running job; nullopt if its execution time has no limit.
  std::optional<base::Time> ExecutionEnd(uint32_t job) const;
  engine::Engine& engine() { return cluster_.engine(); }
  const api::Configuration& configuration() const {
    return options_.configuration ? *options_.configuration : input_.configuration;
  }

  const Input& input_;
  WorldOptions options_;
  Observer observer_;
  lifecycle::LifecyclePolicy policy_;
  workload::ClusterState cluster_;
  UsageMeter meter_;

  RoundClock clock_;
  Agenda agenda_;
  bool needs_cycle_ = false;
  uint64_t cycles_ = 0;
  uint64_t ended_ = 0;

  std::vector<KindState> kinds_;
  std::vector<JobRecord> records_;
  std::vector<JobOutcome> outcomes_;
  std::vector<uint32_t> job_of_;  // by WorkloadId
  std::vector<std::vector<engine::FlavorResourceUsage>>
      usage_of_;  // by WorkloadId, while the job holds quota
  PendingCounts pending_counts_;
  std::vector<Preemption> preemptions_;
  Sampler sampler_;
};

// Plays a world to its end.
Result Play(const Input& input, const WorldOptions& options);

}  // namespace berth::simulate

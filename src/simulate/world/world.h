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
//   start        on admission, as soon as its pods have places. Admission checks pass at once
//   readiness    after a delay. A job that misses the deadline of waitForPodsReady is evicted and
//                requeued after a back-off; at the requeuing limit it is deactivated. Jobs that
//                hold quota when the simulation begins are ready
//   preemption   the job stops after a delay and is requeued. It starts from the beginning
//   drain        the same, when an edit sets the stop policy HoldAndDrain
//   time limit   a job that exceeds its maximum execution time is deactivated
//   node failure the pods there move to another node and the job goes on; without another node, or
//                if a second node fails before, it is evicted. A node that is repaired before needs
//                no replacement
//   end          when the run time is over
//
// The result depends on the input, the options and the seed only, bit for bit. Random draws of a
// job do not depend on other events, so that it has the same run time in a changed world.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state.h"
#include "lifecycle/lifecycle_policy.h"
#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/trace/distribution.h"
#include "simulate/world/agenda.h"
#include "simulate/world/node_failures.h"
#include "simulate/world/node_states.h"
#include "simulate/world/pending_counts.h"
#include "simulate/world/pending_times.h"
#include "simulate/world/round_clock.h"
#include "simulate/world/sampler.h"
#include "simulate/world/topology_meter.h"
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
  kMoved,  // pods on a failed node got another one
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
  const JobOutcome& outcome(uint32_t job) const { return result_.jobs[job]; }

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
    bool awaits_place = false;  // holds quota, but has not started
  };
  // A workload of the engine.
  struct EngineRecord {
    uint32_t job = kNoIndex;
    std::vector<engine::FlavorResourceUsage> usage;  // while the job holds quota
  };
  // How the engine sees the jobs of a kind.
  struct KindState {
    std::optional<engine::PendingSpec> spec;  // nullopt: one of their queues is missing or stopped
    std::string_view drain_reason;            // "" unless one of their queues is drained
    bool is_drained() const { return !drain_reason.empty(); }
  };

  // What the world is measured with.
  struct Meters {
    UsageMeter usage;
    TopologyMeter topology;
    PendingTimes pending;
    Sampler sampler;
  };
  // The work that the decisions of a cycle leave.
  struct CycleOutcome {
    bool has_changed = false;
    bool is_searching = false;  // for flavors
    std::vector<uint32_t> replaced = {};
    std::vector<uint32_t> delayed = {};  // to be placed now
    std::vector<uint32_t> evicted = {};  // for a failed node
  };

  void LoadObjects();
  std::optional<base::Time> NextTime() const;
  void SyncKinds();
  std::string_view DrainReasonOf(const api::Workload& workload) const;
  void Emit(base::Time at, EventKind kind, uint32_t job, uint32_t by = kNoIndex,
            std::string_view reason = {}) const;

  // The hosts of nodes that fail or are repaired in a round.
  struct HostChanges {
    std::vector<std::string> failed, repaired;

    void Repair(const std::string& host) {
      std::erase(failed, host);
      repaired.push_back(host);
    }
  };

  // These three return whether there was anything to do.
  bool HandleTimers();
  bool ApplyEdits(HostChanges& hosts);
  bool ApplyNodeEvents(bool has_work, HostChanges& hosts);
  void ApplyQueueEdits();
  void Handle(const Timer& timer);
  void Arrive(uint32_t job);
  void LoadHistory(uint32_t job);
  void Enqueue(uint32_t job, base::Time at);
  bool AddReserved(uint32_t job);
  void ResumeStopping(uint32_t job);
  void AwaitPlace(uint32_t job);
  void MarkRunning(uint32_t job, base::Time admitted_at);
  void RunCycles();
  void Apply(const engine::Decision& decision, CycleOutcome& cycle);
  void FollowUp(const CycleOutcome& cycle);
  void Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason);
  void Register(engine::WorkloadId id, uint32_t job);
  void AddUsage(uint32_t job, base::Time at);
  void ReleaseUsage(uint32_t job, base::Time at);
  void Admit(uint32_t job, CycleOutcome& cycle);
  void Start(uint32_t job, base::Time at);
  // Nodes.
  void NodesChanged();
  // False if the object is no node.
  bool EditNode(const api::Object& object, HostChanges& hosts);
  void FailHost(const std::string& host);
  // Withdraws the replacements of the node that are pending.
  void RepairHost(const std::string& host);
  bool IsDelayed(uint32_t job) const;
  // Has the engine place pods of a job with quota.
  void PlaceAgain(uint32_t job, engine::SecondPass why, std::vector<std::string> failed_nodes);
  void TakePlace(uint32_t job);
  void ScheduleSecondPass();
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
  void CountPending(uint32_t job, int change, base::Time at);
  void TakeSample() {
    meters_.sampler.Take(clock_.now(), meters_.usage, pending_counts_.by_node());
  }
  void ReportQueues(base::Time end);
  void ReportNodes(double seconds);

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

  RoundClock clock_;
  Agenda agenda_;
  NodeFailures failures_;
  NodeStates node_states_;
  bool needs_cycle_ = false;
  uint64_t ended_ = 0;

  std::vector<KindState> kinds_;
  std::vector<JobRecord> records_;
  std::vector<EngineRecord> engine_records_;  // by WorkloadId
  PendingCounts pending_counts_;
  Meters meters_;
  Result result_;  // so far
};

// Plays a world to its end.
Result Play(const Input& input, const WorldOptions& options);

}  // namespace berth::simulate

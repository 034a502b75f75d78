#pragma once

// The virtual world: an object set, a clock, jobs that come, wait, run and end, on the real engine.
//
// Time goes on from event to event. A round handles everything that has happened by its moment -
// changes of objects, ends of jobs, arrivals - and then lets the engine run cycles until nothing
// more can be done. Two rounds are never closer than the cycle time, since a scheduler does not
// decide in no time either.
//
// What a job goes through:
//   arrives    waits in its LocalQueue's ClusterQueue, or outside while that is missing or stopped
//   starts     when it is admitted. Admission checks are taken to pass at once
//   is ready   after a while; with waitForPodsReady and if that takes too long, it is evicted and
//              comes back after the back-off that the Configuration says, until it gives up
//   preempted  stops after a while and waits again. It begins anew when it starts again
//   drained    the same, where a changed queue says HoldAndDrain
//   ends       when its run time is over
//
// Everything is decided by the input, the options and the seed: the same world again gives the same
// result, bit for bit. What is drawn for a job does not depend on what happens, so that it runs as
// long in a changed world.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "engine/state.h"
#include "simulate/distribution.h"
#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/usage_meter.h"
#include "workload/engine_feed.h"
#include "workload/requeue_backoff.h"

namespace berth::simulate {

// Objects that change while the world runs.
struct Edit {
  base::Duration after;  // the start
  std::shared_ptr<const std::vector<api::Object>> objects;
};

struct WorldOptions {
  uint64_t seed = 1;
  Distribution run_time = Distribution::Fixed(base::Duration::Seconds(3600));  // of unknown ones
  double run_time_spread = 0;  // of known ones, see DrawFactor
  Distribution ready_after = Distribution::Fixed({});
  base::Duration stop_time;  // between an eviction and its end
  // Absent: a hundred-thousandth of the time in which jobs arrive, or, with more than 200 queues,
  // as much more as there are more; from 1 ms to 1 s, or to 10 ms a queue.
  std::optional<base::Duration> cycle_time;
  bool jobs_end = true;                 // false: whoever runs goes on running
  std::optional<base::Duration> until;  // absent: as long as something is left to happen
  std::vector<Edit> edits;              // by time; at 0: the world begins with them
  // Instead of the input's.
  std::optional<api::Configuration> configuration;
  bool keeps_samples = false;
};

enum class EventKind : uint8_t { kArrived, kStarted, kPreempted, kEvicted, kFinished, kGaveUp };

struct TimelineEvent {
  base::Time at;
  EventKind kind = EventKind::kArrived;
  uint32_t job = kNobody;
  uint32_t by = kNobody;    // who preempted it
  std::string_view reason;  // of preemptions and evictions
};
using Watcher = std::function<void(const TimelineEvent&)>;

class World {
 public:
  // The input must outlive the world. The watcher may be empty.
  World(const Input& input, WorldOptions options, Watcher watcher = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // One round. False if there was nothing left to happen.
  bool Step();
  Result TakeResult() &&;

  base::Time now() const { return now_; }
  uint64_t arrived() const { return next_arrival_; }
  uint64_t ended() const { return ended_; }
  const JobOutcome& outcome(uint32_t job) const { return outcomes_[job]; }

 private:
  enum class Happening : uint8_t { kFinish, kStop, kNotReady, kBackOffOver };
  struct Event {
    base::Time at;
    Happening what = Happening::kFinish;
    uint32_t job = kNobody;
    uint32_t turn = 0;  // of the job; outdated if that is over
    friend auto operator<=>(const Event&, const Event&) = default;
  };
  struct JobRecord {
    engine::WorkloadId id;  // none: the engine does not know it
    uint32_t turn = 0;      // grows when it starts and when it is evicted
    int32_t timeouts = 0;
    bool is_stopping = false;
    bool was_timeout = false;  // what it is stopping for
  };
  // How the engine sees the jobs of a kind; nullopt while one of their queues is missing.
  struct KindView {
    std::optional<engine::PendingSpec> spec;
    bool is_drained = false;
  };

  void LoadObjects();
  void DescribeKinds();
  bool IsDrained(const api::Workload& workload) const;
  std::optional<base::Time> NextTime() const;
  void Tell(base::Time at, EventKind kind, uint32_t job, uint32_t by = kNobody,
            std::string_view reason = {}) const;

  void ApplyEdits();
  void Handle(const Event& event);
  void Arrive(uint32_t job);
  void Join(uint32_t job, base::Time at);
  bool JoinHeld(uint32_t job);
  void RunCycles();
  void Preempt(uint32_t job, uint32_t by, engine::PreemptionReason reason);
  void Know(engine::WorkloadId id, uint32_t job);
  void TakeQuota(uint32_t job, base::Time at);
  void Start(uint32_t job, base::Time at);
  void Evict(uint32_t job, EventKind kind, uint32_t by, std::string_view reason);
  void Stop(uint32_t job, base::Time at);
  std::optional<workload::Requeue> NextTry(uint32_t job, base::Time at);
  void Finish(uint32_t job, base::Time at);
  void Forget(uint32_t job);
  void GiveBack(uint32_t job, base::Time at);
  void ScheduleEnd(uint32_t job, base::Time at);
  void Redescribe(uint32_t job);
  void CountWaiting(uint32_t job, int change);
  void FindRoots();
  void TakeSample();

  engine::PendingSpec SpecFor(uint32_t job, const engine::PendingSpec& kind) const;
  base::Duration RunTimeOf(uint32_t job) const;
  base::Duration RemainingOf(uint32_t job) const;
  base::Duration ReadyAfter(uint32_t job) const;
  engine::Engine& engine() { return feed_.engine(); }
  const api::Configuration& configuration() const {
    return options_.configuration ? *options_.configuration : input_.configuration;
  }

  const Input& input_;
  WorldOptions options_;
  Watcher watcher_;
  workload::EngineFeed feed_;
  UsageMeter meter_;

  base::Time now_;
  base::Time end_;  // of the last thing that happened
  base::Duration cycle_time_;
  bool has_begun_ = false;
  bool needs_cycle_ = false;
  size_t next_arrival_ = 0;
  size_t next_edit_ = 0;
  uint64_t ended_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;

  std::vector<KindView> kinds_;
  std::vector<JobRecord> records_;
  std::vector<JobOutcome> outcomes_;
  std::vector<uint32_t> job_of_;                          // by WorkloadId
  std::vector<std::vector<engine::PairUsage>> usage_of_;  // by WorkloadId, while it holds quota
  std::vector<uint32_t> root_of_;                         // by NodeId
  std::vector<uint64_t> waiting_in_;                      // by root
  std::vector<uint32_t> waiting_of_;                      // by NodeId
  std::vector<Preemption> preemptions_;
  std::vector<uint32_t> replaced_;  // in this cycle
  uint64_t cycles_ = 0;

  std::vector<Samples::Row> samples_;
  base::Duration sample_every_;
  base::Time next_sample_;
};

// Plays a world to its end.
Result Play(const Input& input, const WorldOptions& options);

}  // namespace berth::simulate

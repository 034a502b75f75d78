// The simulated world and the controller follow the same rules: the same life, played by both, has
// the same transitions at the same moments.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/kueue/stop_policy.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "base/random.h"
#include "lifecycle/workload_plan.h"
#include "simulate/testing/small_world.h"
#include "workload/status_changes.h"

namespace berth::simulate {
namespace {

using ::testing::ElementsAre;
using testing::Objects;
using testing::QueueYaml;
using testing::SmallWorld;

constexpr base::Duration kHorizon = base::Duration::Seconds(3000);

// A queue that is drained for a while. The half second keeps it apart from other deadlines.
struct Drain {
  bool is_local = false;  // the LocalQueue; else the ClusterQueue
  int64_t begin = 0;
  int64_t end = 0;

  static base::Duration After(int64_t seconds) {
    return base::Duration::Milliseconds(1000 * seconds + 500);
  }
};

// Durations are in seconds.
struct Life {
  std::optional<int64_t> timeout = {};  // of waitForPodsReady; absent: there is none
  int32_t backoff_base = 60;
  int32_t backoff_max = 3600;
  std::optional<int32_t> requeue_limit = {};
  bool disables_waiting = false;  // the gate DisableWaitForPodsReady
  std::optional<int32_t> time_limit = {};
  int32_t past_requeues = 0;
  int32_t past_execution = 0;
  int64_t ready_after = 0;
  int64_t run_time = 100;
  int64_t stop_time = 0;
  std::optional<Drain> drain = {};
};

api::Configuration ConfigurationOf(const Life& life) {
  api::Configuration configuration;
  if (!life.timeout) return configuration;
  auto& waits = configuration.wait_for_pods_ready.emplace();
  waits.timeout = base::Duration::Seconds(*life.timeout);
  auto& strategy = waits.requeuing_strategy.emplace();
  strategy.backoff_base_seconds = life.backoff_base;
  strategy.backoff_max_seconds = life.backoff_max;
  strategy.backoff_limit_count = life.requeue_limit;
  return configuration;
}

Input InputOf(const Life& life) {
  SmallWorld world(QueueYaml({.name = "q", .cpu = 4}));
  world.Add({.cpu = 1, .seconds = static_cast<int>(life.run_time)});
  Input input = std::move(world.input());
  input.configuration = ConfigurationOf(life);
  input.gates.Set(api::Gate::kDisableWaitForPodsReady, life.disables_waiting);
  api::Workload& workload = input.kinds[0].workload;
  workload.metadata.uid = "uid";
  workload.spec.maximum_execution_time_seconds = life.time_limit;
  if (life.past_requeues > 0) workload.status.requeue_state.emplace().count = life.past_requeues;
  if (life.past_execution > 0)
    workload.status.accumulated_past_execution_time_seconds = life.past_execution;
  return input;
}

std::string QueuesYaml(bool stops_local, bool stops_cluster) {
  const auto policy = [](bool stops) {
    return std::string(stops ? api::kStopPolicyHoldAndDrain : api::kStopPolicyNone);
  };
  return QueueYaml({.name = "q", .cpu = 4, .stop = policy(stops_cluster)}) +
         "---\nkind: LocalQueue\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: q, "
         "namespace: "
         "team}\nspec: {clusterQueue: q, stopPolicy: " +
         policy(stops_local) + "}\n";
}

// A moment after the start, and what happened then.
struct Transition {
  base::Duration after;
  std::string what;

  friend bool operator==(const Transition&, const Transition&) = default;
  friend void PrintTo(const Transition& t, std::ostream* out) {
    *out << base::FormatDuration(t.after) << " " << t.what;
  }
};
using Transitions = std::vector<Transition>;

// --- In the simulated world ---------------------------------------------------------------------

std::string NameOf(const TimelineEvent& event) {
  switch (event.kind) {
    case EventKind::kStarted:
      return "started";
    case EventKind::kEvicted:
      return "evicted: " + std::string(event.reason);
    case EventKind::kFinished:
      return "finished";
    case EventKind::kDeactivated:
      return "deactivated";
    default:
      return "";
  }
}

Transitions Simulated(const Life& life) {
  const Input input = InputOf(life);
  WorldOptions options;
  options.cycle_time = base::Duration{};
  options.ready_after = Distribution::Fixed(base::Duration::Seconds(life.ready_after));
  options.stop_time = base::Duration::Seconds(life.stop_time);
  options.until = kHorizon;
  const auto edit = [&](int64_t at, bool stops) {
    const std::string yaml =
        QueuesYaml(stops && life.drain->is_local, stops && !life.drain->is_local);
    options.edits.push_back(
        {.after = Drain::After(at),
         .objects = std::make_shared<const std::vector<api::Object>>(Objects(yaml))});
  };
  if (life.drain) edit(life.drain->begin, true);
  if (life.drain) edit(life.drain->end, false);
  Transitions transitions;
  World world(input, options, [&](const TimelineEvent& event) {
    if (std::string name = NameOf(event); !name.empty())
      transitions.push_back({event.at - input.start, std::move(name)});
  });
  while (world.Step()) {
  }
  return transitions;
}

// --- Under a controller -------------------------------------------------------------------------

// One Workload, planned by PlanWorkload, in queues with room. Plays the part of the scheduler and
// of the job.
class ControlledLife {
 public:
  explicit ControlledLife(const Life& life)
      : life_(life),
        input_(InputOf(life)),
        policy_(lifecycle::LifecyclePolicy::From(input_.configuration, input_.gates)),
        workload_(input_.kinds[0].workload),
        now_(input_.start) {
    local_queue_.metadata.name = cluster_queue_.metadata.name = "q";
    local_queue_.spec.cluster_queue = "q";
  }

  Transitions Play() && {
    for (std::optional<base::Time> next = now_; next && *next <= input_.start + kHorizon;
         next = NextTime()) {
      now_ = *next;
      if (Step()) break;
    }
    return std::move(transitions_);
  }

 private:
  // True if the life is over.
  bool Step() {
    SetStopPolicies();
    if (finish_at_ == now_) return Record("finished"), true;
    if (ready_at_ == now_)
      workload::SetCondition(workload_, api::condition::kPodsReady, true, api::reason::kStarted, "",
                             now_);
    Reconcile();
    if (stop_at_ == now_) {
      Stop();
      if (!workload::IsActive(workload_)) return Record("deactivated"), true;
    }
    if (MayStart()) Start();
    return false;
  }

  void Reconcile() {
    for (int i = 0; i < 10; ++i) {
      const bool was_evicted = workload::IsEvicted(workload_);
      lifecycle::WorkloadPlan plan = lifecycle::PlanWorkload(workload_, context_, policy_, now_);
      requeue_at_ = plan.requeue_at;
      if (plan.write == lifecycle::WorkloadPlan::Write::kNothing) return;
      workload_ = std::move(plan.workload);
      if (!was_evicted && workload::IsEvicted(workload_)) OnEvicted();
    }
    ADD_FAILURE() << "plans do not settle";
  }

  void OnEvicted() {
    Record("evicted: " +
           api::FindCondition(workload_.status.conditions, api::condition::kEvicted)->reason);
    stop_at_ = now_ + base::Duration::Seconds(life_.stop_time);
    ready_at_ = finish_at_ = std::nullopt;
  }

  void Stop() {
    stop_at_.reset();
    workload::MarkStopped(workload_, now_);
    workload::SetCondition(workload_, api::condition::kPodsReady, false, api::reason::kWaitForStart,
                           "", now_);
    Reconcile();
  }

  bool MayStart() const {
    const api::Condition* requeued =
        api::FindCondition(workload_.status.conditions, api::condition::kRequeued);
    const auto& state = workload_.status.requeue_state;
    return !workload::HasReservation(workload_) && !is_drained_ &&
           (requeued == nullptr || requeued->status == api::kConditionTrue) &&
           !(state && state->requeue_at && *state->requeue_at > now_);
  }

  void Start() {
    Record("started");
    workload::MarkReserved(workload_, {.cluster_queue = "q"}, now_);
    workload::SyncAdmitted(workload_, now_);
    ready_at_ = now_ + base::Duration::Seconds(life_.ready_after);
    finish_at_ = *ready_at_ + base::Duration::Seconds(life_.run_time);
    if (ready_at_ == now_)
      workload::SetCondition(workload_, api::condition::kPodsReady, true, api::reason::kStarted, "",
                             now_);
    Reconcile();
  }

  void SetStopPolicies() {
    if (!life_.drain) return;
    is_drained_ = now_ >= input_.start + Drain::After(life_.drain->begin) &&
                  now_ < input_.start + Drain::After(life_.drain->end);
    auto& policy =
        life_.drain->is_local ? local_queue_.spec.stop_policy : cluster_queue_.spec.stop_policy;
    policy = is_drained_ ? api::kStopPolicyHoldAndDrain : api::kStopPolicyNone;
  }

  std::optional<base::Time> NextTime() const {
    std::vector<base::Time> times;
    for (const auto& at : {requeue_at_, stop_at_, ready_at_, finish_at_})
      if (at) times.push_back(*at);
    if (life_.drain) {
      times.push_back(input_.start + Drain::After(life_.drain->begin));
      times.push_back(input_.start + Drain::After(life_.drain->end));
    }
    std::erase_if(times, [&](base::Time at) { return at <= now_; });
    return times.empty() ? std::nullopt : std::optional(std::ranges::min(times));
  }

  void Record(std::string what) { transitions_.push_back({now_ - input_.start, std::move(what)}); }

  const Life& life_;
  const Input input_;
  lifecycle::LifecyclePolicy policy_;
  api::LocalQueue local_queue_;
  api::ClusterQueue cluster_queue_;
  lifecycle::WorkloadContext context_{
      .local_queue = &local_queue_, .cluster_queue = &cluster_queue_, .misconfiguration = {}};
  api::Workload workload_;
  base::Time now_;
  bool is_drained_ = false;
  std::optional<base::Time> requeue_at_, stop_at_, ready_at_, finish_at_;
  Transitions transitions_;
};

// --- Both ---------------------------------------------------------------------------------------

// The transitions of both, if they agree, with times in whole seconds.
std::vector<std::string> Played(const Life& life) {
  const Transitions simulated = Simulated(life);
  EXPECT_EQ(simulated, ControlledLife(life).Play());
  std::vector<std::string> texts;
  for (const Transition& t : simulated)
    texts.push_back(std::to_string(t.after.nanos / 1'000'000'000) + " " + t.what);
  return texts;
}

TEST(SimulatedLifecycle, PodsReadyInTimeRunToTheEnd) {
  EXPECT_THAT(Played({.timeout = 50, .ready_after = 50}), ElementsAre("0 started", "150 finished"));
}

TEST(SimulatedLifecycle, BackOffsDoubleUntilTheLimitDeactivates) {
  EXPECT_THAT(
      Played({.timeout = 50, .backoff_base = 20, .requeue_limit = 2, .ready_after = 51}),
      ElementsAre("0 started", "50 evicted: PodsReadyTimeout", "70 started",
                  "120 evicted: PodsReadyTimeout", "160 started",
                  "210 evicted: DeactivatedDueToRequeuingLimitExceeded", "210 deactivated"));
}

TEST(SimulatedLifecycle, BackOffsCountFromTheEvictionNotFromTheStop) {
  EXPECT_THAT(
      Played({.timeout = 50,
              .backoff_base = 20,
              .requeue_limit = 1,
              .ready_after = 51,
              .stop_time = 15}),
      ElementsAre("0 started", "50 evicted: PodsReadyTimeout", "70 started",
                  "120 evicted: DeactivatedDueToRequeuingLimitExceeded", "135 deactivated"));
}

TEST(SimulatedLifecycle, RequeuesBeforeTheSimulationCount) {
  EXPECT_THAT(Played({.timeout = 50, .requeue_limit = 3, .past_requeues = 3, .ready_after = 51}),
              ElementsAre("0 started", "50 evicted: DeactivatedDueToRequeuingLimitExceeded",
                          "50 deactivated"));
}

TEST(SimulatedLifecycle, TheGateRemovesTheDeadlineOfPods) {
  EXPECT_THAT(Played({.timeout = 50, .disables_waiting = true, .ready_after = 51}),
              ElementsAre("0 started", "151 finished"));
}

TEST(SimulatedLifecycle, TheTimeLimitCountsFromAdmissionAndDeactivates) {
  EXPECT_THAT(Played({.time_limit = 100, .ready_after = 30, .run_time = 90}),
              ElementsAre("0 started", "100 evicted: DeactivatedDueToMaximumExecutionTimeExceeded",
                          "100 deactivated"));
}

TEST(SimulatedLifecycle, TheTimeLimitSpansAdmissions) {
  EXPECT_THAT(
      Played({.timeout = 50,
              .backoff_base = 20,
              .time_limit = 100,
              .past_execution = 10,
              .ready_after = 51}),
      ElementsAre("0 started", "50 evicted: PodsReadyTimeout", "70 started",
                  "110 evicted: DeactivatedDueToMaximumExecutionTimeExceeded", "110 deactivated"));
}

TEST(SimulatedLifecycle, TheTimeLimitCountsUntilTheJobHasStopped) {
  EXPECT_THAT(Played({.time_limit = 35,
                      .stop_time = 10,
                      .drain = Drain{.is_local = true, .begin = 30, .end = 200}}),
              ElementsAre("0 started", "30 evicted: LocalQueueStopped", "40 deactivated"));
}

TEST(SimulatedLifecycle, ABackOffDefersTheTimeLimitToTheNextStart) {
  EXPECT_THAT(
      Played({.timeout = 50, .time_limit = 55, .ready_after = 51, .stop_time = 10}),
      ElementsAre("0 started", "50 evicted: PodsReadyTimeout", "110 started",
                  "110 evicted: DeactivatedDueToMaximumExecutionTimeExceeded", "120 deactivated"));
}

TEST(SimulatedLifecycle, DrainedQueuesEvictAndResume) {
  EXPECT_THAT(
      Played({.drain = Drain{.is_local = true, .begin = 30, .end = 200}}),
      ElementsAre("0 started", "30 evicted: LocalQueueStopped", "200 started", "300 finished"));
  EXPECT_THAT(
      Played({.drain = Drain{.is_local = false, .begin = 30, .end = 200}}),
      ElementsAre("0 started", "30 evicted: ClusterQueueStopped", "200 started", "300 finished"));
}

TEST(SimulatedLifecycle, ADrainDoesNotShortenABackOff) {
  EXPECT_THAT(
      Played({.timeout = 50,
              .backoff_base = 100,
              .requeue_limit = 1,
              .ready_after = 51,
              .drain = Drain{.is_local = true, .begin = 60, .end = 80}}),
      ElementsAre("0 started", "50 evicted: PodsReadyTimeout", "150 started",
                  "200 evicted: DeactivatedDueToRequeuingLimitExceeded", "200 deactivated"));
}

Life RandomLife(base::Random& random) {
  const auto upto = [&](int64_t most) { return random.Between(0, most); };
  Life life{.timeout = 1 + upto(60),
            .backoff_base = static_cast<int32_t>(upto(40)),
            .backoff_max = static_cast<int32_t>(upto(100)),
            .disables_waiting = random.Chance(8),
            .past_requeues = static_cast<int32_t>(upto(2)),
            .ready_after = upto(80),
            .run_time = upto(200),
            .stop_time = upto(20)};
  if (random.Chance(2)) life.requeue_limit = static_cast<int32_t>(upto(4));
  if (random.Chance(2)) life.time_limit = static_cast<int32_t>(1 + upto(300));
  if (life.time_limit && random.Chance(2))
    life.past_execution = static_cast<int32_t>(upto(*life.time_limit));
  if (random.Chance(2)) {
    const int64_t begin = upto(300);
    life.drain = Drain{.is_local = random.Chance(2), .begin = begin, .end = begin + 1 + upto(100)};
  }
  return life;
}

TEST(SimulatedLifecycle, AgreesWithTheControllerOnRandomLives) {
  base::Random random(1);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const Life life = RandomLife(random);
    EXPECT_EQ(Simulated(life), ControlledLife(life).Play()) << "life " << i;
  }
}

}  // namespace
}  // namespace berth::simulate

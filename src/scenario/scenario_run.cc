#include "scenario/scenario_run.h"

#include <algorithm>
#include <utility>

#include "api/config/configuration_rules.h"
#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "engine/engine.h"
#include "scenario/scenario_jobs.h"
#include "workload/convert/convert_admission.h"
#include "workload/convert/convert_workload.h"
#include "workload/state/cluster_state.h"
#include "workload/status_changes.h"

namespace berth::scenario {
namespace {

constexpr base::Duration kCycleTime = base::Duration::Seconds(1);
// Without a number of cycles, a step ends after this many cycles without a change. The first ones
// may only have advanced the flavor search.
constexpr int kQuietCycles = 3;
constexpr int kMaxCycles = 10'000;

// An outcome with all members empty.
template <class T>
void StartEmpty(T& outcome) {
  outcome.newly_admitted.emplace();
  outcome.preempted.emplace();
  outcome.evicted.emplace();
  outcome.finished.emplace();
}

// Pods are placed in scenarios with a Topology or a Node.
bool HasTopology(const Scenario& scenario) {
  return std::ranges::any_of(scenario.steps, [](const Step& step) {
    return std::ranges::any_of(step.apply, [](const api::Object& object) {
      return object.As<api::Node>() != nullptr || object.As<api::Topology>() != nullptr;
    });
  });
}

class Player {
 public:
  explicit Player(const Scenario& scenario)
      : cluster_(scenario.configuration, scenario.gates, {.topology = HasTopology(scenario)}),
        jobs_(scenario.configuration, scenario.gates, cluster_),
        configuration_errors_(
            Lines(api::ValidateConfiguration(scenario.configuration, scenario.gates))),
        configuration_warnings_(
            Lines(api::WarningsForConfiguration(scenario.configuration, scenario.gates))),
        now_(scenario.now) {}

  Outcome PlayStep(const Step& step) {
    StopPreempted();
    if (step.at) now_ = *step.at;
    Change(step);
    outcome_ = Outcome();
    StartEmpty(outcome_);
    outcome_.per_cycle.emplace();
    if (step.cycles) {
      RunCycles(*step.cycles);
    } else {
      RunUntilQuiet();
    }
    RecordFinalState();
    return std::move(outcome_);
  }

 private:
  // "field: message", each once.
  static std::vector<std::string> Lines(const schema::Problems& problems) {
    std::vector<std::string> lines;
    for (const schema::Problem& problem : problems) {
      std::string line = problem.field + ": " + problem.message;
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
    return lines;
  }

  void Change(const Step& step) {
    jobs_.SyncSuspension();
    for (const api::Object& object : step.apply) cluster_.Apply(object);
    for (const ObjectName& name : step.remove) {
      if (name.kind != nullptr) cluster_.Delete(*name.kind, name.namespace_, name.name);
    }
    for (const AnyObject& job : step.jobs) ApplyPod(job);
    jobs_.Change(step);
    for (const std::string& name : step.finish) {
      Rewrite(name, [&](api::Workload& w) {
        workload::MarkFinished(w, api::reason::kSucceeded, "Finished by the scenario", now_);
      });
    }
    cluster_.Sync(now_);
  }

  // Pods on nodes take room there, whether they are managed or not.
  void ApplyPod(const AnyObject& job) {
    std::optional<api::Pod> pod = PodOf(job);
    if (!pod || pod->spec.node_name.empty()) return;
    api::Object object(api::Pod::KindInfo());
    *object.As<api::Pod>() = *std::move(pod);
    cluster_.Apply(object);
  }

  template <class Change>
  void Rewrite(const std::string& name, Change change) {
    const api::Workload* known = cluster_.FindWorkload(name);
    if (known == nullptr) return;
    api::Workload workload = *known;
    change(workload);
    cluster_.Apply(workload);
  }

  void RunCycles(int count) {
    bool is_idle = false;
    for (int i = 0; i < count; ++i) {
      if (i > 0 && !is_idle) StopPreempted();
      is_idle = is_idle || !RunCycle();
      if (is_idle) outcome_.per_cycle->push_back(Snapshot());
      now_ = now_ + kCycleTime;
    }
  }

  void RunUntilQuiet() {
    int quiet = 0;
    for (int i = 0; i < kMaxCycles && quiet < kQuietCycles; ++i) {
      StopPreempted();
      if (!RunCycle()) return;
      now_ = now_ + kCycleTime;
      const std::vector<CycleOutcome>& cycles = *outcome_.per_cycle;
      const CycleOutcome& last = cycles.back();
      const bool is_same = last.newly_admitted->empty() && last.preempted->empty() &&
                           last.finished->empty() && cycles.size() > 1 &&
                           last == cycles[cycles.size() - 2];
      quiet = is_same ? quiet + 1 : 0;
    }
  }

  // False if no workload was pending.
  bool RunCycle() {
    const std::span<const engine::Decision> decisions = cluster_.engine().RunCycle(now_);
    if (decisions.empty()) return false;
    CycleOutcome cycle;
    StartEmpty(cycle);
    std::vector<api::Workload> changed;
    for (const engine::Decision& decision : decisions) Apply(decision, cycle, changed);
    for (const api::Workload& workload : changed) cluster_.Apply(workload);
    cluster_.Sync(now_);
    Append(cycle);
    CycleOutcome after = Snapshot();
    cycle.pending = std::move(after.pending);
    cycle.inadmissible = std::move(after.inadmissible);
    std::ranges::sort(*cycle.newly_admitted);
    outcome_.per_cycle->push_back(std::move(cycle));
    return true;
  }

  // Applies a decision as the controller would, and records it.
  void Apply(const engine::Decision& decision, CycleOutcome& cycle,
             std::vector<api::Workload>& changed) {
    const api::Workload& head = cluster_.WorkloadOf(decision.workload);
    const std::string name = workload::NamespacedName(head.metadata);
    if (decision.outcome == engine::Outcome::kAdmitted) {
      reasons_.Erase(name);
      cycle.newly_admitted->push_back(name);
      workload::MarkReserved(changed.emplace_back(head),
                             workload::ToAdmission(cluster_.engine(), decision.workload, head),
                             now_);
    } else if (decision.outcome == engine::Outcome::kPlaced) {
      ApplyPlacement(decision, changed.emplace_back(head));
    } else if (decision.outcome == engine::Outcome::kEvicted) {
      workload::MarkEvicted(changed.emplace_back(head),
                            {.reason = api::reason::kNodeFailures,
                             .cause = "",
                             .message = "There is no replacement for a failed node"},
                            now_);
      preempted_.push_back(name);
      cycle.evicted->Set(name, std::string(api::reason::kNodeFailures));
    } else if (!decision.is_second_pass) {
      reasons_.Set(name, std::string(workload::ReasonOf(decision.reason)));
    }
    for (const engine::PreemptionTarget& target : decision.targets) {
      const std::string_view reason = workload::ReasonOf(target.reason);
      api::Workload& preempted = changed.emplace_back(cluster_.WorkloadOf(target.workload));
      workload::MarkPreempted(preempted, reason, "Another workload needs its quota", now_);
      preempted_.push_back(workload::NamespacedName(preempted.metadata));
      cycle.preempted->Set(preempted_.back(), std::string(reason));
    }
    if (!decision.replaced.is_none()) {
      replaced_.push_back(
          workload::NamespacedName(cluster_.WorkloadOf(decision.replaced).metadata));
      cycle.finished->push_back(replaced_.back());
    }
  }

  void ApplyPlacement(const engine::Decision& decision, api::Workload& placed) {
    const auto& failed = placed.status.unhealthy_nodes;
    const std::string replaced = failed.empty() ? "" : failed.front().name;
    workload::MarkPlaced(placed,
                         workload::ToAdmission(cluster_.engine(), decision.workload, placed),
                         replaced, now_);
  }

  void Append(const CycleOutcome& cycle) {
    const auto append = [](Names& to, const Names& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(*outcome_.newly_admitted, *cycle.newly_admitted);
    append(*outcome_.finished, *cycle.finished);
    for (const auto& [name, reason] : *cycle.preempted) outcome_.preempted->Set(name, reason);
    for (const auto& [name, reason] : *cycle.evicted) outcome_.evicted->Set(name, reason);
  }

  // Stops workloads that the last cycle preempted or replaced.
  void StopPreempted() {
    for (const std::string& name : std::exchange(replaced_, {})) {
      Rewrite(name, [&](api::Workload& w) {
        workload::MarkFinished(w, api::reason::kWorkloadSliceReplaced, "Another slice replaces it",
                               now_);
      });
    }
    for (const std::string& name : std::exchange(preempted_, {})) {
      const api::Workload* known = cluster_.FindWorkload(name);
      if (known == nullptr || !workload::HoldsQuota(*known)) continue;
      Rewrite(name, [&](api::Workload& w) { workload::MarkStopped(w, now_); });
    }
    cluster_.Sync(now_);
  }

  Names NamesOf(const std::vector<engine::WorkloadId>& ids) const {
    Names names;
    for (const engine::WorkloadId id : ids)
      names.push_back(workload::NamespacedName(cluster_.WorkloadOf(id).metadata));
    std::ranges::sort(names);
    return names;
  }

  // Pending workloads of a cycle without decisions.
  CycleOutcome Snapshot() const {
    CycleOutcome cycle;
    StartEmpty(cycle);
    cycle.pending.emplace();
    cycle.inadmissible.emplace();
    cluster_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId id) {
      Names active = NamesOf(cluster_.engine().ActiveIn(id));
      Names inadmissible = NamesOf(cluster_.engine().InadmissibleIn(id));
      if (!active.empty()) cycle.pending->Set(queue.metadata.name, std::move(active));
      if (!inadmissible.empty())
        cycle.inadmissible->Set(queue.metadata.name, std::move(inadmissible));
    });
    return cycle;
  }

  // Reservations in inactive queues are omitted.
  void RecordFinalState() {
    CycleOutcome end = Snapshot();
    outcome_.pending = std::move(end.pending);
    outcome_.inadmissible = std::move(end.inadmissible);
    outcome_.admissions.emplace();
    cluster_.ForEachWorkload([&](const api::Workload& workload) {
      if (!workload::HoldsQuota(workload)) return;
      const std::string& queue = workload.status.admission->cluster_queue;
      if (cluster_.engine().FindClusterQueue(queue).is_none() ||
          !cluster_.InactiveReason(queue).empty())
        return;
      outcome_.admissions->Set(workload::NamespacedName(workload.metadata),
                               *workload.status.admission);
    });
    for (Names* names : {&*outcome_.newly_admitted, &*outcome_.finished}) {
      std::ranges::sort(*names);
      names->erase(std::ranges::unique(*names).begin(), names->end());
    }
    outcome_.reasons = reasons_;
    jobs_.SyncSuspension();
    outcome_.jobs = jobs_.Outcomes();
    outcome_.configuration_errors = configuration_errors_;
    outcome_.configuration_warnings = configuration_warnings_;
  }

  workload::ClusterState cluster_;
  ScenarioJobs jobs_;
  std::vector<std::string> configuration_errors_;
  std::vector<std::string> configuration_warnings_;
  base::Time now_;
  Outcome outcome_;
  Names preempted_;  // in the last cycle
  Names replaced_;   // slices, in the last cycle
  Reasons reasons_;
};

}  // namespace

std::vector<Outcome> Play(const Scenario& scenario) {
  Player player(scenario);
  std::vector<Outcome> outcomes;
  for (const Step& step : scenario.steps) outcomes.push_back(player.PlayStep(step));
  return outcomes;
}

}  // namespace berth::scenario

#pragma once

// The part of the controller that is about pods: finds what pods wait in, what they are seen
// against, and has what follows done. StatefulSets and LeaderWorkerSets are jobs of the controller;
// their pods are marked here, so that they wait in the group of their set.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "control/job_desk.h"
#include "control/job_world.h"
#include "control/pod_desk.h"
#include "jobs/integration_set.h"
#include "store/informer.h"

namespace berth::control {

class PodController {
 public:
  struct Hooks {
    std::function<void()> on_touched;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const Fact&)> observe;
  };

  // `jobs` are for the sets that pods belong to. All that is referred to must outlive this.
  PodController(store::Store& store, store::Executor& executor, JobWorld world, const JobDesk& jobs,
                const jobs::IntegrationSet& integrations, Hooks hooks);
  ~PodController();

  // Whether pods concern anybody: they are managed, or a kind that waits through them is.
  static bool IsNeeded(const jobs::IntegrationSet& integrations,
                       const jobs::ManagedJobsPolicy& managed);

  void OnPodChange(const store::Change& change);
  // Came, changed, or is gone.
  void OnWorkload(const api::Workload& workload);
  void OnSet(const JobKey& set);
  // Those of one namespace, or of all if it is "".
  void TouchAll(std::string_view namespace_name);

  void Plan(base::Time now);

  bool HasPod(std::string_view uid) const { return desk_.FindByUid(uid) != nullptr; }
  bool is_idle() const { return desk_.is_idle(); }

 private:
  void Touch(const PodUnitKey& key);
  void TellOfRelease(const PodUnitKey& key) const;
  void PlanUnit(const PodUnitKey& key, base::Time now);
  PodSurroundings SurroundingsOf(const PodUnitKey& key, const PodUnit& unit) const;
  bool AreWorkloadsBusy(const PodSurroundings& around) const;
  // What the pod's set must have written to it; nothing if it has no set, or needs nothing.
  PodPlan MarksFor(const PodUnit& unit) const;
  const jobs::Integration* SetKindOf(const api::Pod& pod) const;
  const JobDesk::Job* FindSet(const api::Pod& pod, const jobs::Integration& kind) const;
  // Nullopt: they are not our business.
  std::optional<PodPlan> PlanByManagement(const PodUnit& unit, const PodSurroundings& around,
                                          base::Time now) const;
  void LookAgainAt(const PodUnitKey& key, base::Time when, base::Time now);

  store::Executor& executor_;
  JobWorld world_;
  const JobDesk& jobs_;
  const jobs::IntegrationSet& integrations_;
  Hooks hooks_;
  PodDesk desk_;
  std::set<PodUnitKey> touched_;
  std::map<PodUnitKey, base::Time> looks_;  // when a unit is looked at again
  std::shared_ptr<PodController*> self_;
};

}  // namespace berth::control

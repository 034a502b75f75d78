#pragma once

// The part of the controller that is about jobs, other than pods: finds what they are seen against,
// and has what follows done. StatefulSets and LeaderWorkerSets are jobs here, too.

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/job_desk.h"
#include "control/job_world.h"
#include "store/informer.h"

namespace berth::control {

class JobController {
 public:
  struct Hooks {
    std::function<void()> on_touched;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const Fact&)> observe;
  };

  // What the world refers to must outlive this.
  JobController(store::Store& store, store::Executor& executor, JobWorld world, Hooks hooks);
  ~JobController();

  void OnChange(const jobs::Integration& integration, const store::Change& change);
  // Came, changed, or is gone.
  void OnWorkload(const api::Workload& workload);
  // Adds what its job has to say to a status that is about to be written.
  void CompleteStatus(api::Workload& workload) const;
  // Those of one namespace, or of all if it is "".
  void TouchAll(std::string_view namespace_name);
  void TouchAllOf(const jobs::Integration& integration);

  void Plan(base::Time now);

  const JobDesk& desk() const { return desk_; }

 private:
  void Touch(const JobKey& key);
  void PlanAt(const JobKey& key, base::Time now);
  jobs::ManagedReason ManagedReasonOf(const JobKey& key, const api::ObjectMeta& metadata) const;
  JobPlan PlanByManagement(const JobKey& key, const JobDesk::Job& job,
                           const api::ObjectMeta& metadata, const JobSurroundings& around,
                           base::Time now) const;
  std::vector<const api::Workload*> WorkloadsOf(const JobKey& key,
                                                const api::ObjectMeta& metadata) const;

  store::Executor& executor_;
  JobWorld world_;
  Hooks hooks_;
  JobDesk desk_;
  std::set<JobKey> touched_;
  std::shared_ptr<JobController*> self_;
};

}  // namespace berth::control

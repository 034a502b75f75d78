#pragma once

// Where jobs are kept as they are known, and what is planned for them is written, one job at a
// time.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/event_recorder.h"
#include "control/fact.h"
#include "control/job_plan.h"
#include "control/workload_desk.h"
#include "jobs/integration.h"
#include "store/store.h"

namespace berth::control {

// A job among all jobs.
struct JobKey {
  const jobs::Integration* integration = nullptr;
  std::string namespace_;
  std::string name;

  friend auto operator<=>(const JobKey& a, const JobKey& b) {
    return std::tie(a.integration->framework, a.namespace_, a.name) <=>
           std::tie(b.integration->framework, b.namespace_, b.name);
  }
  friend bool operator==(const JobKey& a, const JobKey& b) { return (a <=> b) == 0; }
};

class JobDesk {
 public:
  struct Job {
    store::Object text;
    store::json::value tree;
    bool is_busy = false;
  };
  struct Hooks {
    std::function<void(const JobKey&)> on_known;  // came, changed, went, or is no longer busy
    std::function<void(const JobKey&, const store::Failure&)> on_failure;
    std::function<void(const WorkloadMade&)> on_made;
  };

  JobDesk(store::Store& store, store::Executor& executor, WorkloadDesk& workloads,
          EventRecorder& events, Hooks hooks);
  ~JobDesk();

  // What a watch says; null if it was deleted.
  void OnSeen(const JobKey& key, const store::Object* object);

  const Job* Find(const JobKey& key) const;
  // Null if there is none of this uid.
  const JobKey* FindByUid(std::string_view uid) const;
  bool is_idle() const { return busy_ == 0; }
  void ForEach(const std::function<void(const JobKey&, const Job&)>& visit) const;

  // The job must not be busy, nor one of the Workloads that the plan changes.
  void Perform(const JobKey& key, JobPlan plan);

 private:
  struct Work;

  void Learn(const JobKey& key, const store::Object& object);
  void Next(std::shared_ptr<Work> work);
  void Release(const Work& work);
  void Done(const Work& work);
  void TryLater(const Work& work);
  void OnRefused(const Work& work, const store::Failure& failure);
  void LearnWritten(const Work& work, const store::Object& object);
  void LearnCreated(const Work& work, const store::Object& object);
  void Act(const std::shared_ptr<Work>& work, const CreateWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const ChangeWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const DeleteWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const WriteJob& action);
  void Act(const std::shared_ptr<Work>& work, const DeleteJob& action);
  void Send(const std::shared_ptr<Work>& work, store::Call call, bool is_of_job);
  void Tell(const Work& work);

  store::Store& store_;
  store::Executor& executor_;
  WorkloadDesk& workloads_;
  EventRecorder& events_;
  Hooks hooks_;
  std::map<JobKey, Job> jobs_;
  std::map<std::string, JobKey, std::less<>> by_uid_;
  size_t busy_ = 0;
  std::shared_ptr<JobDesk*> self_;
};

store::Resource ResourceOf(const jobs::Integration& integration);

}  // namespace berth::control

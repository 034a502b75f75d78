#pragma once

// Runs the plans of jobs, one plan per job at a time.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/reconcile/job_cache.h"
#include "control/reconcile/job_plan.h"
#include "control/report/controller_event.h"
#include "control/write/event_recorder.h"
#include "control/write/object_writer.h"
#include "control/write/workload_writer.h"
#include "store/store.h"

namespace berth::control {

class JobWriter {
 public:
  struct Hooks {
    // A plan ended, or its failure is worth another plan.
    std::function<void(const JobKey&)> replan;
    std::function<void(const JobKey&, const store::Failure&)> on_failure;  // for logs
    std::function<void(const WorkloadCreated&)> on_workload_created;
  };

  // Everything that is referred to must outlive the writer.
  JobWriter(store::Store& store, store::Executor& executor, JobCache& jobs,
            WorkloadWriter& workloads, EventRecorder& events, Hooks hooks);
  ~JobWriter();

  bool IsBusy(const JobKey& key) const;
  bool is_idle() const { return writer_.is_idle(); }

  // The job must be known and not busy. Its Events are recorded once all actions are done.
  void Run(const JobKey& key, JobPlan plan);
  // The watch delivered another version of the job.
  void OnWatchEvent(const JobKey& key);

 private:
  using Write = ObjectWriter::Write;
  struct Work;

  void Add(const std::shared_ptr<Work>& work, const CreateWorkload& action,
           std::vector<Write>& writes);
  void Add(const std::shared_ptr<Work>& work, const ChangeWorkload& action,
           std::vector<Write>& writes);
  void Add(const std::shared_ptr<Work>& work, const DeleteWorkload& action,
           std::vector<Write>& writes);
  void Add(const std::shared_ptr<Work>& work, const WriteJob& action, std::vector<Write>& writes);
  void Add(const std::shared_ptr<Work>& work, const DeleteJob& action, std::vector<Write>& writes);
  ObjectWriter::Request PatchTo(const Work& work, const jobs::JobWrite& write) const;
  ObjectWriter::Request Deletion(const JobKey& key) const;
  void OnCreated(const JobKey& key, const store::Object& object);
  static std::vector<ObjectWriter::ObjectEvent> EventsOf(const Work& work);

  JobCache& jobs_;
  WorkloadWriter& workloads_;
  Hooks hooks_;
  ObjectWriter writer_;
};

}  // namespace berth::control

#pragma once

// Runs the plans of pods, one plan per unit (a single pod or a group) at a time.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/reconcile/pod_cache.h"
#include "control/reconcile/pod_plan.h"
#include "control/report/controller_event.h"
#include "control/write/event_recorder.h"
#include "control/write/object_writer.h"
#include "control/write/workload_writer.h"
#include "store/store.h"

namespace berth::control {

class PodWriter {
 public:
  struct Hooks {
    // A plan ended, a write of it changed the pods, or its failure is worth another plan.
    std::function<void(const PodUnitKey&)> replan;
    std::function<void(const PodUnitKey&, const store::Failure&)> on_failure;  // for logs
    std::function<void(const WorkloadCreated&)> on_workload_created;
    std::function<void(const PodUnitKey&)> on_ungated;  // the gate of one of its pods is removed
  };

  // Everything that is referred to must outlive the writer.
  PodWriter(store::Store& store, store::Executor& executor, PodCache& pods,
            WorkloadWriter& workloads, EventRecorder& events, Hooks hooks);
  ~PodWriter();

  bool IsBusy(const PodUnitKey& key) const;
  bool is_idle() const { return writer_.is_idle(); }

  // The unit must not be busy. Events are recorded once all actions are done.
  void Run(const PodUnitKey& key, PodPlan plan);
  // The watch delivered another version of a pod of the unit.
  void OnWatchEvent(const PodUnitKey& key);

 private:
  using Request = ObjectWriter::Request;
  using Write = ObjectWriter::Write;
  struct Work;

  ObjectWriter::Cache CacheHooks();
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const CreateWorkload& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const ChangeWorkload& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const DeleteWorkload& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const WritePod& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const RemovePodFinalizer& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const StopPod& action);
  std::vector<Write> WritesOf(const std::shared_ptr<Work>& work, const DeletePod& action);
  // Null if the pod that the plan means is gone.
  const PodCache::Entry* FindPod(const Work& work, const std::string& pod) const;
  Request BuildPatch(Work& work, const WritePod& action) const;
  Request BuildFinalizerRemoval(const Work& work, const RemovePodFinalizer& action) const;
  Request BuildStop(const Work& work, const StopPod& action) const;
  Request BuildDelete(const Work& work, const std::string& pod) const;
  void OnCreated(const PodUnitKey& key, const store::Object& object);
  static std::vector<ObjectWriter::ObjectEvent> EventsOf(const Work& work);

  store::Executor& executor_;
  PodCache& pods_;
  WorkloadWriter& workloads_;
  Hooks hooks_;
  ObjectWriter writer_;
};

}  // namespace berth::control

#pragma once

// Removes the scheduling gates of placed pods. A job that was admitted with a topology assignment
// creates its pods with a gate; each pod loses it in the same write that pins the pod to a domain.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/kueue/workload.h"
#include "control/placement/placed_pods.h"
#include "control/placement/ungating.h"
#include "control/report/controller_event.h"
#include "control/write/object_writer.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// Everything runs on the executor.
class PodUngater {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const ControllerEvent&)> observe;
  };

  // Everything that is referred to must outlive this. Answers of the API server update `pods`.
  PodUngater(store::Store& store, store::Executor& executor, const workload::ClusterState& cluster,
             PlacedPods& pods, EventRecorder& events, Hooks hooks);
  ~PodUngater();

  // The cache knows another version of a pod, whose Workloads those were or are.
  void OnPodChange(const store::ObjectName& pod, const std::set<store::ObjectName>& workloads);
  // The same of all pods of Workloads, by PodOwnerName.
  void OnPodsOf(const std::set<store::ObjectName>& owners);
  // A Workload was created, changed or deleted. Returns whether it is placed.
  bool OnWorkload(const api::Workload& workload);
  void OnWorkloadDeleted(const api::Workload& workload);

  void Plan();
  bool is_idle() const { return writer_.is_idle(); }

 private:
  void Enqueue(const store::ObjectName& owner);
  void PlanPodsOf(const store::ObjectName& owner);
  // The Workload that the pods run on; null if none is placed.
  const api::Workload* WorkloadOf(const store::ObjectName& owner);
  void Ungate(const store::ObjectName& owner, const std::string& workload, Ungating ungating);
  ObjectWriter::Request BuildUngate(const store::ObjectName& pod) const;
  void ReportUngated(const std::string& workload, const store::ObjectName& pod) const;
  ObjectWriter::Cache CacheHooks();

  store::Executor& executor_;
  const workload::ClusterState& cluster_;
  PlacedPods& pods_;
  Hooks hooks_;
  std::map<store::ObjectName, std::set<std::string>> placed_;  // Workloads by PodOwnerName
  std::map<store::ObjectName, NodeLabels> in_flight_;          // domains being written, by pod
  std::set<store::ObjectName> queued_;
  ObjectWriter writer_;
};

}  // namespace berth::control

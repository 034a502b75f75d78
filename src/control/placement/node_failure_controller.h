#pragma once

// Watches over the nodes of placed Workloads: lists failed nodes in their status, evicts those that
// lose several, and sets pods to Failed that can never start (node_failure_plan.h).
//
// Cost, with w the Workloads on a node and n the nodes of a Workload:
//   - a heartbeat of a node that changes nothing: one look-up, and no plan;
//   - a node that changes: w enqueued Workloads, found through an index;
//   - a change of a Workload or of its pods: n look-ups and a pass over its pods; the full plan
//     only while one of its nodes is listed, not ready or has a taint that is not tolerated for
//     good, or one of its pods waits on another node;
//   - memory: the names of the nodes of all placed Workloads, twice.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/keyed_timer.h"
#include "control/placement/node_failure_plan.h"
#include "control/placement/node_health.h"
#include "control/placement/node_reports.h"
#include "control/placement/placed_pods.h"
#include "control/placement/pod_tolerations.h"
#include "control/reconcile/controller_context.h"
#include "control/write/object_writer.h"
#include "store/store.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

// Everything runs on the executor.
class NodeFailureController {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    std::function<void(std::string_view)> log;
  };

  // Everything that is referred to must outlive this. Answers of the API server update `pods`.
  NodeFailureController(store::Store& store, store::Executor& executor,
                        const ControllerContext& context, PlacedPods& pods,
                        const NodeFailurePolicy& policy, Hooks hooks);
  ~NodeFailureController();

  // Nodes.
  void AddHandlers(workload::ObjectHandlers& handlers);
  // A Workload was created, changed or deleted.
  void OnWorkload(const api::Workload& workload);
  void OnWorkloadDeleted(const api::Workload& workload);
  // `pods` knows another version of a pod, whose Workloads those were or are.
  void OnPodChange(const store::ObjectName& pod, const std::set<store::ObjectName>& workloads);
  // The same of all pods of Workloads, by PodOwnerName.
  void OnPodsOf(const std::set<store::ObjectName>& owners);

  // Plans the enqueued Workloads that are not being written.
  void Plan(base::Time now);
  bool is_idle() const { return writer_.is_idle(); }

 private:
  // A Workload that is placed on nodes.
  struct Placed {
    store::ObjectName owner;  // PodOwnerName
    AssignedNodes nodes;
    NodeReports reports = {};
    std::string version = {};  // of the Workload that `nodes` was read from
    // As the flavors were when they first mattered to this version of the Workload.
    std::optional<PodTolerations> tolerations = {};
  };

  void Enqueue(const std::string& workload);
  void EnqueueOn(const std::set<std::string>& hosts);
  // Updates what is known of the Workload. Null if it is not placed on nodes.
  Placed* UpdatePlaced(const std::string& name, const api::Workload* workload);
  void Insert(const std::string& name, Placed placed);
  void Erase(const std::string& name);
  bool NeedsPlan(Placed& placed, const api::Workload& workload) const;
  // Whether all pods of these pod sets can stay on the node, for good.
  bool CanStay(const std::string& host, const std::vector<std::string>& pod_sets, Placed& placed,
               const api::Workload& workload) const;
  jobs::FindFlavor FlavorLookup() const;
  void PlanOne(const std::string& name, const api::Workload& workload, Placed& placed,
               base::Time now);
  void FailPod(const store::ObjectName& pod, const LostPod& lost);
  ObjectWriter::Request BuildFailure(const store::ObjectName& pod, const std::string& uid,
                                     const std::string& message) const;
  ObjectWriter::Cache CacheHooks();

  store::Executor& executor_;
  ControllerContext context_;
  PlacedPods& pods_;
  NodeFailurePolicy policy_;
  Hooks hooks_;
  NodeHealthCache nodes_;
  std::map<std::string, Placed, std::less<>> placed_;                       // by Workload
  std::map<std::string, std::set<std::string>, std::less<>> workloads_on_;  // by host name
  std::map<store::ObjectName, std::set<std::string>> workloads_of_;         // by PodOwnerName
  std::set<std::string> queued_;
  KeyedTimer<std::string> requeues_;  // by Workload
  ObjectWriter writer_;
};

}  // namespace berth::control

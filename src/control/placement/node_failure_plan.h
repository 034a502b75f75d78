#pragma once

// Plans for a Workload that is placed on nodes, when nodes fail.
//
// A node has failed for a Workload:
//   - at once if it is gone or has no condition Ready;
//   - while it is not ready, or has a taint NoSchedule or NoExecute that the pods do not tolerate,
//     as soon as no pod of the Workload progresses there: is bound to it, not being deleted and not
//     ended;
//   - while its taints are tolerated for a limited time, once pods of the Workload are being
//     deleted there and none progresses or waits to start.
// Without TASReplaceNodeOnPodTermination pods do not matter: the node has failed once it was not
// ready for 30 s, and at once when it is tainted. Time matters in addition with
// TASReplaceNodeDueToNotReadyOverFixedTime. Taints matter with TASReplaceNodeOnNodeTaints.
//
// status.unhealthyNodes names the failed node until the scheduler has replaced it in the topology
// assignment, or until it recovers. The scheduler replaces one node at a time, so the list has one
// entry although the API allows eight: a Workload that loses another node meanwhile is evicted. A
// failure is reported once. If the scheduler keeps the node, as it does for the Workload of a
// single pod, the node is not reported again until it has recovered.
//
// A pod that is pinned to a node by its node selector and not bound yet never starts if the node
// has failed for the Workload, or is not in the assignment of its pod set any more. Such pods are
// set to Failed, so that their owners create new ones. Pods of a pod set whose topology does not
// end at nodes are pinned by their own node selector, and left alone.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "control/placement/node_failure_policy.h"
#include "control/placement/node_health.h"
#include "control/placement/placed_pods.h"
#include "jobs/pods/pod_set_info.h"
#include "lifecycle/workload_plan.h"

namespace berth::control {

// Kueue's name for what watches over nodes, in Events.
inline constexpr std::string_view kNodeFailureReporter = "tas-resource-flavor-controller";

// The nodes of a topology assignment by host name, each with the pod sets that have pods there.
using AssignedNodes = std::map<std::string, std::vector<std::string>, std::less<>>;

// The nodes that may fail for a Workload: those that it is placed on. None if it has no quota, is
// evicted or finished, runs on another cluster, or if nodes are not a level of its topology.
AssignedNodes NodesOf(const api::Workload& workload);

// Whether the pod waits to start on a node that has left the assignment of its pod set. Cost: a
// look-up, and a pass over the nodes for a pod that waits elsewhere.
bool IsLost(const PlacedPod& pod, const AssignedNodes& nodes);

struct NodeFailureContext {
  const AssignedNodes& nodes;             // of the Workload
  const PlacedPods::Pods& pods;           // of the Workload
  const std::set<std::string>& reported;  // nodes that were unhealthy since they failed
  std::function<const NodeHealth*(std::string_view host)> find_node;  // null: gone
  jobs::FindFlavor find_flavor;
};

// A pod to set to Failed.
struct LostPod {
  std::string name;
  std::string message;

  friend bool operator==(const LostPod&, const LostPod&) = default;
};

struct NodeFailurePlan {
  lifecycle::WorkloadPlan workload;
  std::vector<LostPod> lost_pods;
  std::set<std::string> failed;  // nodes that have failed, reported or not
};

NodeFailurePlan PlanNodeFailures(const api::Workload& workload, const NodeFailureContext& context,
                                 const NodeFailurePolicy& policy, base::Time now);

}  // namespace berth::control

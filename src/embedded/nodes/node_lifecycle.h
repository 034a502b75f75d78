#pragma once

// What the kubelet and the node controller of a cluster write for a node, and which pods they
// evict.
//
//   registration  a node without the condition Ready is made ready, with the resources of a small
//                 machine if it does not say otherwise
//   failure       a node that is not ready has the taints node.kubernetes.io/not-ready, or
//                 …/unreachable if its condition Ready is Unknown, NoSchedule and NoExecute
//   eviction      pods that do not tolerate a taint NoExecute leave at once, those that tolerate it
//                 for a limited time leave then, counted from the taint or the start of the pod,
//                 whichever is later. Taints of failures are tolerated for a short time, if the pod
//                 does not say otherwise
//
// The condition Ready is only ever set by users: that is how a node fails.

#include <optional>
#include <string_view>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "base/time.h"
#include "embedded/nodes/simulated_nodes.h"

namespace berth::embedded {

bool IsReady(const api::Node& node);
// The kubelet does not answer: the condition Ready is Unknown.
bool IsUnreachable(const api::Node& node);

// The node as it should be; nullopt if it is. Spec and status are written separately.
std::optional<api::Node> SimulateNode(const api::Node& node, base::Time now);

// When the pod has to leave the node; nullopt: it may stay. Precondition: taints NoExecute have a
// time, as SimulateNode sees to.
std::optional<base::Time> LeavesAt(const api::Pod& pod, const api::Node& node,
                                   const SimulationSettings& settings, base::Time now);

}  // namespace berth::embedded

#pragma once

// The parts of nodes and pods that placement reads. A cluster has many of both, and most of their
// text is about other things: images, volumes, heartbeats.

#include <string>
#include <string_view>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/workload.h"

namespace berth::workload {

// Name, labels, taints, what is allocatable, and whether it is schedulable and ready.
api::Node ReducedNode(const api::Node& node);

// Whether the pod has one of the annotations with which jobs start every template that has a
// topology assignment. Other pods of a placed Workload run wherever the scheduler puts them.
bool HasTopologyMark(const api::ObjectMeta& pod);

// Of a pod that takes room on a node: the node, its requests as those of one container, whether it
// is being deleted, its Workload and its topology marks. Of others the name alone.
api::Pod ReducedPod(const api::Pod& pod);

// What a Workload and its pods have in common: the name of the Workload or, of an elastic job, that
// of its first slice. "" if the pod belongs to none.
std::string_view OwnerNameOfPod(const api::ObjectMeta& pod);
std::string_view PodOwnerNameOf(const api::Workload& workload);
// The same with the namespace. "" if the pod has no topology mark, too.
std::string WorkloadKey(const api::Pod& pod);
std::string WorkloadKey(const api::Workload& workload);

}  // namespace berth::workload

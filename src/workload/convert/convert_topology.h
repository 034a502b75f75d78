#pragma once

// Converts topologies, nodes and the topology requests of podsets to specs of the engine, and
// placements back.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/admission.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/workload.h"
#include "engine/engine.h"
#include "engine/spec.h"
#include "workload/topology/node_match_table.h"

namespace berth::workload {

engine::TopologySpec ToEngine(const api::Topology& topology);
engine::TopologyFlavorSpec ToTopologyFlavor(const api::ResourceFlavor& flavor,
                                            engine::Engine& names);
// The condition Ready; null if the node has none.
const api::CoreCondition* FindReady(const api::Node& node);
// Its label kubernetes.io/hostname, by which topology assignments name it; its name without one.
const std::string& HostOf(const api::Node& node);
// A node takes part if it is schedulable and its condition Ready is True.
engine::ClusterNodeSpec ToEngine(const api::Node& node, engine::Engine& names);

// Whether the pod takes room on its node: it is bound and has not ended.
bool OccupiesNode(const api::Pod& pod);
// The requests of one pod, with itself as one of `pods`.
std::vector<engine::Request> NodeRequests(const api::PodSpec& pod, engine::Engine& names);

// Whether the podset asks for a topology itself.
bool HasTopologyRequest(const api::PodSet& pod_set);
// The slices of a request, outermost first.
std::vector<engine::SliceLayer> SlicesOf(const api::PodSetTopologyRequest& request);

// A flavor of a ClusterQueue as topology requests see it.
struct TopologyFlavor {
  const std::vector<std::string>* levels = nullptr;   // null: the flavor has no topology
  const std::vector<std::string>* covered = nullptr;  // resources of its resource group
};

// Whether podsets without a request are placed too: all flavors of the queue have a topology.
bool ImpliesTopology(std::span<const TopologyFlavor> flavors);
// Whether the podset may use the flavor, as far as its topology request is concerned.
bool MatchesTopology(const api::PodSet& pod_set, bool is_implied, const TopologyFlavor& flavor);

// The requests of a workload's podsets, adjusted (pod_requests.h). Absent if none is placed.
std::optional<engine::WorkloadTopology> ToTopology(const api::Workload& workload,
                                                   std::span<const api::PodSet> pod_sets,
                                                   bool is_implied, NodeMatchTable& matches,
                                                   engine::Engine& names);

// Whether the admission of the workload has a topology assignment.
bool HasPlacement(const api::Workload& workload);
// Whether the domains of an assignment with `levels` are leaves of a topology with
// `topology_levels`: of the same levels, or hosts of both.
bool HasSameLeaves(const std::vector<std::string>& levels,
                   const std::vector<std::string>& topology_levels);
// Whether a domain of the assignment is this node.
bool UsesNode(const api::TopologyAssignment& assignment, std::string_view node);
// Why a workload with quota needs another decision.
engine::SecondPass SecondPassOf(const api::Workload& workload);

// The domains of an assignment, in either encoding. Of a forged one with more than `most` pods, the
// first domains that have so many.
std::vector<engine::DomainPods> ToDomains(const api::TopologyAssignment& assignment, int32_t most,
                                          engine::Engine& names);
api::TopologyAssignment ToTopologyAssignment(const engine::Engine& engine, engine::FlavorId flavor,
                                             std::span<const engine::DomainPods> domains,
                                             api::SliceCuts cuts);

}  // namespace berth::workload

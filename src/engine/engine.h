#pragma once

// The admission engine: decides which workloads get quota, when, in which flavors, and which
// workloads are preempted.
//
// A deterministic state machine without I/O, clock, threads or randomness. Objects come in as specs
// (spec.h), time as an argument; decisions come out with their reasons. The same calls in the same
// order give the same decisions on every machine. The order of calls that describe one state does
// not matter either, since every order of workloads and queues ends in a name or uid.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "base/time.h"
#include "engine/explain/blocked_option.h"
#include "engine/flavor/assignment.h"
#include "engine/ids.h"
#include "engine/options.h"
#include "engine/preemption/targets.h"
#include "engine/spec.h"
#include "engine/state.h"

namespace berth::engine {

enum class Outcome : uint8_t {
  kAdmitted,    // holds quota from now on
  kPreempting,  // its preemption targets are marked; pending until they are gone
  kDeferred,    // fits once the preemption targets of others are gone
  kSkipped,     // would fit, but another head took the quota or the targets in this cycle
  kNoFit,
  kNoCandidates,  // could preempt, but has no candidates
  kPreemptionGated,
  kInvalid,  // its own properties forbid admission
  kNamespaceMismatch,
  kClaimMissing,
  // Of a workload that held quota already:
  kPlaced,   // its pods have a place now
  kEvicted,  // no place for the pods of a failed node
};

// The decision of a cycle about one head. Pointers are valid until the next call to the engine.
struct Decision {
  WorkloadId workload;
  NodeId cluster_queue;
  Outcome outcome = Outcome::kNoFit;
  WaitReason reason = WaitReason::kNone;
  const Assignment* assignment = nullptr;     // null if none was tried
  std::span<const PreemptionTarget> targets;  // newly marked; targets marked earlier are omitted
  std::span<const BlockedOption> blocked_options;  // set if the reason is kAdmissionConstrained
  WorkloadId replaced;                             // the slice replaced by an admitted one
  bool is_inadmissible = false;                    // false: it stays in the queue
  bool was_recomputed = false;  // earlier heads had taken some of its preemption targets
  bool is_second_pass = false;  // it held quota already
};

struct PendingCounts {
  size_t active = 0;
  size_t inadmissible = 0;
};

// Consumption of a resource by a LocalQueue, in nano-units (of cores, bytes, …).
struct ConsumedResource {
  ResourceId resource;
  base::Int128 nanos = 0;
};

struct Explanation;   // explanation.h
struct TopologyRoom;  // topology_room.h

class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // --- Names: dense, permanent ids ---------------------------------------------------------------
  FlavorId Flavor(std::string_view name);
  ResourceId Resource(std::string_view name);
  LocalQueueId LocalQueue(std::string_view namespaced_name);
  const std::string& FlavorName(FlavorId id) const;
  const std::string& ResourceName(ResourceId id) const;
  const std::string& LocalQueueName(LocalQueueId id) const;
  const std::string& ClusterQueueName(NodeId id) const;
  // None if the ClusterQueue does not exist.
  NodeId FindClusterQueue(std::string_view name) const;

  // --- Configuration -----------------------------------------------------------------------------

  // Creates or replaces. Requeues the inadmissible workloads of the affected trees.
  NodeId SetClusterQueue(const ClusterQueueSpec& spec);
  void RemoveClusterQueue(NodeId queue);
  void SetCohort(const CohortSpec& spec);
  void RemoveCohort(std::string_view name);
  // Whether the queue is below cohorts that form a cycle.
  bool IsInCohortCycle(NodeId queue) const;
  // Topology-aware scheduling; only with EngineOptions::topology. Changes of topologies and flavors
  // requeue the workloads that they may help; those of nodes do not, see RequeueUsersOf.
  void SetTopology(const TopologySpec& spec);
  void RemoveTopology(std::string_view name);
  void SetTopologyFlavor(const TopologyFlavorSpec& spec);
  void RemoveTopologyFlavor(FlavorId flavor);
  void SetNodeMatcher(NodeMatcher matcher);
  void SetPlacementSizer(PlacementSizer sizer);
  ClusterNodeId SetNode(const ClusterNodeSpec& spec);
  void RemoveNode(std::string_view name);
  // The requests of pods on a node that are not placed here, with their number as `pods`.
  void SetOtherNodeUsage(std::string_view node, std::span<const Request> requests);
  // The node may have more room: requeues the workloads that wait for flavors it belongs to, and
  // ends the back-off of all second passes. Takes effect in the next cycle.
  void RequeueUsersOf(std::string_view node);
  DomainPathId DomainPath(std::span<const std::string> values);
  // For queues that order by usage.
  void SetLocalQueueUsage(LocalQueueId queue, double weight,
                          std::span<const ConsumedResource> consumed);

  // --- Workloads ---------------------------------------------------------------------------------
  WorkloadId AddPending(PendingSpec spec, base::Time now);
  WorkloadId AddReserved(ReservedSpec spec);
  // Replaces the spec of a pending workload. It keeps its place in the order as far as the new
  // values allow.
  void UpdatePending(WorkloadId id, PendingSpec spec, base::Time now);
  // Removes a workload that finished, was deleted or left its queue. Frees its quota and requeues
  // the inadmissible workloads of the tree, including those that are inadmissible because an
  // equivalent one was.
  void Remove(WorkloadId id);
  // Marks a reserved workload as being evicted; it holds its quota until Release.
  void MarkEvicted(WorkloadId id);
  // Frees the quota of a reserved workload, which is pending again. Requeues the tree.
  void Release(WorkloadId id, PendingSpec spec, base::Time now);
  // Reverts an admission that could not be written. The workload is pending again as before.
  void Undo(WorkloadId id);
  // Keeps a pending workload out of its queue until this time, or until its spec changes.
  void BackOff(WorkloadId id, base::Time until);
  // Has the second pass of a workload with quota wait until this time at least. Without effect if
  // it has none.
  void DelaySecondPass(WorkloadId id, base::Time until);
  // Requeues all inadmissible workloads of the queue's tree.
  void RequeueInadmissible(NodeId queue);
  // Ends expired back-offs.
  void AdvanceTo(base::Time now);

  // --- The cycle ---------------------------------------------------------------------------------

  // Runs one cycle: the head of every active queue is admitted, preempts, or stays pending. Empty
  // if no queue has a head. Valid until the next call to the engine.
  std::span<const Decision> RunCycle(base::Time now);

  // --- Queries -----------------------------------------------------------------------------------
  WorkloadId FindWorkload(std::string_view uid) const;
  const std::string& Uid(WorkloadId id) const;
  bool IsReserved(WorkloadId id) const;
  // Precondition: the workload is reserved.
  std::vector<PodSetAssignment> AssignmentOf(WorkloadId id) const;
  NodeId ClusterQueueOf(WorkloadId id) const;
  // The levels of the flavor's topology; empty if it has none.
  std::vector<std::string> TopologyLevels(FlavorId flavor) const;
  std::vector<std::string> DomainValues(DomainPathId path) const;
  // The room for so many pods in the flavor's topology; nullopt if it has none.
  std::optional<TopologyRoom> RoomFor(FlavorId flavor, const PodSetTopology& pods,
                                      int32_t count) const;
  // kNone if the workload is not considered again.
  SecondPass SecondPassOf(WorkloadId id) const;
  // The nodes of its placement that failed.
  std::vector<std::string> FailedNodesOf(WorkloadId id) const;
  // The next end of a back-off of a second pass; nullopt if none is in back-off.
  std::optional<base::Time> NextSecondPass(base::Time now) const;
  std::vector<WorkloadId> ReservedIn(NodeId queue) const;
  PendingCounts CountPending(NodeId queue) const;
  // Whether a workload is active in its queue. A pending one that is not counts as inadmissible.
  bool IsActive(WorkloadId id) const;
  // The next workload that a cycle considers; none if no workload is active.
  WorkloadId HeadOf(NodeId queue) const;
  // Whether workloads of this key are not tried because one of them was found inadmissible.
  bool IsInadmissible(NodeId queue, const EquivalenceKey& key) const;
  // In the order of consideration.
  std::vector<WorkloadId> ActiveIn(NodeId queue) const;
  std::vector<WorkloadId> InadmissibleIn(NodeId queue) const;
  // Active and inadmissible.
  std::vector<WorkloadId> WaitingIn(NodeId queue) const;
  // The expected outcome of a workload, its reason, and the changes that would admit it.
  Explanation Explain(WorkloadId id) const;
  // The complete state, updated after configuration changes. For explanations, metrics and tests.
  const State& state() const;

 private:
  struct Parts;  // engine_parts.h
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::engine

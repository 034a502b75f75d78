#pragma once

// The admission engine: which workloads get quota, when, of which flavors, and who must make room.
//
// A deterministic state machine without I/O, clock, threads or randomness. Objects come in as specs
// (spec.h), time comes in as an argument, decisions come out with their reasons. The same calls in
// the same order give the same decisions on every machine; the order of calls that describe one
// state does not matter either, since every order of workloads and queues ends in a name or uid.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "base/time.h"
#include "engine/assignment.h"
#include "engine/forbidden_way.h"
#include "engine/ids.h"
#include "engine/options.h"
#include "engine/spec.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

enum class Outcome : uint8_t {
  kAdmitted,    // holds quota from now on
  kPreempting,  // its victims are marked; it waits until they are gone
  kDeferred,    // will fit when the victims of others are gone
  kSkipped,     // would have fitted, but another took the quota or the victims in this cycle
  kNoFit,
  kNoCandidates,  // could preempt, but there is nobody it may preempt
  kPreemptionGated,
  kInvalid,  // something about it alone forbids admission
  kNamespaceMismatch,
  kClaimMissing,
};

// What a cycle decided about one head. Pointers are good until the next call to the engine.
struct Decision {
  WorkloadId workload;
  NodeId cluster_queue;
  Outcome outcome = Outcome::kNoFit;
  WaitReason reason = WaitReason::kNone;
  const Assignment* assignment = nullptr;  // null where none was tried
  std::span<const Victim> victims;         // newly marked ones; those marked before are left out
  std::span<const ForbiddenWay> forbidden_ways;  // some where the reason is kAdmissionConstrained
  WorkloadId replaced;                           // the slice that an admitted one replaces
  bool is_parked = false;                        // false: it stays in the queue
  bool was_recomputed = false;  // others had taken some of its victims in this cycle
};

struct PendingCounts {
  size_t active = 0;
  size_t inadmissible = 0;
};

// How much a LocalQueue used of a resource, in nano-units (of cores, bytes, …).
struct ConsumedResource {
  ResourceId resource;
  base::Int128 nanos = 0;
};

struct Explanation;  // explanation.h

class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // --- Names: dense ids, given out once and for good --------------------------------------------
  FlavorId Flavor(std::string_view name);
  ResourceId Resource(std::string_view name);
  LocalQueueId LocalQueue(std::string_view namespaced_name);
  const std::string& FlavorName(FlavorId id) const;
  const std::string& ResourceName(ResourceId id) const;
  const std::string& LocalQueueName(LocalQueueId id) const;
  const std::string& ClusterQueueName(NodeId id) const;
  // None if there is no such ClusterQueue now.
  NodeId FindClusterQueue(std::string_view name) const;

  // --- Configuration
  // ------------------------------------------------------------------------------ Creates or
  // replaces. Wakes the tree or trees concerned.
  NodeId SetClusterQueue(const ClusterQueueSpec& spec);
  void RemoveClusterQueue(NodeId queue);
  void SetCohort(const CohortSpec& spec);
  void RemoveCohort(std::string_view name);
  // Whether the queue hangs below cohorts that are each other's ancestors.
  bool IsInCohortCycle(NodeId queue) const;
  // For queues that order by usage.
  void SetLocalQueueUsage(LocalQueueId queue, double weight,
                          std::span<const ConsumedResource> consumed);

  // --- Workloads ---------------------------------------------------------------------------------
  WorkloadId AddPending(PendingSpec spec, base::Time now);
  WorkloadId AddReserved(ReservedSpec spec);
  // Replaces what is known of a pending workload; it keeps its place in line as far as the new
  // values allow.
  void UpdatePending(WorkloadId id, PendingSpec spec, base::Time now);
  // Finished, deleted, or out of its queue for a while. Frees what it holds and wakes the tree, so
  // that those which wait because this one did are looked at for themselves.
  void Remove(WorkloadId id);
  // Marks a reserved workload as on its way out; its quota stays taken until Release.
  void MarkEvicted(WorkloadId id);
  // A reserved workload gives its quota back and waits again. Wakes the tree.
  void Release(WorkloadId id, PendingSpec spec, base::Time now);
  // Takes back an admission that could not be written down. It waits again, as it did before.
  void Undo(WorkloadId id);
  // Looks at all parked workloads of the queue's tree again.
  void Wake(NodeId queue);
  // Ends back-offs that are over.
  void AdvanceTo(base::Time now);

  // --- The cycle
  // ------------------------------------------------------------------------------------ One round:
  // the head of every active queue is admitted, makes room for itself, or waits. Empty if no queue
  // had a head. Good until the next call to the engine.
  std::span<const Decision> RunCycle(base::Time now);

  // --- What is known -----------------------------------------------------------------------------
  WorkloadId FindWorkload(std::string_view uid) const;
  const std::string& Uid(WorkloadId id) const;
  bool IsReserved(WorkloadId id) const;
  // The podsets of a reserved workload.
  std::vector<PodSetAssignment> AssignmentOf(WorkloadId id) const;
  NodeId ClusterQueueOf(WorkloadId id) const;
  std::vector<WorkloadId> ReservedIn(NodeId queue) const;
  PendingCounts CountPending(NodeId queue) const;
  // Whether a workload is in line. One that waits and is not counts as inadmissible.
  bool IsActive(WorkloadId id) const;
  // In the order in which they would be considered.
  std::vector<WorkloadId> ActiveIn(NodeId queue) const;
  std::vector<WorkloadId> InadmissibleIn(NodeId queue) const;
  // Both together.
  std::vector<WorkloadId> WaitingIn(NodeId queue) const;
  // What becomes of a workload now, why, and what would change that.
  Explanation Explain(WorkloadId id) const;
  // All of it, up to date with the configuration: for explanations, metrics and tests.
  const State& state() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::engine

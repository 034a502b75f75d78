#pragma once

// State shared by the parts of the engine: compiled ClusterQueues and workloads.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/inline_vector.h"
#include "base/time.h"
#include "engine/ids.h"
#include "engine/options.h"
#include "engine/queue/shape_table.h"
#include "engine/quota/quota_forest.h"
#include "engine/spec.h"
#include "engine/topology/placement_size.h"
#include "engine/topology/topologies.h"

namespace berth::engine {

// Usage of a flavor and resource by a workload. An amount of 0 is significant: the workload uses
// the flavor.
struct FlavorResourceUsage {
  FlavorResourceId flavor_resource;
  int64_t amount = 0;
};

// Adds to the entry of a flavor and resource, or inserts one.
template <class Usage>
void AddFlavorResourceUsage(Usage& usage, FlavorResourceId flavor_resource, int64_t amount) {
  for (FlavorResourceUsage& entry : usage) {
    if (entry.flavor_resource == flavor_resource) {
      entry.amount = quantity::SaturatingAdd(entry.amount, amount);
      return;
    }
  }
  usage.push_back({flavor_resource, amount});
}

// The placement of a workload that holds quota.
struct ReservedTopology {
  std::vector<PodSetPlacement> placements;
  SecondPass second_pass = SecondPass::kNone;
  std::vector<std::string> failed_nodes;
  // The second pass is tried again with a growing back-off.
  int32_t failed_attempts = 0;
  base::Time not_before;

  // Null if the podset has none.
  const PodSetPlacement* Find(uint32_t pod_set) const;
};

// A workload that holds quota.
struct Reservation {
  struct PodSet {
    int32_t count = 0;
    uint32_t resources_end = 0;  // end index in the resources of all podsets
  };

  base::Time reserved_at;
  uint32_t index_in_queue = 0;  // in Queue::reserved
  bool is_evicted = false;
  bool is_out = false;  // removed by a trial: not a preemption candidate
  base::InlineVector<FlavorResourceUsage, 4> usage;  // sum over the podsets
  base::InlineVector<PodSet, 2> pod_sets;
  base::InlineVector<ResourceAssignment, 4> resources;  // of all podsets
  std::unique_ptr<ReservedTopology> topology;           // null: none of its podsets is placed

  // Empty if the podset does not exist.
  std::span<const ResourceAssignment> ResourcesOf(size_t pod_set) const {
    if (pod_set >= pod_sets.size()) return {};
    const uint32_t begin = pod_set == 0 ? 0 : pod_sets[pod_set - 1].resources_end;
    return {resources.begin() + begin, resources.begin() + pod_sets[pod_set].resources_end};
  }
  // AddResource adds to the last podset and to the usage.
  void AddPodSet(int32_t count);
  void AddResource(const ResourceAssignment& resource, FlavorResourceId flavor_resource);
  void Clear();
};

std::vector<PodSetAssignment> AssignmentOf(const Reservation& reservation);

// Where the flavor search of a pending workload resumes: for each podset and resource the index of
// the last flavor tried. Kept only while some index is not the last one.
struct ScanProgress {
  static constexpr int32_t kDone = -1;
  struct Entry {
    uint32_t pod_set;
    ResourceId resource;
    int32_t last_tried;
  };
  std::vector<Entry> entries;
  int64_t cycle = 0;
  int64_t queue_generation = 0;
  EquivalenceKey key;
};

// What few workloads have.
struct WorkloadExtras {
  std::string replaces_uid;                  // "": it replaces none
  std::optional<WorkloadTopology> topology;  // absent: none of its podsets is placed
};

// There may be a million of these: rarely used fields are allocated separately.
struct Workload {
  int64_t priority = 0;
  base::Time queue_order_time;
  NodeId cluster_queue;
  LocalQueueId local_queue;
  ShapeId shape;  // none for workloads added as reserved
  bool exists = false;
  bool has_namespace_mismatch = false;
  bool is_invalid = false;
  bool lacks_claim = false;
  bool has_closed_preemption_gate = false;
  AdmissionConstraints constraints;
  std::unique_ptr<Reservation> reservation;  // null while pending
  std::unique_ptr<ScanProgress> progress;
  std::unique_ptr<const WorkloadExtras> extras;  // null: it has none
  std::string uid;

  // Null if none of its podsets is placed.
  const WorkloadTopology* topology() const {
    return extras && extras->topology ? &*extras->topology : nullptr;
  }
  // Null if it replaces none.
  const std::string* replaces_uid() const {
    return extras && !extras->replaces_uid.empty() ? &extras->replaces_uid : nullptr;
  }
};

// A ClusterQueue with its quota compiled to columns.
struct Queue {
  struct Group {
    base::InlineVector<ResourceId, 4> resources;
    base::InlineVector<FlavorId, 4> flavors;
    // By flavor f and resource r: [f * resources.size() + r].
    base::InlineVector<ColumnIndex, 8> columns;

    ColumnIndex column(size_t flavor, size_t resource) const {
      return columns[flavor * resources.size() + resource];
    }
  };
  static constexpr int32_t kUndeclared = -1;

  NodeId node;
  // Waits for its preemption targets to finish. The head of a BestEffortFIFO queue until then.
  WorkloadId preemptor;
  bool is_preemptor_sticky = false;
  bool takes_part = false;  // active, and in a tree: it has heads
  // Incremented when a workload of this queue loses its reservation, and on configuration changes.
  int64_t generation = 0;
  std::vector<Group> groups;
  std::vector<int32_t> group_of;  // by ResourceId; kUndeclared if no group covers it
  std::vector<WorkloadId> reserved;
  // The same in target order, while cached.
  std::vector<WorkloadId> in_target_order;
  bool is_target_order_cached = false;
  ClusterQueueSpec spec;

  int32_t GroupOf(ResourceId resource) const {
    return resource.index() < group_of.size() ? group_of[resource.index()] : kUndeclared;
  }
};

// The order of one queue's workloads: priority, then age, then uid.
bool ComesBefore(const Workload& a, const Workload& b);

struct State {
  EngineOptions options;
  QuotaForest forest;
  std::vector<Queue> queues;        // by NodeId; entries of Cohorts are unused
  std::vector<Workload> workloads;  // by WorkloadId
  ShapeTable shapes;
  int64_t cycle = 0;
  std::vector<std::unique_ptr<Reservation>> spare_reservations;
  std::unique_ptr<Topologies> topologies;  // null without topology-aware scheduling
  std::vector<WorkloadId> second_pass;     // workloads with quota that are considered again
  PlacementSizer placement_sizer;
  // By LocalQueueId, as of the start of the cycle. Only with admission fair sharing.
  std::vector<double> local_queue_usage;
  // By LocalQueueId: equal numbers for equal names in any namespace.
  std::vector<uint32_t> local_queue_names;

  Queue& queue(NodeId id) { return queues[id.index()]; }
  const Queue& queue(NodeId id) const { return queues[id.index()]; }
  Workload& workload(WorkloadId id) { return workloads[id.index()]; }
  const Workload& workload(WorkloadId id) const { return workloads[id.index()]; }
  // See local_queue_names.
  uint32_t NameOf(LocalQueueId id) const {
    return id.index() < local_queue_names.size() ? local_queue_names[id.index()] : id.value();
  }
  ShapeView shape(ShapeId id) const { return shapes[id]; }

  // Reserves quota for a workload: its usage counts from now on (in a tree that needs a rebuild,
  // from then on). `is_counted`: the forest already includes its quota.
  void Reserve(WorkloadId id, std::unique_ptr<Reservation> reservation, bool is_counted = false);
  // Marks a reserved workload as being evicted.
  void MarkEvicted(WorkloadId id);
  // Drops the reservation and keeps its buffers for reuse.
  void Unreserve(WorkloadId id);
  // An empty reservation, with reused buffers if available.
  std::unique_ptr<Reservation> NewReservation();

  // Updates the trees and the compiled queues. Usage is recomputed from the reservations, so it
  // cannot drift.
  void Rebuild();

  // For trials: removes and restores the usage of a reserved workload.
  void RemoveUsageOf(const Workload& workload);
  void AddUsageOf(const Workload& workload);
  void AddQuotaOf(const Workload& workload);
  // Adds the placements of a workload to the usage of nodes `times` times.
  void AddTopologyUsage(const Workload& workload, std::span<const PodSetPlacement> placements,
                        int32_t times);
  // The same for the placements that it holds.
  void AddPlacementsOf(const Workload& workload, int32_t times);
  // Adds the usage of all placed workloads, after changes of flavors or topologies.
  void RecountTopologyUsage();
};

}  // namespace berth::engine

#pragma once

// What the parts of the engine share: compiled ClusterQueues and the workloads.

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
#include "engine/quota_forest.h"
#include "engine/shape_table.h"
#include "engine/spec.h"

namespace berth::engine {

// How much of a column a workload uses. Amounts of 0 stand for themselves: such a workload does
// use the flavor.
struct PairUsage {
  PairId pair;
  int64_t amount = 0;
};

// Adds to the entry of a pair, or makes one.
template <class Usage>
void AddPairUsage(Usage& usage, PairId pair, int64_t amount) {
  for (PairUsage& entry : usage) {
    if (entry.pair == pair) {
      entry.amount = quantity::SaturatingAdd(entry.amount, amount);
      return;
    }
  }
  usage.push_back({pair, amount});
}

// A workload that holds quota.
struct Reservation {
  struct PodSet {
    int32_t count = 0;
    uint32_t resources_end = 0;  // where they end among those of all podsets
  };

  base::Time reserved_at;
  uint32_t index_in_queue = 0;  // in Queue::reserved
  bool is_evicted = false;
  bool is_out = false;                     // taken out for a what-if: no candidate there
  base::InlineVector<PairUsage, 4> usage;  // the sum over the podsets
  base::InlineVector<PodSet, 2> pod_sets;
  base::InlineVector<ResourceAssignment, 4> resources;  // of all podsets

  // None of a podset that it does not have.
  std::span<const ResourceAssignment> ResourcesOf(size_t pod_set) const {
    if (pod_set >= pod_sets.size()) return {};
    const uint32_t begin = pod_set == 0 ? 0 : pod_sets[pod_set - 1].resources_end;
    return {resources.begin() + begin, resources.begin() + pod_sets[pod_set].resources_end};
  }
  // Adds to the usage as well; to the last podset.
  void AddPodSet(int32_t count);
  void AddResource(const ResourceAssignment& resource, PairId pair);
  void Clear();
};

std::vector<PodSetAssignment> AssignmentOf(const Reservation& reservation);

// Where the flavor search of a pending workload goes on: for each podset and resource the index of
// the last flavor tried. Only kept while some index is not the last one.
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

// There may be a million of them: what few have is elsewhere.
struct Workload {
  int64_t priority = 0;
  base::Time queue_order_time;
  NodeId cluster_queue;
  LocalQueueId local_queue;
  ShapeId shape;  // none once it is reserved from the start
  bool exists = false;
  bool has_namespace_mismatch = false;
  bool is_invalid = false;
  bool lacks_claim = false;
  bool has_closed_preemption_gate = false;
  AdmissionConstraints constraints;
  std::unique_ptr<Reservation> reservation;  // null while pending
  std::unique_ptr<ScanProgress> progress;
  std::unique_ptr<std::string> replaces_uid;  // null: it replaces none
  std::string uid;
};

// A ClusterQueue with its quota compiled to columns.
struct Queue {
  struct Group {
    base::InlineVector<ResourceId, 4> resources;
    base::InlineVector<FlavorId, 4> flavors;
    base::InlineVector<Column, 8>
        columns;  // of flavor f and resource r: [f * resources.size() + r]

    Column column(size_t flavor, size_t resource) const {
      return columns[flavor * resources.size() + resource];
    }
  };
  static constexpr int32_t kUndeclared = -1;

  NodeId node;
  // Waits for its victims to go. In a BestEffortFIFO queue it is the head until then.
  WorkloadId preemptor;
  bool is_preemptor_sticky = false;
  bool takes_part = false;  // active, and in a tree: it gets heads
  // Grows when a workload of this queue loses its reservation, and with its configuration.
  int64_t generation = 0;
  std::vector<Group> groups;
  std::vector<int32_t> group_of;  // by ResourceId; kUndeclared where no group covers it
  std::vector<WorkloadId> reserved;
  // The same in the order of victim_order.h, as long as that is known.
  std::vector<WorkloadId> by_giving_way;
  bool is_giving_way_known = false;
  ClusterQueueSpec spec;

  int32_t GroupOf(ResourceId resource) const {
    return resource.index() < group_of.size() ? group_of[resource.index()] : kUndeclared;
  }
};

// The order in which one queue's workloads are considered: priority, then age, then uid.
bool ComesBefore(const Workload& a, const Workload& b);

struct State {
  EngineOptions options;
  QuotaForest forest;
  std::vector<Queue> queues;        // by NodeId; those of Cohorts are unused
  std::vector<Workload> workloads;  // by WorkloadId
  ShapeTable shapes;
  int64_t cycle = 0;
  std::vector<std::unique_ptr<Reservation>> spare_reservations;
  // By LocalQueueId, as of the beginning of the cycle. Only with admission fair sharing.
  std::vector<double> local_queue_usage;
  // By LocalQueueId: equal numbers for equal names in whatever namespaces.
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

  // Gives a workload quota: it counts in its queue from now on (in trees that are to be rebuilt,
  // from then on). `is_counted`: the forest has its usage already.
  void Reserve(WorkloadId id, std::unique_ptr<Reservation> reservation, bool is_counted = false);
  // A reserved workload is on its way out from now on.
  void MarkEvicted(WorkloadId id);
  // Takes it back. The reservation's buffers are kept for another.
  void Unreserve(WorkloadId id);
  // An empty one, with buffers of one that is gone if there is one.
  std::unique_ptr<Reservation> NewReservation();

  // Brings the trees and the compiled queues up to date. Usage is counted anew from the
  // reservations, so it cannot drift.
  void Rebuild();

  // For what-ifs: the usage of a reserved workload, out and in again.
  void RemoveUsageOf(const Workload& workload);
  void AddUsageOf(const Workload& workload);
};

}  // namespace berth::engine

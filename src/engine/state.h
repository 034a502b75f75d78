#pragma once

// What the parts of the engine share: compiled ClusterQueues and the workloads.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
void AddPairUsage(std::vector<PairUsage>& usage, PairId pair, int64_t amount);

// A workload that holds quota.
struct Reservation {
  base::Time reserved_at;
  bool is_evicted = false;
  bool is_out = false;  // taken out for a what-if within a cycle: no candidate there
  std::vector<PodSetAssignment> pod_sets;
  std::vector<PairUsage> usage;  // the sum over the podsets
  uint32_t index_in_queue = 0;   // in Queue::reserved
};

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

struct Workload {
  std::string uid;
  NodeId cluster_queue;
  LocalQueueId local_queue;
  base::Time queue_order_time;
  int64_t priority = 0;
  ShapeId shape;  // none once it is reserved from the start
  std::string replaces_uid;
  std::unique_ptr<ScanProgress> progress;
  std::unique_ptr<Reservation> reservation;  // null while pending
  bool exists = false;
  bool has_namespace_mismatch = false;
  bool is_invalid = false;
  bool lacks_claim = false;
  bool has_closed_preemption_gate = false;
  AdmissionConstraints constraints;
};

// A ClusterQueue with its quota compiled to columns.
struct Queue {
  struct Group {
    std::vector<ResourceId> resources;
    std::vector<FlavorId> flavors;
    std::vector<Column> columns;  // of flavor f and resource r: [f * resources.size() + r]

    Column column(size_t flavor, size_t resource) const {
      return columns[flavor * resources.size() + resource];
    }
  };
  static constexpr int32_t kUndeclared = -1;

  NodeId node;
  ClusterQueueSpec spec;
  std::vector<Group> groups;
  std::vector<int32_t> group_of;  // by ResourceId; kUndeclared where no group covers it
  std::vector<WorkloadId> reserved;
  // Grows when a workload of this queue loses its reservation, and with its configuration.
  int64_t generation = 0;
  // Waits for its victims to go. In a BestEffortFIFO queue it is the head until then.
  WorkloadId preemptor;
  bool is_preemptor_sticky = false;

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

  Queue& queue(NodeId id) { return queues[id.index()]; }
  const Queue& queue(NodeId id) const { return queues[id.index()]; }
  Workload& workload(WorkloadId id) { return workloads[id.index()]; }
  const Workload& workload(WorkloadId id) const { return workloads[id.index()]; }
  const Shape& shape(ShapeId id) const { return shapes[id]; }

  // Gives a workload quota: it counts in its queue from now on (in trees that are to be rebuilt,
  // from then on). `is_counted`: the forest has its usage already.
  void Reserve(WorkloadId id, std::unique_ptr<Reservation> reservation, bool is_counted = false);
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

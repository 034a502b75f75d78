#pragma once

// The parts of the engine, for the files that implement it.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "base/interner.h"
#include "engine/cycle/cycle.h"
#include "engine/engine.h"
#include "engine/queue/pending.h"
#include "engine/quota/usage_ledger.h"
#include "engine/state.h"

namespace berth::engine {

struct Engine::Parts {
  explicit Parts(EngineOptions options)
      : state{.options = std::move(options)},
        pending(state),
        cycle(state, pending),
        ledger(state.options.afs, state.forest) {
    if (state.options.topology)
      state.topologies = std::make_unique<Topologies>(state.forest.Resource("pods"),
                                                      state.options.tas_handle_overlapping_flavors);
  }

  // Updates trees and compiled queues after configuration changes.
  void Sync();
  void RequeueInadmissibleInTreeOf(NodeId queue);
  void RecordTreeOf(NodeId queue);
  // Topologies (engine_topology.cc).
  void TopologiesChanged();
  void MarkUsersOf(std::string_view node);
  void RequeueUsersOfChangedFlavors();
  std::unique_ptr<ReservedTopology> PlacementsOf(const ReservedSpec& spec) const;

  WorkloadId NewWorkload(std::string uid);
  void Describe(WorkloadId id, PendingSpec& spec);
  void Join(WorkloadId id, const PendingSpec& spec, base::Time now);
  void FreeWorkload(WorkloadId id);
  void AddPenalty(WorkloadId id);
  void UpdateLocalQueueUsage();

  State state;
  PendingQueues pending;
  Cycle cycle;
  UsageLedger ledger;
  base::Interner<LocalQueueId> local_queues;
  base::Interner<base::Id<struct BareNameTag>> local_queue_names;  // without namespaces
  base::HashIndex workload_ids;                                    // by uid
  std::vector<WorkloadId> free_workloads;
  std::vector<NodeId> to_requeue;         // queues whose trees are requeued after the rebuild
  std::vector<FlavorId> changed_flavors;  // a node of theirs may have more room
  std::vector<Request> sum;
};

}  // namespace berth::engine

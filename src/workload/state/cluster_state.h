#pragma once

// The objects of a cluster and the engine that follows them.
//
// Objects are applied in any order and any number of times. Sync translates all changes since the
// last Sync at once: a ClusterQueue whose flavor is missing is inactive, a Workload whose queues
// are missing is not pending. Decisions of the engine come back as changed Workloads like any other
// change, and are idempotent. A reservation stands until its write has come back, whatever else
// changes.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/object.h"
#include "engine/engine.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/request_checks.h"
#include "workload/state/engine_sync.h"
#include "workload/state/object_caches.h"
#include "workload/state/object_handlers.h"
#include "workload/state/state_call.h"

namespace berth::workload {

struct ClusterStateOptions {
  // Nodes and pods are applied too, and workloads are placed in topologies. Otherwise a flavor with
  // a topology has quota alone.
  bool topology = false;
  // How often changes of nodes and pods may requeue workloads; at once by default.
  NodeRounds rounds = {};
};

class ClusterState final {
 public:
  ClusterState(const api::Configuration& configuration, const api::FeatureGates& gates,
               ClusterStateOptions options = {});
  ~ClusterState();
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  // For objects of a live cluster, whose status is maintained: an AdmissionCheck without the
  // condition Active is inactive. Otherwise, as in manifests, it is active.
  void TrustStatus() { caches_.references.TrustStatus(); }

  // Called with the namespaced name of every Workload that Sync places in the engine, or that is
  // deleted: the engine's state of it may have changed. Not called for decisions of the engine.
  void OnPlaced(std::function<void(const std::string& workload)> on_placed) {
    on_placed_ = std::move(on_placed);
  }

  // Called for every later change of this state and, through the calls below, of its engine, except
  // RunCycle: its caller knows the decisions.
  void OnCall(RecordCall on_call) { on_call_ = std::move(on_call); }

  // Creates or replaces an object. Defaults must have been applied. Kinds that no decision depends
  // on are ignored. Every Workload must have a uid of its own.
  void Apply(const api::Object& object) { handlers_.OnUpsert(object); }
  void Apply(const api::Workload& workload);
  // No effect if there is no such object.
  void Delete(const schema::Kind& kind, std::string_view namespace_name, std::string_view name) {
    handlers_.OnDelete(kind, namespace_name, name);
  }
  // Registers the handlers of all kinds except Workload, so that a controller has one table of
  // handlers. This must outlive the handlers.
  void AddHandlers(ObjectHandlers& handlers);

  // Applies all changes to the engine.
  void Sync(base::Time now) {
    on_call_(Synced{now});
    sync_.Sync(now, on_placed_);
  }
  // As those of the engine.
  void AdvanceTo(base::Time now);
  void Undo(engine::WorkloadId id);
  void BackOff(engine::WorkloadId id, base::Time until);
  // When Sync requeues workloads next because of nodes or pods that changed already; nullopt if
  // none did.
  std::optional<base::Time> next_round() const { return caches_.nodes.next_round(); }
  // Whether a node that changed waits for its round.
  bool has_waiting_nodes() const { return caches_.nodes.has_waiting_nodes(); }

  engine::Engine& engine() { return engine_; }
  const engine::Engine& engine() const { return engine_; }
  const WorkloadRules& rules() const { return rules_; }

  // Null if there is none.
  const api::Workload* FindWorkload(std::string_view namespaced_name) const;
  // The Workload that the engine knows under this id.
  const api::Workload& WorkloadOf(engine::WorkloadId id) const;

  // Objects as last applied; null if there is none. LocalQueues by their namespaced name.
  const api::LocalQueue* FindLocalQueue(std::string_view namespaced_name) const;
  const api::ClusterQueue* FindClusterQueue(std::string_view name) const;
  const api::ResourceFlavor* FindFlavor(std::string_view name) const;
  const api::Cohort* FindCohort(std::string_view name) const;
  const api::Topology* FindTopology(std::string_view name) const;
  // The LocalQueue that a Workload names.
  const api::LocalQueue* FindLocalQueueOf(const api::Workload& workload) const;
  const api::Labels* FindNamespaceLabels(std::string_view name) const;

  // In the order of names.
  void ForEachWorkload(const std::function<void(const api::Workload&)>& visit) const;
  void ForEachClusterQueue(
      const std::function<void(const api::ClusterQueue&, engine::NodeId)>& visit) const;
  void ForEachLocalQueue(const std::function<void(const api::LocalQueue&)>& visit) const;
  void ForEachFlavor(const std::function<void(const api::ResourceFlavor&)>& visit) const;
  // The reason why a ClusterQueue admits nothing; "" if it is active.
  std::string_view InactiveReason(std::string_view cluster_queue) const;
  // The conflict of device classes of a ClusterQueue; null if there is none.
  const api::DeviceClassConflict* FindConflict(std::string_view cluster_queue) const;

  // The engine's spec of a pending workload that is not kept here, as in a simulation of a million
  // jobs; nullopt if one of its queues is missing or its LocalQueue is stopped. Requires Sync.
  std::optional<engine::PendingSpec> DescribeWaiting(const api::Workload& workload);
  // The same of a workload with quota; nullopt if its ClusterQueue is missing.
  std::optional<engine::ReservedSpec> DescribeReserved(const api::Workload& workload);
  // The reasons why an API server would reject pods of this workload.
  InvalidRequests PodProblems(const api::Workload& workload);
  // Claims of its pods that are missing, and claimed device classes without a resource in its
  // ClusterQueue; none if devices do not count. All claims if they are rejected.
  schema::Problems ClaimProblems(const api::Workload& workload) const;
  // Which requests count in the ClusterQueue of the workload, present or future, and why others do
  // not. The status of an admitted workload may say something else: its charge does not change.
  CountedRequests CountRequests(const api::Workload& workload);

 private:
  void AddCacheHandlers(ObjectHandlers& handlers);
  void AddQueueHandlers(ObjectHandlers& handlers);
  void AddReferenceHandlers(ObjectHandlers& handlers);
  void AddPodHandlers(ObjectHandlers& handlers);
  void AddClaimHandlers(ObjectHandlers& handlers);
  void AddNodeHandlers(ObjectHandlers& handlers);
  void DeleteWorkload(const std::string& namespaced_name);
  void Erase(WorkloadEntry& entry);
  void MarkFlavorsOf(std::string_view topology);
  void AddDeviceClassHandler(ObjectHandlers& handlers);
  // Has pending workloads described again.
  void MarkPending(const std::set<std::string>& workloads);

  std::vector<api::PodSet> AdjustedPodSets(const api::Workload& workload);

  WorkloadRules rules_;
  engine::Engine engine_;
  ObjectCaches caches_;
  EngineSync sync_;
  ObjectHandlers handlers_;
  std::function<void(const std::string&)> on_placed_ = [](const std::string&) {};
  RecordCall on_call_ = [](const StateCall&) {};
};

}  // namespace berth::workload

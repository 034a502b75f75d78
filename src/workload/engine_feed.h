#pragma once

// Keeps an engine in step with API objects.
//
// Objects may come in any order and any number of times. What they mean to the engine is worked out
// in Sync, once for all that changed since the last: a ClusterQueue whose flavor is still missing
// is inactive, a workload whose queues are missing does not wait. The engine's own decisions come
// back as changed Workloads like any other change; where the engine knows already, nothing happens.
// Until a reservation has come back it stands, whatever else changes: somebody is writing it.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/admission_check.h"
#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/configuration.h"
#include "api/device_class_conflicts.h"
#include "api/feature_gates.h"
#include "api/limit_range.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/object.h"
#include "api/resource_flavor.h"
#include "api/runtime_class.h"
#include "api/selector.h"
#include "api/topology.h"
#include "api/workload.h"
#include "engine/engine.h"
#include "workload/claims.h"
#include "workload/convert_queue.h"
#include "workload/convert_workload.h"
#include "workload/resource_prefixes.h"

namespace berth::workload {

class EngineFeed final : private QueueReferences {
 public:
  EngineFeed(const api::Configuration& configuration, const api::FeatureGates& gates);
  ~EngineFeed() override;
  EngineFeed(const EngineFeed&) = delete;
  EngineFeed& operator=(const EngineFeed&) = delete;

  // The objects are those of a cluster, whose status is kept: an admission check that nobody has
  // called active is not. Otherwise, as in files that people write, it is.
  void TrustStatus() { trusts_status_ = true; }

  // Is told the namespaced name of every workload that is placed anew in Sync, or deleted: what the
  // engine holds of it may be something else from then on. Decisions of the engine are not told.
  void OnPlaced(std::function<void(const std::string& workload)> tell) {
    on_placed_ = std::move(tell);
  }

  // Creates or replaces an object. Defaults must have been applied. Kinds that no decision depends
  // on are ignored. Workloads must have a uid of their own.
  void Apply(const api::Object& object);
  void Apply(const api::Workload& workload);
  // Nothing if there is no such object.
  void Delete(const schema::Kind& kind, std::string_view namespace_name, std::string_view name);

  // Tells the engine all that changed.
  void Sync(base::Time now);

  engine::Engine& engine() { return engine_; }
  const engine::Engine& engine() const { return engine_; }
  const WorkloadRules& rules() const { return rules_; }

  // Null if there is none.
  const api::Workload* FindWorkload(std::string_view namespaced_name) const;
  // The workload that the engine knows under this id.
  const api::Workload& WorkloadOf(engine::WorkloadId id) const;

  // Objects as they are now; null if there is none. LocalQueues by their namespaced name.
  const api::LocalQueue* FindLocalQueue(std::string_view namespaced_name) const;
  const api::ClusterQueue* FindClusterQueue(std::string_view name) const;
  const api::ResourceFlavor* FindFlavor(std::string_view name) const;
  const api::Cohort* FindCohort(std::string_view name) const;

  // As they are now, by name.
  void ForEachWorkload(const std::function<void(const api::Workload&)>& visit) const;
  void ForEachClusterQueue(
      const std::function<void(const api::ClusterQueue&, engine::NodeId)>& visit) const;
  void ForEachLocalQueue(const std::function<void(const api::LocalQueue&)>& visit) const;
  // Why a ClusterQueue admits nothing; "" if it is active.
  std::string_view WhyInactive(std::string_view cluster_queue) const;
  // With whom a ClusterQueue disagrees about device classes; null if with nobody.
  const api::DeviceClassConflict* FindConflict(std::string_view cluster_queue) const;
  // How the engine would see a workload that waits and that is kept elsewhere, as a simulation
  // keeps a million; nullopt if one of its queues is missing or its LocalQueue is stopped. The feed
  // must be in sync.
  std::optional<engine::PendingSpec> DescribeWaiting(const api::Workload& workload);
  // Why the API server would not create pods of this workload.
  schema::Problems PodProblems(const api::Workload& workload);
  // What its pods claim and is not there; nothing while devices do not count.
  schema::Problems ClaimProblems(const api::Workload& workload);
  // Which of its requests count in the ClusterQueue that it is in or would be, and why others do
  // not. What it was charged when it was admitted may be something else: see its status.
  CountedRequests CountRequests(const api::Workload& workload);

 private:
  struct Queue {
    api::ClusterQueue object;
    engine::NodeId id;
    std::optional<ResourceFilter> filter;
    api::Selector namespace_selector;
    std::vector<QueueFlavor> flavors;
  };
  struct Flavor {
    api::ResourceFlavor object;
    FlavorMatcher matcher;
  };
  struct Entry {
    api::Workload object;
    engine::WorkloadId id;
    bool is_changed = false;     // it or what it refers to, since the last Sync
    bool is_applied = false;     // it was itself
    bool must_describe = false;  // the engine's picture of it is out of date
  };
  template <class T>
  using Named = std::map<std::string, T, std::less<>>;

  // Names, each once, in the order in which they came.
  class NameList {
   public:
    void Note(std::string_view name) {
      if (seen_.emplace(name).second) order_.emplace_back(name);
    }
    bool Contains(std::string_view name) const { return seen_.contains(name); }
    bool empty() const { return order_.empty(); }
    auto begin() const { return order_.begin(); }
    auto end() const { return order_.end(); }
    void clear() {
      seen_.clear();
      order_.clear();
    }

   private:
    std::vector<std::string> order_;
    std::set<std::string, std::less<>> seen_;
  };

  State FlavorState(std::string_view flavor) const override;
  State CheckState(std::string_view check) const override;
  std::string_view CheckController(std::string_view check) const override;

  void ApplyFlavor(const api::ResourceFlavor& flavor);
  void ApplyQueue(const api::ClusterQueue& queue);
  void NoteFlavor(std::string_view flavor);
  void NoteCheck(std::string_view check);
  void NoteTopology(std::string_view topology);
  void NoteEntry(Entry& entry, bool must_describe);
  bool CountsDevices() const { return rules_.resources->counts_devices; }
  void NoteClaim(const ClaimName& name);
  void LinkClaims(const api::Workload& workload);
  void UnlinkClaims(const api::Workload& workload);

  void UpdateConflicts();
  void SyncQueue(Queue& queue);
  void SyncLocalQueue(const api::LocalQueue& queue);
  void NoteAffectedWorkloads();
  bool IsAffected(const Entry& entry) const;
  // The engine has reserved quota for it, and its object does not say so yet.
  bool IsReservationUnderWay(const Entry& entry) const;
  void Place(Entry& entry, base::Time now);
  void PlaceReserved(Entry& entry, const Queue& queue);
  void PlaceWaiting(Entry& entry, const Queue& queue, base::Time now);
  void Forget(Entry& entry);

  // Null if one of the two queues is not there.
  const Queue* WaitsIn(const api::Workload& workload) const;
  engine::PendingSpec Describe(const api::Workload& workload, const Queue& queue);
  std::vector<api::PodSet> AdjustedPodSets(const api::Workload& workload);
  base::FlatMap<Requests> SharedRequests(const api::Workload& workload, const Queue& queue);
  const api::Labels& LabelsOf(const std::string& namespace_name);
  const LimitSummary& LimitsOf(const std::string& namespace_name);

  WorkloadRules rules_;
  bool has_topologies_;
  bool trusts_status_ = false;
  std::function<void(const std::string&)> on_placed_ = [](const std::string&) {};
  engine::Engine engine_;
  ResourcePrefixPool prefixes_;

  Named<Queue> queues_;
  Named<api::Cohort> cohorts_;
  Named<Flavor> flavors_;
  Named<api::AdmissionCheck> checks_;
  Named<api::Topology> topologies_;
  Named<api::LocalQueue> local_queues_;  // by namespaced name, as those below
  Named<Entry> workloads_;
  Named<api::LimitRange> limit_ranges_;
  Named<api::Labels> namespace_labels_;
  RuntimeOverheads overheads_;
  ClaimStore claims_;
  std::map<ClaimName, std::set<std::string>> claim_users_;  // namespaced names of workloads
  std::map<std::string, api::DeviceClassConflict, std::less<>> conflicts_;  // by ClusterQueue
  std::unordered_map<std::string, std::string> name_by_uid_;
  Named<LimitSummary> limits_;         // made when needed
  Named<api::Labels> implied_labels_;  // of namespaces without an object

  // What changed since the last Sync, in the order in which it did.
  NameList changed_queues_;
  NameList changed_cohorts_;
  NameList changed_local_queues_;
  NameList moved_local_queues_;  // those of which more than the status changed
  std::vector<std::string> changed_workloads_;
  std::set<std::string, std::less<>> changed_namespaces_;
  std::vector<engine::NodeId> removed_queues_;
  bool has_changed_overheads_ = false;
};

}  // namespace berth::workload

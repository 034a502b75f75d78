#pragma once

// The report about one workload: the explanation of the engine, and the objects that name its ids.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "engine/explain/explanation.h"
#include "quantity/resource_amount.h"
#include "workload/state/cluster_state.h"

namespace berth::explain {

// Why a workload is in no ClusterQueue.
enum class Absence : uint8_t {
  kNone,  // it is in a ClusterQueue
  kFinished,
  kDeactivated,
  kGated,            // by annotation
  kOnHold,           // condition QuotaReserved
  kReplacementPods,  // its pod group waits for replacement pods
  kNoQueueName,
  kNoLocalQueue,
  kLocalQueueStopped,
  kNoClusterQueue,
};

struct Report {
  workload::ClusterState* cluster = nullptr;
  const api::Workload* workload = nullptr;
  Absence absence = Absence::kNone;
  bool lacks_nodes = false;           // topologies count, but there are no nodes
  engine::Explanation explanation;    // empty if the workload is in no queue
  schema::Problems pod_problems;      // violations for which the API server would reject its pods
  schema::Problems claim_problems;    // of its pods
  workload::CountedRequests counted;  // requests that count in its queue
  quantity::AmountFormatter amounts;
  // Whether a reader of the report may learn the name of another workload. Empty: of all.
  std::function<bool(const api::Workload&)> may_name = {};

  const engine::Engine& engine() const { return cluster->engine(); }

  // --- Names ------------------------------------------------------------------------------------
  std::string Name() const;  // "namespace/name"
  std::string LocalQueueName() const;
  // The ClusterQueue that it is in, or would be; "" if unknown.
  std::string ClusterQueueName() const;
  // Null if there is none.
  const api::ClusterQueue* ClusterQueue() const;
  // "(hidden)" if the reader may not learn it.
  std::string WorkloadName(engine::WorkloadId id) const;
  std::vector<std::string> WorkloadNames(const std::vector<engine::WorkloadId>& ids) const;
  const std::string& FlavorName(engine::FlavorId id) const { return engine().FlavorName(id); }
  const std::string& ResourceName(engine::ResourceId id) const { return engine().ResourceName(id); }
  const std::string& NodeName(engine::NodeId id) const;
  bool IsClusterQueue(engine::NodeId id) const;
  const std::string& PodSetName(uint32_t index) const;
  // Of a podset of explanation.held, which has the order of the admission.
  const std::string& HeldPodSetName(uint32_t index) const;
  std::string AmountText(engine::ResourceId resource, engine::Amount amount) const;

  // The untolerated taint of a flavor, "key=value:effect"; "" if there is none.
  std::string TaintOf(engine::FlavorId flavor) const;
};

// The workload must be part of the cluster state, which must be in sync. Both must outlive the
// report and not change.
Report MakeReport(workload::ClusterState& cluster, const api::Workload& workload,
                  bool lacks_nodes = false);

}  // namespace berth::explain

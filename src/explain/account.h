#pragma once

// All that is to be told about one workload: the engine's explanation, and the objects that give
// its ids their names.

#include <cstdint>
#include <string>
#include <vector>

#include "api/workload.h"
#include "engine/explanation.h"
#include "quantity/resource_amount.h"
#include "workload/engine_feed.h"

namespace berth::explain {

// Why a workload is in no ClusterQueue at all.
enum class Absence : uint8_t {
  kNone,  // it is in one
  kFinished,
  kDeactivated,
  kGated,            // by its annotation
  kOnHold,           // its QuotaReserved condition says so
  kReplacementPods,  // its pod group waits for pods to be replaced
  kNoQueueName,
  kNoLocalQueue,
  kLocalQueueStopped,
  kNoClusterQueue,
};

struct Account {
  workload::EngineFeed* feed = nullptr;
  const api::Workload* workload = nullptr;
  Absence absence = Absence::kNone;
  engine::Explanation explanation;    // empty if it is in no queue
  schema::Problems pod_problems;      // why the API server would refuse its pods
  schema::Problems claim_problems;    // claims of its pods that are not there
  workload::CountedRequests counted;  // of what it asks for, in the queue that it is in
  quantity::AmountFormatter amounts;

  const engine::Engine& engine() const { return feed->engine(); }

  // --- Names ------------------------------------------------------------------------------------
  std::string Name() const;  // "namespace/name"
  std::string LocalQueueName() const;
  // The one that it is in, or would be; "" if that cannot be told.
  std::string ClusterQueueName() const;
  // Null if there is none.
  const api::ClusterQueue* ClusterQueue() const;
  std::string WorkloadName(engine::WorkloadId id) const;
  std::vector<std::string> WorkloadNames(const std::vector<engine::WorkloadId>& ids) const;
  const std::string& FlavorName(engine::FlavorId id) const { return engine().FlavorName(id); }
  const std::string& ResourceName(engine::ResourceId id) const { return engine().ResourceName(id); }
  const std::string& NodeName(engine::NodeId id) const;
  bool IsClusterQueue(engine::NodeId id) const;
  const std::string& PodSetName(uint32_t index) const;
  // Of a podset of explanation.held: its admission has an order of its own.
  const std::string& HeldPodSetName(uint32_t index) const;
  std::string AmountText(engine::ResourceId resource, engine::Amount amount) const;

  // The taint of a flavor that the podsets do not tolerate, "key=value:effect"; "" if there is
  // none.
  std::string TaintOf(engine::FlavorId flavor) const;
};

// The workload must be known to the feed, and the feed in sync. Both must outlive the account, and
// stay as they are.
Account MakeAccount(workload::EngineFeed& feed, const api::Workload& workload);

}  // namespace berth::explain

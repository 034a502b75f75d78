#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/kueue/fair_sharing.h"
#include "api/kueue/stop_policy.h"
#include "api/meta/meta.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

struct LocalQueueSpec {
  std::optional<std::string> cluster_queue;
  std::optional<std::string> stop_policy;
  std::optional<FairSharing> fair_sharing;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueSpec&, const LocalQueueSpec&) = default;
};

struct LocalQueueResourceUsage {
  std::string name;
  std::optional<quantity::Quantity> total;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueResourceUsage&, const LocalQueueResourceUsage&) = default;
};

struct LocalQueueFlavorUsage {
  std::string name;
  std::vector<LocalQueueResourceUsage> resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueFlavorUsage&, const LocalQueueFlavorUsage&) = default;
};

struct LocalQueueStatus {
  std::vector<Condition> conditions;
  std::optional<int32_t> pending_workloads;
  std::optional<int32_t> reserving_workloads;
  std::optional<int32_t> admitted_workloads;
  std::vector<LocalQueueFlavorUsage> flavors_reservation;
  std::vector<LocalQueueFlavorUsage> flavors_usage;
  std::optional<LocalQueueFairSharingStatus> fair_sharing;
  schema::Json previous_flavors;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueStatus&, const LocalQueueStatus&) = default;
};

// The queue that jobs of a namespace refer to. Points to a ClusterQueue.
struct LocalQueue {
  ObjectMeta metadata;
  LocalQueueSpec spec;
  LocalQueueStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

}  // namespace berth::api

// Compiled once, in local_queue.cc.
extern template class std::vector<berth::api::LocalQueueFlavorUsage>;
extern template class std::vector<berth::api::LocalQueueResourceUsage>;

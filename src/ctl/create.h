#pragma once

// The objects that `create` makes of its flags. What the API server checks is not checked here.

#include <string>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "base/error.h"
#include "ctl/quota_flags.h"

namespace berth::ctl {

struct ClusterQueueFlags {
  std::string name;
  std::string cohort;
  std::string queueing_strategy;  // "" is BestEffortFIFO
  std::vector<std::string> namespace_selector;
  std::string reclaim_within_cohort;  // "" is Never
  std::string preemption_within_cluster_queue;
  QuotaFlags quotas;
};
base::Result<api::ClusterQueue> MakeClusterQueue(const ClusterQueueFlags& flags);

struct LocalQueueFlags {
  std::string name;
  std::string cluster_queue;
};
api::LocalQueue MakeLocalQueue(const LocalQueueFlags& flags, const std::string& namespace_name);

struct ResourceFlavorFlags {
  std::string name;
  std::vector<std::string> node_labels;
  std::vector<std::string> node_taints;  // KEY[=VALUE]:EFFECT
  std::vector<std::string> tolerations;  // KEY[=VALUE][:EFFECT] or :EFFECT
};
base::Result<api::ResourceFlavor> MakeResourceFlavor(const ResourceFlavorFlags& flags);

}  // namespace berth::ctl

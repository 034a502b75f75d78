#pragma once

#include "workload/state/claim_cache.h"
#include "workload/state/node_cache.h"
#include "workload/state/pod_environment.h"
#include "workload/state/queue_cache.h"
#include "workload/state/queue_reference_cache.h"
#include "workload/state/workload_cache.h"

namespace berth::workload {

// All objects that decisions depend on.
struct ObjectCaches {
  QueueReferenceCache references;
  QueueCache queues;
  PodEnvironment pods;
  ClaimCache claims;
  NodeCache nodes;
  WorkloadCache workloads;
};

}  // namespace berth::workload

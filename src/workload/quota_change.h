#pragma once

#include "api/kueue/cluster_queue.h"

namespace berth::workload {

// Whether `after` differs from `before` in nothing but quota and limits that are larger. Such a
// change takes nothing from any workload, so it may take effect later. No limit is the largest.
bool OnlyRaisesQuota(const api::ClusterQueueSpec& before, const api::ClusterQueueSpec& after);

}  // namespace berth::workload

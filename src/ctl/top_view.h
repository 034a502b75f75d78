#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"
#include "base/time.h"

namespace berth::ctl {

struct TopState {
  std::vector<api::ClusterQueue> cluster_queues;
  std::vector<api::LocalQueue> local_queues;
  std::vector<api::Workload> workloads;
};

struct TopOptions {
  size_t width = 80;
  size_t height = 0;  // lines; 0 is no limit
  size_t heads = 3;   // pending workloads shown for each queue
};

// One picture of `top`: the queues, those with pending workloads first, with a bar for each flavor
// and resource, and the workloads that are next. Their order is that of priority and time; what the
// engine weighs beyond that is not known here.
std::string TopView(const TopState& state, const TopOptions& options, base::Time now);

}  // namespace berth::ctl

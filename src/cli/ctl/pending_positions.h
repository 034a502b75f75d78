#pragma once

#include <map>
#include <set>

#include "cli/ctl/session.h"
#include "store/object.h"

namespace berth::cli {

// The positions, from 0, of the pending Workloads of these LocalQueues, from the visibility API. If
// the server does not serve it, they are computed from the objects of the cluster. What may not be
// read has no position; an invalid Configuration is reported on `err`.
std::map<store::ObjectName, int64_t> PendingPositions(
    ctl::Cluster& cluster, const std::set<store::ObjectName>& local_queues, Output& err);

}  // namespace berth::cli

#pragma once

// Sums over the whole cluster.

#include <string_view>
#include <vector>

#include "query/quota_figures.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

// The quota and usage of each flavor and resource over all ClusterQueues, with the quota of
// Cohorts, by resource, then flavor. Only flavor, resource, nominal, used and pending are set.
std::vector<QuotaFigures> TotalsOf(const workload::ClusterState& cluster);

void WriteTotals(std::string_view key, const std::vector<QuotaFigures>& totals,
                 schema::JsonWriter& w);

}  // namespace berth::query

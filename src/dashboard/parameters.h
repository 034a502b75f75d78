#pragma once

// The parameters of requests. Nullopt if one is malformed.

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "http/url.h"
#include "query/page.h"
#include "query/usage_history.h"
#include "query/workload_list.h"

namespace berth::dashboard {

// limit, at most query::Page::kMost, and offset.
std::optional<query::Page> PageOf(const http::Query& query);
// q, namespace, clusterQueue, localQueue, status and sort.
std::optional<query::WorkloadFilter> FilterOf(const http::Query& query);
// kind, name, from, to and points; the last hour before `now` by default, in Unix seconds.
std::optional<query::HistoryQuery> HistoryQueryOf(const http::Query& query, int64_t now);

// at: the moment, in Unix seconds.
std::optional<base::Time> MomentOf(const http::Query& query);

}  // namespace berth::dashboard

#pragma once

#include <string>

#include "engine/quota/quota_forest.h"

namespace berth::engine {

// The Cohorts above a node from the root down, then the node: "/company/research/vision". A Cohort
// that is its own ancestor appears once.
std::string QueuePathOf(const QuotaForest& forest, NodeId node);

}  // namespace berth::engine

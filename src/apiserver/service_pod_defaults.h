#pragma once

#include <string_view>

#include "store/json.h"

namespace berth::apiserver {

// What the API server fills in for pods, and for the pod templates of its own kinds, that no field
// of theirs is described for. `collection`: "pods", "jobs.batch", "deployments.apps" and so on;
// others are left as they are.
void ApplyPodDefaults(std::string_view collection, store::json::value& object);

}  // namespace berth::apiserver

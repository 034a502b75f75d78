#pragma once

#include <string_view>

#include "json/json.h"

namespace berth::apiserver {

// Defaults of pods and of pod templates in built-in kinds for fields that are not described.
// `collection`: "pods", "jobs.batch", "deployments.apps" and so on; objects of other collections
// are unchanged.
void ApplyPodDefaults(std::string_view collection, json::value& object);

}  // namespace berth::apiserver

#pragma once

#include <string>
#include <string_view>

#include "store/json.h"

// Events are kept as those of the core group. The API group events.k8s.io shows the same events
// with other names for some of their fields.
namespace berth::apiserver {

// From the form of events.k8s.io to that of the core group, and back.
void ToCoreEvent(store::json::value& event);
void FromCoreEvent(store::json::value& event);

// The name that a field of events.k8s.io has in the core group, at the beginning of a path.
std::string CoreEventPath(std::string_view path);

}  // namespace berth::apiserver

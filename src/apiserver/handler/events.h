#pragma once

#include <string>
#include <string_view>

#include "json/json.h"

// Events are stored in the form of the core group. The group events.k8s.io serves the same events
// with different names of some fields.
namespace berth::apiserver {

// Conversion from events.k8s.io to the core group and back.
void ToCoreEvent(json::value& event);
void FromCoreEvent(json::value& event);

// Translates a field path of events.k8s.io to the core group.
std::string CoreEventPath(std::string_view path);

}  // namespace berth::apiserver

#pragma once

// What the server itself sets in objects, whatever a request says.

#include <string>
#include <string_view>

#include "apiserver/service_request.h"
#include "base/time.h"
#include "store/json.h"

namespace berth::apiserver {

// A random UUID.
std::string NewUid();
// The prefix, cut to what names may have, and five characters that make no words.
std::string NewName(std::string_view prefix);

// An object before it is created: a new identity, generation 1, no status where that has a
// subresource of its own, and what its kind starts with.
void PrepareForCreate(const ServiceRequest& request, base::Time now, store::json::value& object);

// The same after the hooks had their say: a job without labels has those of its pods.
void PrepareToStore(const ServiceRequest& request, store::json::value& object);

// An object before it replaces another: its identity, and of spec and status the one that the
// request may not write, stay as they are.
void PrepareForUpdate(const ServiceRequest& request, const store::json::value& old_object,
                      store::json::value& object);

// Counts a change of the desired state. After defaults were filled in.
void CountGeneration(const ServiceRequest& request, const store::json::value& old_object,
                     store::json::value& object);

}  // namespace berth::apiserver

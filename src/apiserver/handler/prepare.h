#pragma once

// Server-set fields, independent of the request.

#include <string>
#include <string_view>

#include "apiserver/handler/request.h"
#include "base/time.h"
#include "json/json.h"

namespace berth::apiserver {

// A random UUID.
std::string NewUid();
// The prefix, truncated to the length limit of names, and five random characters without vowels.
std::string NewName(std::string_view prefix);

// Initializes an object for creation: new identity, generation 1, no status if it has a
// subresource, and the initial fields of its kind.
void PrepareForCreate(const HandlerRequest& request, base::Time now, json::value& object);

// Initialization that follows mutating admission: a job without labels gets those of its pod
// template.
void PrepareToStore(const HandlerRequest& request, json::value& object);

// Restores the fields that the request may not write: identity, and either spec or status.
void PrepareForUpdate(const HandlerRequest& request, const json::value& old_object,
                      json::value& object);

// Increments the generation if the desired state changed. Call after defaulting.
void CountGeneration(const HandlerRequest& request, const json::value& old_object,
                     json::value& object);

}  // namespace berth::apiserver

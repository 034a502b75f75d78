#pragma once

// Managed fields and server-side apply of requests.

#include "apiserver/handler/request.h"
#include "base/time.h"
#include "json/json.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// Records the fields written by the request's manager in metadata.managedFields; an apply has done
// so already. `old_object` is null for a create.
void TrackOwners(const HandlerRequest& request, base::Time now, const json::value* old_object,
                 json::value& object);

// The result of applying a patch to the stored object, with managedFields; `old_object` is null if
// there is none. Allocated from `memory`.
store::Outcome<json::value> Applied(HandlerRequest& request, const store::Patch& patch,
                                    base::Time now, const json::value* old_object,
                                    json::storage_ptr memory);

}  // namespace berth::apiserver

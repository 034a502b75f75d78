#pragma once

// Which manager owns which field: where the service meets managed fields and server-side apply.

#include "apiserver/service_request.h"
#include "base/time.h"
#include "store/call.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {

// Notes in metadata.managedFields which fields the request's manager wrote. What an apply has noted
// already stays. `old_object` is null when creating.
void TrackOwners(const ServiceRequest& request, base::Time now,
                 const store::json::value* old_object, store::json::value& object);

// The object that an apply makes of the stored one, with its managedFields; `old_object` is null if
// there is none. The tree is in the memory that is given.
store::Outcome<store::json::value> Applied(ServiceRequest& request, const store::Patch& patch,
                                           base::Time now, const store::json::value* old_object,
                                           store::json::storage_ptr memory);

}  // namespace berth::apiserver

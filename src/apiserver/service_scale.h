#pragma once

#include "apiserver/kinds.h"
#include "apiserver/service_request.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {

// The scale subresource: the part of an object that says how many replicas it wants and has, in the
// same form for every kind.

// A Scale (autoscaling/v1) of the object.
store::json::value ScaleOf(const ScalePaths& paths, const store::json::value& object);

// The object with the replicas that a Scale asks for. Fails if they are no number, or negative.
store::Outcome<store::json::value> Scaled(const ServiceRequest& request,
                                          const store::json::value& scale,
                                          store::json::value object);

}  // namespace berth::apiserver

#pragma once

#include "apiserver/handler/request.h"
#include "apiserver/kinds.h"
#include "json/json.h"
#include "store/failure.h"

namespace berth::apiserver {

// The scale subresource: desired and current replicas in the same form for every kind.

// The Scale (autoscaling/v1) of the object.
json::value ScaleOf(const ScalePaths& paths, const json::value& object);

// Sets the replicas of a Scale on the object. Fails if they are not a number or negative.
store::Outcome<json::value> Scaled(const HandlerRequest& request, const json::value& scale,
                                   json::value object);

}  // namespace berth::apiserver

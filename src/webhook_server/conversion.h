#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "json/json.h"

namespace berth::webhook_server {

// Converts an object of one of Kueue's kinds to another API version. Fields that the version lacks
// are dropped.
base::Result<json::value> ConvertObject(json::value object, std::string_view desired_api_version);

// The response to a ConversionReview (apiextensions.k8s.io/v1): all objects in order, or a failure
// that names the first object that could not be converted.
base::Result<std::string> AnswerConversion(std::string_view review);

}  // namespace berth::webhook_server

#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "store/json.h"

namespace berth::webhook_server {

// An object of one of Kueue's kinds in another version of its API. What a version has no place for
// is left out.
base::Result<store::json::value> ConvertObject(store::json::value object,
                                               std::string_view desired_api_version);

// The answer to a ConversionReview (apiextensions.k8s.io/v1), as the API server expects it: all
// objects in their order, or a failure that names the first which could not be converted.
base::Result<std::string> AnswerConversion(std::string_view review);

}  // namespace berth::webhook_server

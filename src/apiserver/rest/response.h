#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apiserver/rest/request.h"
#include "base/time.h"
#include "http/message.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// The response in the negotiated form. Ages are relative to `now`.
http::Response RenderReply(const RestView& view, const store::Reply& reply, base::Time now);

// A Status, with Retry-After if the failure has one.
http::Response RenderFailure(const store::Failure& failure, Encoding encoding = Encoding::kJson);

// A JSON document.
http::Response RenderJson(std::string json);

// A Warning header value with the text.
std::string WarningHeader(std::string_view text);
// Adds a Warning header for each, or for the first ones and the number of the rest: clients give up
// on responses with many or long headers.
void AddWarnings(std::span<const std::string> warnings, http::Response& response);

// The Status object of a failure, as JSON.
std::string StatusJson(const store::Failure& failure);

}  // namespace berth::apiserver

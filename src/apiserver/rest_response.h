#pragma once

#include <string>
#include <string_view>

#include "apiserver/http_message.h"
#include "apiserver/rest_request.h"
#include "base/time.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// The answer to a call, in the form that the client asked for. `now` is what ages count from.
HttpResponse RenderReply(const RestView& view, const store::Reply& reply, base::Time now);

// A Status, with Retry-After where the failure has one.
HttpResponse RenderFailure(const store::Failure& failure, Encoding encoding = Encoding::kJson);

// A whole JSON document as a response.
HttpResponse RenderJson(std::string json);

// The value of a Warning header that shows the text to the person who made the request.
std::string WarningHeader(std::string_view text);

// The Status object of a failure, as JSON.
std::string StatusJson(const store::Failure& failure);

}  // namespace berth::apiserver

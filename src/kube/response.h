#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/call.h"
#include "store/failure.h"

namespace berth::kube {

// An HTTP response with the headers that matter here.
struct Response {
  int status = 0;
  std::string retry_after;
  std::vector<std::string> warnings;  // as in the header: `299 - "text"`
  std::string body;
};

// The reply that a response carries. Items in lists of built-in kinds lack apiVersion and kind;
// they are added here.
store::Outcome<store::Reply> ReplyFrom(const store::Call& call, Response response);

// The failure in a response with a status other than 2xx, from the API server or from a proxy.
store::Failure FailureFrom(const Response& response);

// The text of a Warning header.
std::string WarningText(std::string_view field);

}  // namespace berth::kube

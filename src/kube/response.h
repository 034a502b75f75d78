#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/call.h"
#include "store/failure.h"

namespace berth::kube {

// A response as it came over the wire, with the header fields that somebody looks at.
struct Response {
  int status = 0;
  std::string retry_after;
  std::vector<std::string> warnings;  // as in the header: `299 - "text"`
  std::string body;
};

// What it means as the answer to a call. Objects in lists of Kubernetes' own kinds do not say what
// they are; they get apiVersion and kind here, so that every object does.
store::Outcome<store::Reply> ReplyFrom(const store::Call& call, Response response);

// The failure that a response of a status other than 2xx is, whoever in between has written it.
store::Failure FailureFrom(const Response& response);

// The text of a Warning header field.
std::string WarningText(std::string_view field);

}  // namespace berth::kube

#pragma once

#include <string>
#include <string_view>

#include "store/failure.h"

namespace berth::apiserver {

// Some clients, `kubectl create job` among them, send objects of Kubernetes' own kinds as protocol
// buffers and nothing else.
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// The object in the body as JSON with its apiVersion and kind, as the client would have written it.
// Nothing is lost in silence: a kind that is not in the table (protobuf_table.h), or a field that
// is not and has a value, is refused with 415; a body that is not what it says it is, with 400.
store::Outcome<std::string> ProtobufAsJson(std::string_view body);

}  // namespace berth::apiserver

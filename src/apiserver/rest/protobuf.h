#pragma once

#include <string>
#include <string_view>

#include "store/failure.h"

namespace berth::apiserver {

// Some clients, such as `kubectl create job`, send objects of built-in kinds only as protobuf.
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// Decodes the body to JSON with apiVersion and kind. Nothing is dropped silently: an unknown kind,
// or an unknown field with a value, is rejected with 415; a malformed body with 400. See
// protobuf/table.h for the known messages.
store::Outcome<std::string> ProtobufAsJson(std::string_view body);

}  // namespace berth::apiserver

#pragma once

#include <string>
#include <string_view>

#include "json/json.h"

namespace berth::apiserver {

// kubectl reads OpenAPI version 2 only as protobuf: for `kind: List` and for kinds that the server
// does not know. The first name is the current one; clients still ask for the second.
inline constexpr std::string_view kOpenApiProtobufType =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
inline constexpr std::string_view kOldOpenApiProtobufType =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

// A document of OpenAPI version 2 as the protobuf message openapi.v2.Document, with info and
// definitions but without paths, which no client reads in this form.
std::string OpenApiProtobuf(const json::value& document);

}  // namespace berth::apiserver

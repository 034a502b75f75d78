#pragma once

#include <cstdint>

#include "apiserver/rest_catalog.h"
#include "schema/json_writer.h"

namespace berth::apiserver {

enum class ApiForm : uint8_t { kVersion2, kVersion3 };

// Writes the kind's URLs as members of the "paths" of an OpenAPI document, each with what may be
// done there and with which options. Clients look here to learn whether the server checks fields,
// knows dry runs and takes a kind of patch.
void WritePaths(schema::JsonWriter& w, const ServedKind& kind, ApiForm form);

}  // namespace berth::apiserver

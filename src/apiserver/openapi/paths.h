#pragma once

#include <cstdint>

#include "apiserver/rest/catalog.h"
#include "schema/json/writer.h"

namespace berth::apiserver {

enum class ApiForm : uint8_t { kVersion2, kVersion3 };

// Writes the kind's URLs as members of the "paths" of an OpenAPI document, with operations and
// parameters. Clients read from it whether the server supports field validation, dry runs and a
// patch type.
void WritePaths(schema::JsonWriter& w, const ServedKind& kind, ApiForm form);

}  // namespace berth::apiserver

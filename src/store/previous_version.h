#pragma once

// Conversion to previous API versions, for clients that request one. Decoding does the opposite
// (schema::DecodeOptions::is_previous); inside Berth there is only the current version.

#include <string_view>

#include "json/json.h"
#include "schema/describe.h"

namespace berth::store {

// Whether objects of this version differ in shape from the current one. Some previous versions
// differ only in name.
bool HasPreviousForm(const schema::Kind& kind, std::string_view version);

// Converts an object of the current version to a previous one: renames fields back, restores
// previous shapes, and drops fields that the previous version does not have.
void ConvertToPrevious(const schema::Kind& kind, std::string_view version, json::value& object);

}  // namespace berth::store

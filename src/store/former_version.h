#pragma once

// Objects in former versions of their API. They are turned into today's while they are read
// (schema::DecodeOptions::is_former); this is the way back, for clients that ask for the former
// one.

#include <string_view>

#include "schema/describe.h"
#include "store/json.h"

namespace berth::store {

// Whether objects of this version look other than today's. Some former versions only have another
// name.
bool HasFormerForm(const schema::Kind& kind, std::string_view version);

// Turns an object of today's version into one of a former version: fields get their former names,
// what was folded into others is unfolded, and what the former version does not have is left out.
void TurnIntoFormer(const schema::Kind& kind, std::string_view version, json::value& object);

}  // namespace berth::store

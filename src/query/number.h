#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "quantity/amount.h"
#include "schema/json/writer.h"

namespace berth::query {

// The JSON number of an amount in the base unit of its resource: 1500 thousandths of a core are
// 1.5; "null" if unlimited.
std::string NumberText(std::string_view resource, quantity::Amount amount);

void WriteAmount(schema::JsonWriter& w, std::string_view key, std::string_view resource,
                 quantity::Amount amount);
// An amount of usage or requests, which is never unlimited.
void WriteAmount(schema::JsonWriter& w, std::string_view key, std::string_view resource,
                 int64_t amount);
// Omitted if the text is empty.
void WriteText(schema::JsonWriter& w, std::string_view key, std::string_view text);

}  // namespace berth::query

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The two smallest pieces of JSON text. Every encoder is built on them, so they are quick: clean
// runs are found eight bytes at a time and copied whole.
namespace berth::schema {

// Appends `text` as a JSON string, quotes included. Escapes what JSON demands and nothing else:
// the quote, the backslash and control characters below 0x20 (\b \f \n \r \t, else \u00XX). Other
// bytes pass through, so valid UTF-8 stays valid and readable.
void AppendJsonString(std::string& out, std::string_view text);

// The same without the quotes, for strings that are put together from pieces.
void AppendJsonEscaped(std::string& out, std::string_view text);

// Appends the number in decimal.
void AppendInt(std::string& out, int64_t value);
void AppendUint(std::string& out, uint64_t value);

}  // namespace berth::schema

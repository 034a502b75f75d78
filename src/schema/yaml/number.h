#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Parsing of YAML numbers and formatting of JSON numbers.
namespace berth::schema {

// The text without its underscores, stored in `buffer` if there were any.
std::string_view WithoutUnderscores(std::string_view text, std::string& buffer);
bool UnderscoresSeparateDigits(std::string_view text);

// [sign] then decimal, 0x…, 0o…, 0b… or 0… (octal). Nullopt if malformed or out of range.
// ParseYamlUint is only for values beyond int64. Precondition: no underscores.
std::optional<int64_t> ParseYamlInt(std::string_view text);
std::optional<uint64_t> ParseYamlUint(std::string_view text);

// Decimal, with or without a point or an exponent. A value too small for a double is zero; one too
// large is nullopt.
std::optional<double> ParseYamlFloat(std::string_view text);

// Whether YAML 1.1 may parse the plain text as a base-60 number, such as `12:30:45`. It is a string
// here; a writer quotes it for other readers. May return false positives.
bool IsBase60(std::string_view text);

// Appends the shortest decimal that parses to the same double: `0.1`, `1000`, `1e+21`, `1e-7`.
void AppendJsonFloat(std::string& out, double value);

// Appends a float as a key: the nearest single-precision number, with an exponent from 1e+06 on;
// ".inf", "-.inf" and ".nan".
void AppendKeyFloat(std::string& out, double value);

}  // namespace berth::schema

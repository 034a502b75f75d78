#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers as YAML writes them and as JSON prints them.
namespace berth::schema {

// The text without its underscores; `buffer` holds it if there were any.
std::string_view WithoutUnderscores(std::string_view text, std::string& buffer);
bool UnderscoresSeparateDigits(std::string_view text);

// [sign] then decimal, 0x…, 0o…, 0b… or 0… (octal). Nullopt if malformed or out of range.
// The signless form is for what is past int64 only. The text must have no underscores.
std::optional<int64_t> ParseYamlInt(std::string_view text);
std::optional<uint64_t> ParseYamlUint(std::string_view text);

// Decimal, with a point or an exponent or neither. What is too small for a double is zero; what is
// too large is nullopt.
std::optional<double> ParseYamlFloat(std::string_view text);

// Whether YAML 1.1 may take the plain text for a number in base 60, such as `12:30:45`. It is a
// string here; a writer quotes it for the sake of other readers. Errs on the side of yes.
bool IsBase60(std::string_view text);

// Appends the shortest decimal that reads back as the same double: `0.1`, `1000`, `1e+21`, `1e-7`.
void AppendJsonFloat(std::string& out, double value);

// The form that a float takes as a key: that of the nearest single precision number, with an
// exponent from 1e+06 on; ".inf", "-.inf" and ".nan".
void AppendKeyFloat(std::string& out, double value);

}  // namespace berth::schema

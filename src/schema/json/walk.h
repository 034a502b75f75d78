#pragma once

#include <cstddef>
#include <optional>

#include "schema/json/index.h"

// Navigation in an indexed text without decoding. Skipped values are only checked for matching
// brackets.
namespace berth::schema {

// The token behind the value at `token`; the end of the text if its brackets are not closed. The
// end of the text maps to itself.
size_t SkipValue(const JsonIndex& index, size_t token);

// The text of the value at `token`.
std::string_view ValueText(const JsonIndex& index, size_t token);

// Calls entry(token of the key, token of the value) for each member of the object at `token`.
// Nullopt if keys, colons and commas are well-formed; otherwise the offending token.
template <class Entry>
std::optional<size_t> WalkObject(const JsonIndex& index, size_t token, Entry entry) {
  size_t at = token + 1;
  if (index.first(at) == '}') return std::nullopt;
  while (true) {
    if (index.first(at) != '"') return at;
    if (index.first(at + 1) != ':') return at + 1;
    entry(at, at + 2);
    at = SkipValue(index, at + 2);
    if (index.first(at) == '}') return std::nullopt;
    if (index.first(at) != ',') return at;
    ++at;
  }
}

// Calls element(token of the value) for each element of the list at `token`. Same result as
// WalkObject.
template <class Element>
std::optional<size_t> WalkList(const JsonIndex& index, size_t token, Element element) {
  size_t at = token + 1;
  if (index.first(at) == ']') return std::nullopt;
  while (true) {
    element(at);
    at = SkipValue(index, at);
    if (index.first(at) == ']') return std::nullopt;
    if (index.first(at) != ',') return at;
    ++at;
  }
}

}  // namespace berth::schema

#pragma once

#include <cstddef>
#include <optional>

#include "schema/json_index.h"

// Looking around in an indexed text without decoding it. What is passed over is only counted by its
// brackets; whoever decodes it finds what is wrong inside.
namespace berth::schema {

// The token after the value that begins at `token`; the end of the text if its brackets are never
// closed. The value at the end of the text is the end itself.
size_t SkipValue(const JsonIndex& index, size_t token);

// The text of the value that begins at `token`, without what follows it.
std::string_view ValueText(const JsonIndex& index, size_t token);

// Calls entry(token of the key, token of the value) for each member of the object at `token`.
// Nullopt if keys, colons and commas alternate as they must; otherwise the token that breaks it.
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

// Calls element(token of the value) for each element of the list at `token`. The same result.
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

#include "schema/json/walk.h"

namespace berth::schema {

size_t SkipValue(const JsonIndex& index, size_t token) {
  size_t depth = 0;
  while (token < index.token_count()) {
    const char c = index.first(token);
    if (c == '{' || c == '[') ++depth;
    // A missing value ends before the closing bracket.
    if ((c == '}' || c == ']') && depth == 0) return token;
    if (c == '}' || c == ']') --depth;
    ++token;
    if (depth == 0) break;
  }
  return token;
}

std::string_view ValueText(const JsonIndex& index, size_t token) {
  const size_t end = SkipValue(index, token);
  if (end == token) return {};
  const std::string_view last = index.token(end - 1);
  const size_t begin = index.offset(token);
  return index.text().substr(begin, index.offset(end - 1) + last.size() - begin);
}

}  // namespace berth::schema

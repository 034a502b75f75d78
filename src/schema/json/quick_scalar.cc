#include "schema/json/quick_scalar.h"

#include <algorithm>

#include "schema/json/index.h"

namespace berth::schema {
namespace {

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The length of the escape at a backslash; 0 if invalid.
size_t EscapeSize(const char* at) {
  constexpr std::string_view kPlain = "\"\\/bfnrt";
  if (at[1] == 'u') return std::all_of(at + 2, at + 6, IsHexDigit) ? 6 : 0;
  return at[1] != '\0' && kPlain.find(at[1]) != std::string_view::npos ? 2 : 0;
}

}  // namespace

const char* ReadEscapedString(const char* at, std::string& target) {
  const char* const end = SkipEscapedString(at);
  if (end == nullptr) return nullptr;
  std::optional<std::string> plain = UnescapeJsonString({at, end});
  if (!plain) return nullptr;
  target = *std::move(plain);
  return end;
}

const char* SkipEscapedString(const char* at) {
  const char* special = FindSpecial(at + 1);
  while (*special == '\\') {
    const size_t size = EscapeSize(special);
    if (size == 0) return nullptr;
    special = FindSpecial(special + size);
  }
  return *special == '"' ? special + 1 : nullptr;
}

const char* SkipNumber(const char* at) {
  const auto digits = [&] {
    const char* const from = at;
    while (*at >= '0' && *at <= '9') ++at;
    return at - from;
  };
  if (*at == '-') ++at;
  const bool starts_with_zero = *at == '0';
  const std::ptrdiff_t whole = digits();
  if (whole == 0 || (starts_with_zero && whole > 1)) return nullptr;
  if (*at == '.' && (++at, digits() == 0)) return nullptr;
  if (*at == 'e' || *at == 'E') {
    ++at;
    if (*at == '+' || *at == '-') ++at;
    if (digits() == 0) return nullptr;
  }
  return at;
}

}  // namespace berth::schema

#include "quantity/json_token.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace berth::quantity {
namespace {

// Unicode white space in UTF-8.
constexpr std::array<std::string_view, 25> kSpaces = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00a0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
    "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

std::string_view Trim(std::string_view text) {
  const auto leading = [&](std::string_view space) { return text.starts_with(space); };
  const auto trailing = [&](std::string_view space) { return text.ends_with(space); };
  for (auto it = kSpaces.begin(); it != kSpaces.end();) {
    it = std::ranges::find_if(kSpaces, leading);
    if (it != kSpaces.end()) text.remove_prefix(it->size());
  }
  for (auto it = kSpaces.begin(); it != kSpaces.end();) {
    it = std::ranges::find_if(kSpaces, trailing);
    if (it != kSpaces.end()) text.remove_suffix(it->size());
  }
  return text;
}

// Whether the first or last character is not a printable ASCII character.
bool MayHaveSpace(std::string_view text) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  return text.empty() || !is_plain(text.front()) || !is_plain(text.back());
}

size_t TakeDigits(std::string_view& text) {
  const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

bool TakeAny(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// JSON's number grammar is narrower than that of quantities: no "+1", "01", "1." or ".5".
bool IsJsonNumber(std::string_view text) {
  TakeAny(text, "-");
  const bool starts_with_zero = text.starts_with('0');
  const size_t whole = TakeDigits(text);
  if (whole == 0 || (starts_with_zero && whole > 1)) return false;
  if (TakeAny(text, ".") && TakeDigits(text) == 0) return false;
  if (TakeAny(text, "eE")) {
    TakeAny(text, "+-");
    if (TakeDigits(text) == 0) return false;
  }
  return text.empty();
}

}  // namespace

std::expected<Quantity, ParseError> ParseJsonToken(std::string_view token) {
  if (token == "null") return Quantity();
  if (token.size() >= 2 && token.starts_with('"') && token.ends_with('"')) {
    const std::string_view text = token.substr(1, token.size() - 2);
    return Quantity::Parse(MayHaveSpace(text) ? Trim(text) : text);
  }
  if (!IsJsonNumber(token)) return std::unexpected(ParseError::kFormat);
  return Quantity::Parse(token);
}

}  // namespace berth::quantity

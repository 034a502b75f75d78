#include "http/url.h"

#include <algorithm>
#include <optional>

namespace berth::http {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Nullopt if a percent sign is not followed by two hex digits.
std::optional<std::string> Unescape(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 1 < text.size() ? DigitOf(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? DigitOf(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

std::string UnescapeOr(std::string_view text, bool plus_is_space) {
  return Unescape(text, plus_is_space).value_or(std::string(text));
}

}  // namespace

std::string Unescaped(std::string_view text) { return UnescapeOr(text, false); }

Query Query::Parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const size_t end = text.find('&');
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (entry.empty()) continue;
    const size_t equals = entry.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : entry.substr(equals + 1);
    query.entries_.emplace_back(UnescapeOr(entry.substr(0, equals), true), UnescapeOr(value, true));
  }
  return query;
}

std::string_view Query::Get(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, [](const auto& e) { return e.first; });
  return at == entries_.end() ? std::string_view() : std::string_view(at->second);
}

bool Query::Has(std::string_view name) const {
  return std::ranges::any_of(entries_, [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string_view> Query::All(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [key, value] : entries_) {
    if (key == name) values.push_back(value);
  }
  return values;
}

}  // namespace berth::http

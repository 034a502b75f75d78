#include "apiserver/rest_target.h"

#include <algorithm>
#include <optional>
#include <span>

namespace berth::apiserver {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Nullopt if a percent sign has no two digits behind it.
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

// The parts between slashes; empty ones do not count.
std::vector<std::string> Segments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    if (const std::string_view part = path.substr(0, slash); !part.empty())
      segments.push_back(UnescapeOr(part, false));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return segments;
}

bool IsNamespaceSubresource(std::string_view name) {
  return name == "status" || name == "finalize";
}

// What stands behind the version: [watch/][namespaces/NS/]PLURAL[/NAME[/SUBRESOURCE]].
bool ReadObjects(RestTarget& target, std::span<const std::string> parts) {
  if (parts.size() > 1 && parts[0] == "watch") {
    target.is_watch_path = true;
    parts = parts.subspan(1);
  }
  if (parts.size() > 2 && parts[0] == "namespaces" && !IsNamespaceSubresource(parts[2])) {
    target.namespace_ = parts[1];
    parts = parts.subspan(2);
  }
  if (parts.size() > 3) return false;
  target.plural = parts[0];
  if (parts.size() > 1) target.name = parts[1];
  if (parts.size() > 2) target.subresource = parts[2];
  return true;
}

RestTarget::Kind ReadPath(RestTarget& target, std::span<const std::string> parts) {
  using enum RestTarget::Kind;
  if (parts.empty() || (parts[0] != "api" && parts[0] != "apis")) return kOther;
  const bool is_core = parts[0] == "api";
  if (parts.size() == 1) return is_core ? kCoreVersions : kGroups;
  parts = parts.subspan(1);
  if (!is_core) {
    target.group = parts[0];
    if (parts.size() == 1) return kGroup;
    parts = parts.subspan(1);
  }
  target.version = parts[0];
  if (parts.size() == 1) return kVersion;
  return ReadObjects(target, parts.subspan(1)) ? kObjects : kOther;
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

RestTarget RestTarget::Parse(std::string_view text) {
  RestTarget target;
  const size_t mark = text.find('?');
  const std::string_view path = text.substr(0, mark);
  if (mark != std::string_view::npos) target.query = Query::Parse(text.substr(mark + 1));
  target.path = UnescapeOr(path, false);
  target.kind = ReadPath(target, Segments(path));
  return target;
}

}  // namespace berth::apiserver

#include "apiserver/rest/target.h"

#include <algorithm>
#include <optional>
#include <span>

namespace berth::apiserver {
namespace {

// The non-empty segments of a path.
std::vector<std::string> Segments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    if (const std::string_view part = path.substr(0, slash); !part.empty())
      segments.push_back(http::Unescaped(part));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return segments;
}

bool IsNamespaceSubresource(std::string_view name) {
  return name == "status" || name == "finalize";
}

// The path after the version: [watch/][namespaces/NS/]PLURAL[/NAME[/SUBRESOURCE]].
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

RestTarget RestTarget::Parse(std::string_view text) {
  RestTarget target;
  const size_t mark = text.find('?');
  const std::string_view path = text.substr(0, mark);
  if (mark != std::string_view::npos) target.query = http::Query::Parse(text.substr(mark + 1));
  target.path = http::Unescaped(path);
  target.kind = ReadPath(target, Segments(path));
  return target;
}

}  // namespace berth::apiserver

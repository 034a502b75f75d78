#include "dashboard/route.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace berth::dashboard {
namespace {

constexpr size_t kLongestSegment = 253;  // of names in Kubernetes

bool IsSafe(std::string_view segment) {
  return !segment.empty() && segment.size() <= kLongestSegment &&
         std::ranges::none_of(
             segment, [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; });
}

// Nullopt if a segment is empty or not safe.
std::optional<std::vector<std::string>> SegmentsOf(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    if (path.front() != '/') return std::nullopt;
    path.remove_prefix(1);
    const size_t end = std::min(path.find('/'), path.size());
    if (end == 0 && path.empty() && segments.empty()) return segments;
    segments.push_back(http::Unescaped(path.substr(0, end)));
    if (!IsSafe(segments.back())) return std::nullopt;
    path.remove_prefix(end);
  }
  return segments;
}

using Segments = std::span<const std::string>;

// Endpoints whose path is one name.
struct PlainPath {
  std::string_view name;
  Endpoint endpoint;
};
constexpr PlainPath kPlainPaths[] = {
    {"session", Endpoint::kSession}, {"overview", Endpoint::kOverview},
    {"tree", Endpoint::kTree},       {"workloads", Endpoint::kWorkloads},
    {"flavors", Endpoint::kFlavors}, {"plan", Endpoint::kPlan},
    {"updates", Endpoint::kUpdates},
};

bool IsNamespaced(std::string_view plural) {
  return plural == "localqueues" || plural == "workloads";
}

// The object that the last segments name.
void SetObject(Segments names, Endpoint endpoint, Route& route) {
  if (names.empty() || names.size() > 2) return;
  route.endpoint = endpoint;
  if (names.size() == 2) route.namespace_ = names.front();
  route.name = names.back();
}

void SetManifest(Segments path, Route& route) {
  if (path.size() != (IsNamespaced(path[0]) ? 3u : 2u)) return;
  route.plural = path[0];
  SetObject(path.subspan(1), Endpoint::kManifest, route);
}

void SetEndpoint(Segments path, Route& route) {
  if (path.size() == 1) {
    for (const PlainPath& plain : kPlainPaths)
      if (plain.name == path[0]) route.endpoint = plain.endpoint;
    return;
  }
  if (path.size() == 2 && path[0] == "clusterqueues")
    return SetObject(path.subspan(1), Endpoint::kClusterQueue, route);
  if (path.size() == 2 && path[0] == "history" && path[1] == "usage")
    return void(route.endpoint = Endpoint::kUsageHistory);
  if (path.size() == 3 && path[0] == "localqueues")
    return SetObject(path.subspan(1), Endpoint::kLocalQueue, route);
  if (path.size() == 3 && path[0] == "workloads")
    return SetObject(path.subspan(1), Endpoint::kWorkload, route);
  if (path.size() == 4 && path[0] == "workloads" && path[3] == "eta")
    return SetObject(path.subspan(1, 2), Endpoint::kStartEstimate, route);
  if (path.size() == 4 && path[0] == "workloads" && path[3] == "history")
    return SetObject(path.subspan(1, 2), Endpoint::kLife, route);
  if (path.size() == 3 && path[0] == "clusterqueues" && path[2] == "history")
    return SetObject(path.subspan(1, 1), Endpoint::kPastQueue, route);
  if (path.size() >= 3 && path[0] == "manifests") SetManifest(path.subspan(1), route);
}

}  // namespace

Route ParseRoute(std::string_view target) {
  Route route;
  const size_t mark = std::min(target.find('?'), target.size());
  const auto segments = SegmentsOf(target.substr(0, mark));
  if (!segments) return route;
  if (mark < target.size()) route.query = http::Query::Parse(target.substr(mark + 1));
  const Segments path(*segments);
  if (path.size() > 2 && path[0] == "api" && path[1] == "v1") {
    SetEndpoint(path.subspan(2), route);
  } else if (path.size() <= 1 && (path.empty() || path[0] != "api")) {
    route.endpoint = Endpoint::kFile;
    route.file = path.empty() ? "index.html" : path[0];
  }
  return route;
}

}  // namespace berth::dashboard

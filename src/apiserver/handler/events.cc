#include "apiserver/handler/events.h"

#include <array>
#include <utility>

namespace berth::apiserver {
namespace {

struct Renamed {
  std::string_view core;
  std::string_view grouped;
};
constexpr std::array<Renamed, 7> kRenamed = {{
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
}};

void Rename(json::object& object, std::string_view from, std::string_view to) {
  json::value* found = object.if_contains(json::BoostView(from));
  if (found == nullptr) return;
  json::value value = std::move(*found);
  object.erase(json::BoostView(from));
  object[json::BoostView(to)] = std::move(value);
}

}  // namespace

void ToCoreEvent(json::value& event) {
  json::object* object = event.if_object();
  if (object == nullptr) return;
  for (const Renamed& field : kRenamed) Rename(*object, field.grouped, field.core);
  (*object)["apiVersion"] = "v1";
}

void FromCoreEvent(json::value& event) {
  json::object* object = event.if_object();
  if (object == nullptr) return;
  for (const Renamed& field : kRenamed) Rename(*object, field.core, field.grouped);
  (*object)["apiVersion"] = "events.k8s.io/v1";
}

std::string CoreEventPath(std::string_view path) {
  const size_t dot = std::min(path.find('.'), path.size());
  for (const Renamed& field : kRenamed)
    if (path.substr(0, dot) == field.grouped)
      return std::string(field.core) + std::string(path.substr(dot));
  return std::string(path);
}

}  // namespace berth::apiserver

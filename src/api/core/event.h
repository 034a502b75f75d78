#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/meta/meta.h"
#include "api/meta/object_reference.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kEventNormal = "Normal";
inline constexpr std::string_view kEventWarning = "Warning";

// The reporting component.
struct EventSource {
  std::string component;
  std::string host;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const EventSource&, const EventSource&) = default;
};

// An Event of core/v1. See events_v1_event.h for the same Event in events.k8s.io.
struct Event {
  ObjectMeta metadata;
  ObjectReference involved_object;
  std::string reason;
  std::string message;
  EventSource source;
  std::optional<base::Time> first_timestamp;
  std::optional<base::Time> last_timestamp;
  int32_t count = 0;
  std::string type;
  std::optional<base::Time> event_time;
  std::string action;
  std::optional<ObjectReference> related;
  std::string reporting_component;
  std::string reporting_instance;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace berth::api

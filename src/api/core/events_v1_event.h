#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/core/event.h"
#include "api/meta/meta.h"
#include "api/meta/object_reference.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

struct EventSeries {
  int32_t count = 0;
  std::optional<base::Time> last_observed_time;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const EventSeries&, const EventSeries&) = default;
};

// An Event of events.k8s.io/v1.
struct EventsV1Event {
  ObjectMeta metadata;
  std::optional<base::Time> event_time;
  std::optional<EventSeries> series;
  std::string reporting_controller;
  std::string reporting_instance;
  std::string action;
  std::string reason;
  ObjectReference regarding;
  std::optional<ObjectReference> related;
  std::string note;
  std::string type;
  EventSource deprecated_source;
  std::optional<base::Time> deprecated_first_timestamp;
  std::optional<base::Time> deprecated_last_timestamp;
  int32_t deprecated_count = 0;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const EventsV1Event&, const EventsV1Event&) = default;
};

}  // namespace berth::api

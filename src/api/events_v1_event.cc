#include "api/events_v1_event.h"

namespace berth::api {

using schema::Member;

const schema::Struct& EventSeries::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventSeries::count>("count", "Times so far.").Required(),
      Member<&EventSeries::last_observed_time>("lastObservedTime", "The last time.")
          .Required()
          .MicroTime(),
  };
  static constexpr auto kStruct =
      schema::Describe<EventSeries>("EventSeries", "How often it happened.", kFields);
  return kStruct;
}

const schema::Struct& EventsV1Event::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventsV1Event::metadata>("metadata", "Name, namespace and the like.").Required(),
      Member<&EventsV1Event::event_time>("eventTime", "When it first happened.")
          .Required()
          .MicroTime(),
      Member<&EventsV1Event::series>("series", "How often it happened."),
      Member<&EventsV1Event::reporting_controller>("reportingController", "Controller that tells."),
      Member<&EventsV1Event::reporting_instance>("reportingInstance", "Which instance of it."),
      Member<&EventsV1Event::action>("action", "What was done."),
      Member<&EventsV1Event::reason>("reason", "What happened, in one word."),
      Member<&EventsV1Event::regarding>("regarding", "What it happened to."),
      Member<&EventsV1Event::related>("related", "Another object that has to do with it."),
      Member<&EventsV1Event::note>("note", "What happened, for people."),
      Member<&EventsV1Event::type>("type", "Normal or Warning."),
      Member<&EventsV1Event::deprecated_source>("deprecatedSource", "Who tells, for core/v1."),
      Member<&EventsV1Event::deprecated_first_timestamp>("deprecatedFirstTimestamp",
                                                         "The first time, for core/v1."),
      Member<&EventsV1Event::deprecated_last_timestamp>("deprecatedLastTimestamp",
                                                        "The last time, for core/v1."),
      Member<&EventsV1Event::deprecated_count>("deprecatedCount", "Times so far, for core/v1."),
  };
  static constexpr auto kStruct = schema::Describe<EventsV1Event>(
      "EventsV1Event", "Something that happened to an object.", kFields);
  return kStruct;
}

const schema::Kind& EventsV1Event::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"ev"};
  static constexpr schema::Kind kKind{
      .group = "events.k8s.io",
      .version = "v1",
      .kind = "Event",
      .plural = "events",
      .is_namespaced = true,
      .structure = &EventsV1Event::Description,
      .short_names = kShortNames,
      .singular = "event",
  };
  return kKind;
}

}  // namespace berth::api

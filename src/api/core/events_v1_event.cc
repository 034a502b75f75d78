#include "api/core/events_v1_event.h"

namespace berth::api {

using schema::Member;

const schema::Struct& EventSeries::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventSeries::count>("count", "Number of occurrences.").Required(),
      Member<&EventSeries::last_observed_time>("lastObservedTime", "Time of the last occurrence.")
          .Required()
          .MicroTime(),
  };
  static constexpr auto kStruct = schema::Describe<EventSeries>(
      "EventSeries", "EventSeries counts repeated occurrences.", kFields);
  return kStruct;
}

const schema::Struct& EventsV1Event::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventsV1Event::metadata>("metadata", "Standard object metadata.").Required(),
      Member<&EventsV1Event::event_time>("eventTime", "Time of the first occurrence.")
          .Required()
          .MicroTime(),
      Member<&EventsV1Event::series>("series", "Repeated occurrences."),
      Member<&EventsV1Event::reporting_controller>("reportingController", "Reporting controller."),
      Member<&EventsV1Event::reporting_instance>("reportingInstance",
                                                 "Instance of the controller."),
      Member<&EventsV1Event::action>("action", "Action taken."),
      Member<&EventsV1Event::reason>("reason", "Machine-readable reason, in one word."),
      Member<&EventsV1Event::regarding>("regarding", "Object that the Event is about."),
      Member<&EventsV1Event::related>("related", "Related object."),
      Member<&EventsV1Event::note>("note", "Human-readable details."),
      Member<&EventsV1Event::type>("type", "Normal or Warning."),
      Member<&EventsV1Event::deprecated_source>("deprecatedSource",
                                                "Reporting component, for core/v1."),
      Member<&EventsV1Event::deprecated_first_timestamp>(
          "deprecatedFirstTimestamp", "Time of the first occurrence, for core/v1."),
      Member<&EventsV1Event::deprecated_last_timestamp>(
          "deprecatedLastTimestamp", "Time of the last occurrence, for core/v1."),
      Member<&EventsV1Event::deprecated_count>("deprecatedCount",
                                               "Number of occurrences, for core/v1."),
  };
  static constexpr auto kStruct = schema::Describe<EventsV1Event>(
      "EventsV1Event", "Event reports an occurrence concerning an object.", kFields);
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

#include "api/core/event.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::kCarriedStruct;
using schema::kCarriedTime;
using schema::Member;

const schema::Struct& EventSource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventSource::component>("component", "Reporting component."),
      Member<&EventSource::host>("host", "Node of the component."),
  };
  static constexpr auto kStruct = schema::Describe<EventSource>(
      "EventSource", "EventSource is the source of an Event.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& EventSeriesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("count", kCarriedInt32, "Number of occurrences."),
      Carried("lastObservedTime", kCarriedTime, "Time of the last occurrence.").MicroTime(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("EventSeries", "EventSeries counts repeated occurrences.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Event::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Event::metadata>("metadata", "Standard object metadata.").Required(),
      Member<&Event::involved_object>("involvedObject", "Object that the Event is about.")
          .Required(),
      Member<&Event::reason>("reason", "Machine-readable reason, in one word."),
      Member<&Event::message>("message", "Human-readable details."),
      Member<&Event::source>("source", "Reporting component."),
      Member<&Event::first_timestamp>("firstTimestamp", "Time of the first occurrence."),
      Member<&Event::last_timestamp>("lastTimestamp", "Time of the last occurrence."),
      Member<&Event::count>("count", "Number of occurrences."),
      Member<&Event::type>("type", "Normal or Warning."),
      Member<&Event::event_time>("eventTime", "Time of the occurrence.").MicroTime(),
      Carried("series", kCarriedStruct<&EventSeriesShape>, "Repeated occurrences."),
      Member<&Event::action>("action", "Action taken."),
      Member<&Event::related>("related", "Related object."),
      Member<&Event::reporting_component>("reportingComponent", "Reporting controller."),
      Member<&Event::reporting_instance>("reportingInstance", "Instance of the controller."),
  };
  static constexpr auto kStruct = schema::Describe<Event>(
      "Event", "Event reports an occurrence concerning an object.", kFields);
  return kStruct;
}

const schema::Kind& Event::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"ev"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Event",
      .plural = "events",
      .is_namespaced = true,
      .structure = &Event::Description,
      .short_names = kShortNames,
  };
  return kKind;
}

}  // namespace berth::api

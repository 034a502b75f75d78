#include "api/event.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::kCarriedStruct;
using schema::kCarriedTime;
using schema::Member;

const schema::Struct& EventSource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EventSource::component>("component", "Program that tells."),
      Member<&EventSource::host>("host", "Node that it runs on."),
  };
  static constexpr auto kStruct =
      schema::Describe<EventSource>("EventSource", "Who tells.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& EventSeriesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("count", kCarriedInt32, "Times so far."),
      Carried("lastObservedTime", kCarriedTime, "The last time.").MicroTime(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("EventSeries", "How often it happened.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Event::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Event::metadata>("metadata", "Name, namespace and the like.").Required(),
      Member<&Event::involved_object>("involvedObject", "What it happened to.").Required(),
      Member<&Event::reason>("reason", "What happened, in one word."),
      Member<&Event::message>("message", "What happened, for people."),
      Member<&Event::source>("source", "Who tells."),
      Member<&Event::first_timestamp>("firstTimestamp", "The first time."),
      Member<&Event::last_timestamp>("lastTimestamp", "The last time."),
      Member<&Event::count>("count", "Times so far."),
      Member<&Event::type>("type", "Normal or Warning."),
      Member<&Event::event_time>("eventTime", "When it happened.").MicroTime(),
      Carried("series", kCarriedStruct<&EventSeriesShape>, "How often it happened."),
      Member<&Event::action>("action", "What was done."),
      Member<&Event::related>("related", "Another object that has to do with it."),
      Member<&Event::reporting_component>("reportingComponent", "Controller that tells."),
      Member<&Event::reporting_instance>("reportingInstance", "Which instance of it."),
  };
  static constexpr auto kStruct =
      schema::Describe<Event>("Event", "Something that happened to an object.", kFields);
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

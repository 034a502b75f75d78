#include "api/status.h"

namespace berth::api {

using schema::Member;

const schema::Struct& StatusCause::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatusCause::reason>("reason", "Type of the cause, such as FieldValueInvalid."),
      Member<&StatusCause::message>("message", "What is wrong, for people."),
      Member<&StatusCause::field>("field", "Field that is wrong, such as spec.replicas."),
  };
  static constexpr auto kStruct =
      schema::Describe<StatusCause>("StatusCause", "One thing that is wrong.", kFields);
  return kStruct;
}

const schema::Struct& StatusDetails::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatusDetails::name>("name", "Name of the object."),
      Member<&StatusDetails::group>("group", "Group of the object."),
      Member<&StatusDetails::kind>("kind", "Kind, or resource, of the object."),
      Member<&StatusDetails::uid>("uid", "UID of the object."),
      Member<&StatusDetails::causes>("causes", "All that is wrong."),
      Member<&StatusDetails::retry_after_seconds>("retryAfterSeconds", "When to try again."),
  };
  static constexpr auto kStruct =
      schema::Describe<StatusDetails>("StatusDetails", "What a status is about.", kFields);
  return kStruct;
}

const schema::Struct& Status::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Status::metadata>("metadata", "Metadata."),
      Member<&Status::status>("status", "Success or Failure."),
      Member<&Status::message>("message", "What happened, for people."),
      Member<&Status::reason>("reason", "What happened, in one word, such as NotFound."),
      Member<&Status::details>("details", "What it is about."),
      Member<&Status::code>("code", "HTTP status code."),
  };
  static constexpr auto kStruct =
      schema::Describe<Status>("Status", "How a request ended.", kFields);
  return kStruct;
}

const schema::Kind& Status::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Status",
      .plural = "",
      .structure = &Status::Description,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::StatusCause>;

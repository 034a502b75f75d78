#include "api/meta/status.h"

namespace berth::api {

using schema::Member;

const schema::Struct& StatusCause::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatusCause::reason>("reason", "Type of the cause, such as FieldValueInvalid."),
      Member<&StatusCause::message>("message", "Human-readable details."),
      Member<&StatusCause::field>("field", "Invalid field, such as spec.replicas."),
  };
  static constexpr auto kStruct = schema::Describe<StatusCause>(
      "StatusCause", "StatusCause is one cause of an error.", kFields);
  return kStruct;
}

const schema::Struct& StatusDetails::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatusDetails::name>("name", "Name of the object."),
      Member<&StatusDetails::group>("group", "Group of the object."),
      Member<&StatusDetails::kind>("kind", "Kind or resource of the object."),
      Member<&StatusDetails::uid>("uid", "UID of the object."),
      Member<&StatusDetails::causes>("causes", "Causes of the error."),
      Member<&StatusDetails::retry_after_seconds>("retryAfterSeconds",
                                                  "Seconds after which to retry."),
  };
  static constexpr auto kStruct = schema::Describe<StatusDetails>(
      "StatusDetails", "StatusDetails identifies the object and the causes of an error.", kFields);
  return kStruct;
}

const schema::Struct& Status::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Status::metadata>("metadata", "Metadata."),
      Member<&Status::status>("status", "Success or Failure."),
      Member<&Status::message>("message", "Human-readable details."),
      Member<&Status::reason>("reason", "Machine-readable reason, such as NotFound."),
      Member<&Status::details>("details", "Details of the error."),
      Member<&Status::code>("code", "HTTP status code."),
  };
  static constexpr auto kStruct =
      schema::Describe<Status>("Status", "Status is the result of a request.", kFields);
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

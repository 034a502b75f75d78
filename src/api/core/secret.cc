#include "api/core/secret.h"

namespace berth::api {

using schema::Member;

const schema::Struct& Secret::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Secret::metadata>("metadata", "Standard object metadata."),
      Member<&Secret::immutable>("immutable", "Whether the data is immutable."),
      Member<&Secret::data>("data", "Values in base64."),
      Member<&Secret::string_data>("stringData", "Values as text; write-only."),
      Member<&Secret::type>("type", "Type of the Secret, such as Opaque."),
  };
  static constexpr auto kStruct = schema::Describe<Secret>(
      "Secret", "Secret holds confidential data as keys and values.", kFields);
  return kStruct;
}

const schema::Kind& Secret::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Secret",
      .plural = "secrets",
      .is_namespaced = true,
      .structure = &Secret::Description,
  };
  return kKind;
}

}  // namespace berth::api

#include "api/secret.h"

namespace berth::api {

using schema::Member;

const schema::Struct& Secret::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Secret::metadata>("metadata", "Name, labels and the like."),
      Member<&Secret::immutable>("immutable", "Whether the data can never change."),
      Member<&Secret::data>("data", "Values as base64."),
      Member<&Secret::string_data>("stringData", "Values as text, for writing."),
      Member<&Secret::type>("type", "What the keys mean, such as Opaque."),
  };
  static constexpr auto kStruct =
      schema::Describe<Secret>("Secret", "Confidential keys and values.", kFields);
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

#include "api/core/config_map.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ConfigMap::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ConfigMap::metadata>("metadata", "Standard object metadata."),
      Member<&ConfigMap::immutable>("immutable", "Whether the data is immutable."),
      Member<&ConfigMap::data>("data", "Values as text."),
      Member<&ConfigMap::binary_data>("binaryData", "Values in base64."),
  };
  static constexpr auto kStruct = schema::Describe<ConfigMap>(
      "ConfigMap", "ConfigMap holds configuration as keys and values.", kFields);
  return kStruct;
}

const schema::Kind& ConfigMap::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"cm"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "ConfigMap",
      .plural = "configmaps",
      .is_namespaced = true,
      .structure = &ConfigMap::Description,
      .short_names = kShortNames,
  };
  return kKind;
}

}  // namespace berth::api

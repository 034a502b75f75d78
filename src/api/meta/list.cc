#include "api/meta/list.h"

namespace berth::api {

using schema::Member;

const schema::Struct& List::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&List::metadata>("metadata", "Metadata of the list."),
      Member<&List::items>("items", "Objects of the list.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<List>("List", "List is a list of objects of any kind.", kFields);
  return kStruct;
}

const schema::Kind& List::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "List",
      .plural = "",
      .structure = &List::Description,
  };
  return kKind;
}

}  // namespace berth::api

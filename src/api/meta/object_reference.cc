#include "api/meta/object_reference.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ObjectReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ObjectReference::kind>("kind", "Kind of the object."),
      Member<&ObjectReference::namespace_>("namespace", "Namespace of the object."),
      Member<&ObjectReference::name>("name", "Name of the object."),
      Member<&ObjectReference::uid>("uid", "UID of the object."),
      Member<&ObjectReference::api_version>("apiVersion", "Group and version of the object."),
      Member<&ObjectReference::resource_version>("resourceVersion", "Version of the object."),
      Member<&ObjectReference::field_path>("fieldPath", "Path of a field of the object."),
  };
  static constexpr auto kStruct = schema::Describe<ObjectReference>(
      "ObjectReference", "ObjectReference refers to an object of any kind.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::ObjectReference>;

#include "api/namespace.h"

#include "api/list_keys.h"

namespace berth::api {

using schema::Member;

const schema::Struct& NamespaceSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceSpec::finalizers>("finalizers",
                                         "Parties that must act before the namespace may go."),
  };
  static constexpr auto kStruct =
      schema::Describe<NamespaceSpec>("NamespaceSpec", "What a namespace is meant to be.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceStatus::phase>("phase", "Active or Terminating."),
      Member<&NamespaceStatus::conditions>("conditions", "What keeps it from going, and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct =
      schema::Describe<NamespaceStatus>("NamespaceStatus", "What a namespace is.", kFields);
  return kStruct;
}

const schema::Struct& Namespace::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Namespace::metadata>("metadata", "Name, labels and the like."),
      Member<&Namespace::spec>("spec", "What it is meant to be."),
      Member<&Namespace::status>("status", "What it is."),
  };
  static constexpr auto kStruct =
      schema::Describe<Namespace>("Namespace", "Keeps the names of objects apart.", kFields);
  return kStruct;
}

const schema::Kind& Namespace::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"ns"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Namespace",
      .plural = "namespaces",
      .structure = &Namespace::Description,
      .short_names = kShortNames,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

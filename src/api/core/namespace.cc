#include "api/core/namespace.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Member;

const schema::Struct& NamespaceSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceSpec::finalizers>(
          "finalizers", "Finalizers that must be removed before the namespace is deleted."),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceSpec>(
      "NamespaceSpec", "NamespaceSpec is the desired state of a Namespace.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceStatus::phase>("phase", "Active or Terminating."),
      Member<&NamespaceStatus::conditions>("conditions",
                                           "Conditions, such as the reasons that block deletion.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceStatus>(
      "NamespaceStatus", "NamespaceStatus is the observed state of a Namespace.", kFields);
  return kStruct;
}

const schema::Struct& Namespace::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Namespace::metadata>("metadata", "Standard object metadata."),
      Member<&Namespace::spec>("spec", "Desired state."),
      Member<&Namespace::status>("status", "Observed state."),
  };
  static constexpr auto kStruct =
      schema::Describe<Namespace>("Namespace", "Namespace is a scope of names.", kFields);
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

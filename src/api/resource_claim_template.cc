#include "api/resource_claim_template.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ResourceClaimTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimTemplateSpec::metadata>("metadata",
                                                   "Labels and annotations of the claims."),
      Member<&ResourceClaimTemplateSpec::spec>("spec", "What they ask for.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimTemplateSpec>(
      "ResourceClaimTemplateSpec", "A claim to be made.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimTemplate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimTemplate::metadata>("metadata", "Name, labels and the like."),
      Member<&ResourceClaimTemplate::spec>("spec", "The claim to make.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimTemplate>(
      "ResourceClaimTemplate", "From which each pod gets a claim of its own.", kFields);
  return kStruct;
}

const schema::Kind& ResourceClaimTemplate::KindInfo() {
  static constexpr std::string_view kFormerVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceClaimTemplate",
      .plural = "resourceclaimtemplates",
      .is_namespaced = true,
      .structure = &ResourceClaimTemplate::Description,
      .former_versions = kFormerVersions,
  };
  return kKind;
}

}  // namespace berth::api

#include "api/dra/resource_claim_template.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ResourceClaimTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimTemplateSpec::metadata>("metadata",
                                                   "Labels and annotations of the claims."),
      Member<&ResourceClaimTemplateSpec::spec>("spec", "Specification of the claims.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimTemplateSpec>(
      "ResourceClaimTemplateSpec", "ResourceClaimTemplateSpec is the template of a claim.",
      kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimTemplate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimTemplate::metadata>("metadata", "Standard object metadata."),
      Member<&ResourceClaimTemplate::spec>("spec", "Template of the claims.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimTemplate>(
      "ResourceClaimTemplate", "ResourceClaimTemplate creates a ResourceClaim for each pod.",
      kFields);
  return kStruct;
}

const schema::Kind& ResourceClaimTemplate::KindInfo() {
  static constexpr std::string_view kPreviousVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceClaimTemplate",
      .plural = "resourceclaimtemplates",
      .is_namespaced = true,
      .structure = &ResourceClaimTemplate::Description,
      .previous_versions = kPreviousVersions,
  };
  return kKind;
}

}  // namespace berth::api

#include "api/core/resource_requirements.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ContainerResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ContainerResourceClaim::name>("name", "Entry of the pod's resourceClaims.")
          .Required(),
      Member<&ContainerResourceClaim::request>("request",
                                               "Request of the claim. If empty, all of them."),
  };
  static constexpr auto kStruct = schema::Describe<ContainerResourceClaim>(
      "ContainerResourceClaim", "ContainerResourceClaim refers to a claim of the pod.", kFields);
  return kStruct;
}

const schema::Struct& ResourceRequirements::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceRequirements::limits>("limits", "Maximum amount of each resource."),
      Member<&ResourceRequirements::requests>(
          "requests", "Reserved amount of each resource. Defaults to the limit."),
      Member<&ResourceRequirements::claims>("claims", "Claims used, by their names in the pod.")
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<ResourceRequirements>(
      "ResourceRequirements",
      "ResourceRequirements holds the requests and limits of a container or pod.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::ContainerResourceClaim>;

#include "api/resource_requirements.h"

#include "api/list_keys.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ContainerResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ContainerResourceClaim::name>("name", "Entry of the pod's resourceClaims.")
          .Required(),
      Member<&ContainerResourceClaim::request>("request",
                                               "Request within the claim; all of them if empty."),
  };
  static constexpr auto kStruct = schema::Describe<ContainerResourceClaim>(
      "ContainerResourceClaim", "A claim of the pod that the container uses.", kFields);
  return kStruct;
}

const schema::Struct& ResourceRequirements::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceRequirements::limits>("limits", "The most that may be used."),
      Member<&ResourceRequirements::requests>(
          "requests", "What is set aside; the limits where nothing is said."),
      Member<&ResourceRequirements::claims>("claims", "Devices, by the pod's resource claims.")
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<ResourceRequirements>(
      "ResourceRequirements", "What a container or pod needs to run.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::ContainerResourceClaim>;

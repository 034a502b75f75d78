#pragma once

#include <optional>

#include "api/admissionregistration/match_resources.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// Policy and parameters are carried: Berth does not evaluate policies.
struct ValidatingAdmissionPolicyBindingSpec {
  std::optional<MatchResources> match_resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ValidatingAdmissionPolicyBindingSpec&,
                         const ValidatingAdmissionPolicyBindingSpec&) = default;
};

struct ValidatingAdmissionPolicyBinding {
  ObjectMeta metadata;
  ValidatingAdmissionPolicyBindingSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ValidatingAdmissionPolicyBinding&,
                         const ValidatingAdmissionPolicyBinding&) = default;
};

}  // namespace berth::api

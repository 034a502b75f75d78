#pragma once

#include <optional>
#include <string>

#include "api/admissionregistration/match_resources.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// Expressions are carried: Berth does not evaluate policies.
struct ValidatingAdmissionPolicySpec {
  std::optional<MatchResources> match_constraints;
  std::optional<std::string> failure_policy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ValidatingAdmissionPolicySpec&,
                         const ValidatingAdmissionPolicySpec&) = default;
};

struct ValidatingAdmissionPolicy {
  ObjectMeta metadata;
  ValidatingAdmissionPolicySpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ValidatingAdmissionPolicy&,
                         const ValidatingAdmissionPolicy&) = default;
};

}  // namespace berth::api

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// NamedRuleWithOperations in admissionregistration.k8s.io/v1; groups, versions and so on are
// carried.
struct AdmissionRule {
  std::optional<std::string> scope;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionRule&, const AdmissionRule&) = default;
};

// The requests to which a policy applies.
struct MatchResources {
  std::optional<LabelSelector> namespace_selector;
  std::optional<LabelSelector> object_selector;
  std::vector<AdmissionRule> resource_rules;
  std::vector<AdmissionRule> exclude_resource_rules;
  std::optional<std::string> match_policy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MatchResources&, const MatchResources&) = default;
};

}  // namespace berth::api

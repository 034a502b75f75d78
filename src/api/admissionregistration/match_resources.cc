#include "api/admissionregistration/match_resources.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedStrings;
using schema::Member;

const schema::Struct& AdmissionRule::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("resourceNames", kCarriedStrings, "Names of objects; all if empty."),
      Carried("operations", kCarriedStrings, "CREATE, UPDATE, DELETE, CONNECT or *."),
      Carried("apiGroups", kCarriedStrings, "API groups, or *."),
      Carried("apiVersions", kCarriedStrings, "API versions, or *."),
      Carried("resources", kCarriedStrings, "Plurals with subresources, such as pods/log, or *."),
      Member<&AdmissionRule::scope>("scope", "Cluster, Namespaced or *.").Default("\"*\""),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionRule>(
      "NamedRuleWithOperations", "NamedRuleWithOperations selects operations on resources.",
      kFields);
  return kStruct;
}

const schema::Struct& MatchResources::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MatchResources::namespace_selector>("namespaceSelector", "Labels of the namespace.")
          .Default("{}"),
      Member<&MatchResources::object_selector>("objectSelector", "Labels of the object.")
          .Default("{}"),
      Member<&MatchResources::resource_rules>("resourceRules", "Requests that match."),
      Member<&MatchResources::exclude_resource_rules>("excludeResourceRules",
                                                      "Requests that do not match."),
      Member<&MatchResources::match_policy>(
          "matchPolicy", "Exact, or Equivalent for the same resource in another version.")
          .Default("\"Equivalent\""),
  };
  static constexpr auto kStruct =
      schema::Describe<MatchResources>(
          "MatchResources", "MatchResources selects the requests that a policy applies to.",
          kFields)
          .Atomic();
  return kStruct;
}

}  // namespace berth::api

#include "api/core/namespace_quota.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ScopedResourceRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScopedResourceRequirement::scope_name>("scopeName", "Scope to match.").Required(),
      Member<&ScopedResourceRequirement::operator_>("operator",
                                                    "In, NotIn, Exists or DoesNotExist.")
          .Required(),
      Member<&ScopedResourceRequirement::values>("values", "Values of In and NotIn."),
  };
  static constexpr auto kStruct = schema::Describe<ScopedResourceRequirement>(
      "ScopedResourceRequirement", "ScopedResourceRequirement is a requirement on one scope.",
      kFields);
  return kStruct;
}

const schema::Struct& ScopeSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScopeSelector::match_expressions>("matchExpressions",
                                                "Requirements that must all hold."),
  };
  static constexpr auto kStruct = schema::Describe<ScopeSelector>(
      "ScopeSelector", "ScopeSelector selects the objects that count against the quota.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuotaSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuotaSpec::hard>("hard", "Limit of each resource in the namespace."),
      Member<&NamespaceQuotaSpec::scopes>("scopes", "Scopes that an object must match to count."),
      Member<&NamespaceQuotaSpec::scope_selector>("scopeSelector", "Scopes as expressions."),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceQuotaSpec>(
      "ResourceQuotaSpec", "ResourceQuotaSpec holds the limits of a namespace.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuotaStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuotaStatus::hard>("hard", "Limits in force."),
      Member<&NamespaceQuotaStatus::used>("used", "Current usage of each resource."),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceQuotaStatus>(
      "ResourceQuotaStatus", "ResourceQuotaStatus is the usage of a namespace.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuota::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuota::metadata>("metadata", "Standard object metadata."),
      Member<&NamespaceQuota::spec>("spec", "Desired limits."),
      Member<&NamespaceQuota::status>("status", "Limits in force and current usage."),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceQuota>(
      "ResourceQuota", "ResourceQuota limits the resources and objects of a namespace.", kFields);
  return kStruct;
}

const schema::Kind& NamespaceQuota::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"quota"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "ResourceQuota",
      .plural = "resourcequotas",
      .is_namespaced = true,
      .structure = &NamespaceQuota::Description,
      .short_names = kShortNames,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::ScopedResourceRequirement>;

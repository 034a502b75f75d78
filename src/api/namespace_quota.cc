#include "api/namespace_quota.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ScopedResourceRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScopedResourceRequirement::scope_name>("scopeName", "The scope it is about.")
          .Required(),
      Member<&ScopedResourceRequirement::operator_>("operator",
                                                    "In, NotIn, Exists or DoesNotExist.")
          .Required(),
      Member<&ScopedResourceRequirement::values>("values", "What In and NotIn compare with."),
  };
  static constexpr auto kStruct = schema::Describe<ScopedResourceRequirement>(
      "ScopedResourceRequirement", "What a scope must be like.", kFields);
  return kStruct;
}

const schema::Struct& ScopeSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScopeSelector::match_expressions>("matchExpressions", "All of them must hold."),
  };
  static constexpr auto kStruct =
      schema::Describe<ScopeSelector>("ScopeSelector", "Which objects count.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuotaSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuotaSpec::hard>("hard", "The most of each resource in the namespace."),
      Member<&NamespaceQuotaSpec::scopes>("scopes", "Only objects of all these scopes count."),
      Member<&NamespaceQuotaSpec::scope_selector>("scopeSelector", "The same, with expressions."),
  };
  static constexpr auto kStruct =
      schema::Describe<NamespaceQuotaSpec>("ResourceQuotaSpec", "How much there may be.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuotaStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuotaStatus::hard>("hard", "The bounds that are in force."),
      Member<&NamespaceQuotaStatus::used>("used", "How much there is."),
  };
  static constexpr auto kStruct =
      schema::Describe<NamespaceQuotaStatus>("ResourceQuotaStatus", "How much there is.", kFields);
  return kStruct;
}

const schema::Struct& NamespaceQuota::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NamespaceQuota::metadata>("metadata", "Name, labels and the like."),
      Member<&NamespaceQuota::spec>("spec", "How much there may be."),
      Member<&NamespaceQuota::status>("status", "How much there is."),
  };
  static constexpr auto kStruct = schema::Describe<NamespaceQuota>(
      "ResourceQuota", "Bounds on what a namespace holds.", kFields);
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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/core/resource_requirements.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct ScopedResourceRequirement {
  std::string scope_name;
  std::string operator_;
  std::vector<std::string> values;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ScopedResourceRequirement&,
                         const ScopedResourceRequirement&) = default;
};

struct ScopeSelector {
  std::vector<ScopedResourceRequirement> match_expressions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ScopeSelector&, const ScopeSelector&) = default;
};

struct NamespaceQuotaSpec {
  ResourceList hard;
  std::vector<std::string> scopes;
  std::optional<ScopeSelector> scope_selector;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NamespaceQuotaSpec&, const NamespaceQuotaSpec&) = default;
};

struct NamespaceQuotaStatus {
  ResourceList hard;
  ResourceList used;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NamespaceQuotaStatus&, const NamespaceQuotaStatus&) = default;
};

// ResourceQuota of the core group, renamed to avoid a clash with Kueue's type. Not used in
// decisions.
struct NamespaceQuota {
  ObjectMeta metadata;
  NamespaceQuotaSpec spec;
  NamespaceQuotaStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const NamespaceQuota&, const NamespaceQuota&) = default;
};

}  // namespace berth::api

// Compiled once, in namespace_quota.cc.
extern template class std::vector<berth::api::ScopedResourceRequirement>;

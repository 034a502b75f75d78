#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/core/core_condition.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kNamespaceActive = "Active";
inline constexpr std::string_view kNamespaceTerminating = "Terminating";

struct NamespaceSpec {
  std::vector<std::string> finalizers;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NamespaceSpec&, const NamespaceSpec&) = default;
};

struct NamespaceStatus {
  std::string phase;
  std::vector<CoreCondition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NamespaceStatus&, const NamespaceStatus&) = default;
};

struct Namespace {
  ObjectMeta metadata;
  NamespaceSpec spec;
  NamespaceStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

}  // namespace berth::api

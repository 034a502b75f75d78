#pragma once

// Types of meta/v1 common to all Kubernetes objects: metadata, label selectors, conditions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

// An owner of an object. The object is deleted with its last owner.
struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string namespace_;
  std::string uid;
  std::string resource_version;
  int64_t generation = 0;
  std::optional<base::Time> creation_timestamp;
  std::optional<base::Time> deletion_timestamp;
  std::optional<int64_t> deletion_grace_period_seconds;
  base::FlatMap<std::string> labels;
  base::FlatMap<std::string> annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ObjectMeta&, const ObjectMeta&) = default;
};

// Metadata of a list of objects.
struct ListMeta {
  std::string resource_version;
  std::string continue_token;  // "continue" in JSON
  std::optional<int64_t> remaining_item_count;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ListMeta&, const ListMeta&) = default;
};

inline constexpr std::string_view kSelectorIn = "In";
inline constexpr std::string_view kSelectorNotIn = "NotIn";
inline constexpr std::string_view kSelectorExists = "Exists";
inline constexpr std::string_view kSelectorDoesNotExist = "DoesNotExist";

struct LabelSelectorRequirement {
  std::string key;
  std::string op;  // "operator" in JSON; one of kSelector…, but the API server's schema is lax
  std::vector<std::string> values;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LabelSelectorRequirement&,
                         const LabelSelectorRequirement&) = default;
};

// Selects objects by labels. All entries and expressions must hold; an empty selector selects
// everything. Where an absent selector selects nothing, the member that holds it is optional.
struct LabelSelector {
  base::FlatMap<std::string> match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

inline constexpr std::string_view kConditionTrue = "True";
inline constexpr std::string_view kConditionFalse = "False";
inline constexpr std::string_view kConditionUnknown = "Unknown";
inline constexpr std::string_view kConditionStatuses[] = {kConditionTrue, kConditionFalse,
                                                          kConditionUnknown};

// One aspect of an object's state, with the bounds set by CustomResourceDefinitions.
struct Condition {
  std::string type;
  std::string status;
  int64_t observed_generation = 0;
  std::optional<base::Time> last_transition_time;
  std::string reason;
  std::string message;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Condition&, const Condition&) = default;
};

}  // namespace berth::api

// Compiled once, in meta.cc.
extern template class std::vector<berth::api::Condition>;
extern template class std::vector<berth::api::LabelSelectorRequirement>;
extern template class std::vector<berth::api::OwnerReference>;

#pragma once

// The parts of a pod relevant to queueing: requests, scheduling constraints and gates. Other fields
// (volumes, DNS, security and so on) are carried.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/affinity.h"
#include "api/core/container.h"
#include "api/core/resource_requirements.h"
#include "api/core/toleration.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

struct TopologySpreadConstraint {
  int32_t max_skew = 0;
  std::string topology_key;
  std::string when_unsatisfiable;
  std::optional<LabelSelector> label_selector;
  std::optional<int32_t> min_domains;
  std::optional<std::string> node_affinity_policy;
  std::optional<std::string> node_taints_policy;
  std::vector<std::string> match_label_keys;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologySpreadConstraint&,
                         const TopologySpreadConstraint&) = default;
};

struct PodSchedulingGate {
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSchedulingGate&, const PodSchedulingGate&) = default;
};

// A ResourceClaim of the pod: an existing one, or a template from which each pod gets its own.
struct PodResourceClaim {
  std::string name;
  std::optional<std::string> resource_claim_name;
  std::optional<std::string> resource_claim_template_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodResourceClaim&, const PodResourceClaim&) = default;
};

inline constexpr std::string_view kRestartAlways = "Always";
inline constexpr std::string_view kRestartOnFailure = "OnFailure";
inline constexpr std::string_view kRestartNever = "Never";

struct PodSpec {
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  std::string restart_policy;
  std::optional<int64_t> active_deadline_seconds;
  base::FlatMap<std::string> node_selector;
  std::string node_name;
  bool host_network = false;
  std::optional<Affinity> affinity;
  std::string scheduler_name;
  std::vector<Toleration> tolerations;
  std::string priority_class_name;
  std::optional<int32_t> priority;
  std::optional<std::string> runtime_class_name;
  ResourceList overhead;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<PodSchedulingGate> scheduling_gates;
  std::vector<PodResourceClaim> resource_claims;
  std::optional<ResourceRequirements> resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSpec&, const PodSpec&) = default;
};

struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodTemplateSpec&, const PodTemplateSpec&) = default;
};

}  // namespace berth::api

// Compiled once, in pod_spec.cc.
extern template class std::vector<berth::api::PodResourceClaim>;
extern template class std::vector<berth::api::PodSchedulingGate>;
extern template class std::vector<berth::api::TopologySpreadConstraint>;

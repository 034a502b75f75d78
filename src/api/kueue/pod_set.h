#pragma once

// Pod sets of a Workload: sets of identical pods.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod_spec.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kDefaultPodSetName = "main";

// Groups of `size` pods, each within one domain of the level `topology`.
struct SliceTopologyConstraint {
  std::string topology;
  int32_t size = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const SliceTopologyConstraint&, const SliceTopologyConstraint&) = default;
};

struct PodSetTopologyRequest {
  std::optional<std::string> required;
  std::optional<std::string> preferred;
  std::optional<bool> unconstrained;
  std::optional<std::string> pod_index_label;
  std::optional<std::string> sub_group_index_label;
  std::optional<int32_t> sub_group_count;
  std::optional<std::string> pod_set_group_name;
  std::optional<std::string> pod_set_slice_required_topology;
  std::optional<int32_t> pod_set_slice_size;
  std::vector<SliceTopologyConstraint> podset_slice_required_topology_constraints;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetTopologyRequest&, const PodSetTopologyRequest&) = default;
};

struct PodSet {
  std::string name;
  PodTemplateSpec template_;
  std::optional<int32_t> count;  // 1 after defaulting
  std::optional<int32_t> min_count;
  std::optional<PodSetTopologyRequest> topology_request;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSet&, const PodSet&) = default;
};

}  // namespace berth::api

// Compiled once, in pod_set.cc.
extern template class std::vector<berth::api::PodSet>;
extern template class std::vector<berth::api::SliceTopologyConstraint>;

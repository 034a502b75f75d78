#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kIdenticalPodTemplates = "IdenticalPodTemplates";
inline constexpr std::string_view kIdenticalWorkloadSchedulingRequirements =
    "IdenticalWorkloadSchedulingRequirements";
inline constexpr std::string_view kPodSetMergePolicies[] = {
    kIdenticalPodTemplates, kIdenticalWorkloadSchedulingRequirements};

struct ProvisioningRequestRetryStrategy {
  std::optional<int32_t> backoff_limit_count;
  std::optional<int32_t> backoff_base_seconds;
  std::optional<int32_t> backoff_max_seconds;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ProvisioningRequestRetryStrategy&,
                         const ProvisioningRequestRetryStrategy&) = default;
};

struct ProvisioningNodeSelectorEntry {
  std::string key;
  std::string value_from_provisioning_class_detail;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ProvisioningNodeSelectorEntry&,
                         const ProvisioningNodeSelectorEntry&) = default;
};

struct ProvisioningPodSetUpdates {
  std::vector<ProvisioningNodeSelectorEntry> node_selector;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ProvisioningPodSetUpdates&,
                         const ProvisioningPodSetUpdates&) = default;
};

struct ProvisioningRequestConfigSpec {
  std::string provisioning_class_name;
  base::FlatMap<std::string> parameters;
  std::vector<std::string> managed_resources;  // empty: all
  std::optional<ProvisioningRequestRetryStrategy> retry_strategy;
  std::optional<ProvisioningPodSetUpdates> pod_set_updates;
  std::optional<std::string> pod_set_merge_policy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ProvisioningRequestConfigSpec&,
                         const ProvisioningRequestConfigSpec&) = default;
};

// Configures how an admission check requests nodes from a cluster autoscaler.
struct ProvisioningRequestConfig {
  ObjectMeta metadata;
  ProvisioningRequestConfigSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ProvisioningRequestConfig&,
                         const ProvisioningRequestConfig&) = default;
};

}  // namespace berth::api

// Compiled once, in provisioning_request_config.cc.
extern template class std::vector<berth::api::ProvisioningNodeSelectorEntry>;

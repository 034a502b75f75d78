#pragma once

// Worker clusters of MultiKueue.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kLocationSecret = "Secret";
inline constexpr std::string_view kLocationPath = "Path";
inline constexpr std::string_view kLocationTypes[] = {kLocationSecret, kLocationPath};

// Key of the kubeconfig in its Secret.
inline constexpr std::string_view kKubeConfigSecretKey = "kubeconfig";

struct KubeConfig {
  std::string location;
  std::optional<std::string> location_type;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const KubeConfig&, const KubeConfig&) = default;
};

struct ClusterProfileReference {
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterProfileReference&, const ClusterProfileReference&) = default;
};

struct ClusterSource {
  std::optional<KubeConfig> kube_config;
  std::optional<ClusterProfileReference> cluster_profile_ref;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterSource&, const ClusterSource&) = default;
};

struct MultiKueueClusterSpec {
  ClusterSource cluster_source;
  std::optional<KubeConfig> previous_kube_config;
  std::optional<ClusterProfileReference> previous_cluster_profile_ref;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueClusterSpec&, const MultiKueueClusterSpec&) = default;
};

struct MultiKueueClusterStatus {
  std::vector<Condition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueClusterStatus&, const MultiKueueClusterStatus&) = default;
};

// A worker cluster.
struct MultiKueueCluster {
  ObjectMeta metadata;
  MultiKueueClusterSpec spec;
  MultiKueueClusterStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueCluster&, const MultiKueueCluster&) = default;
};

inline constexpr std::string_view kQuotaManual = "Manual";
inline constexpr std::string_view kQuotaAutomated = "Automated";
inline constexpr std::string_view kQuotaManagementModes[] = {kQuotaManual, kQuotaAutomated};

struct MultiKueueConfigSpec {
  std::vector<std::string> clusters;
  std::optional<std::string> quota_management;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueConfigSpec&, const MultiKueueConfigSpec&) = default;
};

// The worker clusters of an admission check.
struct MultiKueueConfig {
  ObjectMeta metadata;
  MultiKueueConfigSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueConfig&, const MultiKueueConfig&) = default;
};

}  // namespace berth::api

#pragma once

// MultiKueue section of the Configuration.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kDispatcherAllAtOnce =
    "kueue.x-k8s.io/multikueue-dispatcher-all-at-once";
inline constexpr std::string_view kDispatcherIncremental =
    "kueue.x-k8s.io/multikueue-dispatcher-incremental";

struct MultiKueueExternalFramework {
  std::string name;  // "Kind.version.group"
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueExternalFramework&,
                         const MultiKueueExternalFramework&) = default;
};

struct ExecEnvironmentVariable {
  std::string name;
  std::string value;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ExecEnvironmentVariable&, const ExecEnvironmentVariable&) = default;
};

inline constexpr std::string_view kExecNeverInteractive = "Never";
inline constexpr std::string_view kExecInteractiveIfAvailable = "IfAvailable";
inline constexpr std::string_view kExecAlwaysInteractive = "Always";
inline constexpr std::string_view kExecInteractiveModes[] = {
    kExecNeverInteractive, kExecInteractiveIfAvailable, kExecAlwaysInteractive};

// A credential plugin, as in a kubeconfig.
struct ExecSettings {
  std::string command;
  std::vector<std::string> args;
  std::vector<ExecEnvironmentVariable> env;
  std::string api_version;
  std::string install_hint;
  bool provide_cluster_info = false;
  std::string interactive_mode;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ExecSettings&, const ExecSettings&) = default;
};

struct ClusterProfileProvider {
  std::string name;
  ExecSettings exec_config;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterProfileProvider&, const ClusterProfileProvider&) = default;
};

struct ClusterProfileSettings {
  std::vector<ClusterProfileProvider> access_providers;
  std::vector<ClusterProfileProvider> credentials_providers;  // deprecated name of access_providers
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterProfileSettings&, const ClusterProfileSettings&) = default;
};

struct IncrementalDispatcherSettings {
  std::optional<int32_t> step_size;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const IncrementalDispatcherSettings&,
                         const IncrementalDispatcherSettings&) = default;
};

struct MultiKueueSettings {
  std::optional<base::Duration> gc_interval;  // 0: no garbage collection
  std::string origin;
  std::optional<base::Duration> worker_lost_timeout;
  std::string dispatcher_name;
  std::vector<MultiKueueExternalFramework> external_frameworks;
  std::optional<ClusterProfileSettings> cluster_profile;
  std::optional<IncrementalDispatcherSettings> incremental_dispatcher_config;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MultiKueueSettings&, const MultiKueueSettings&) = default;
};

}  // namespace berth::api

// Compiled once, in configuration_multikueue.cc.
extern template class std::vector<berth::api::ClusterProfileProvider>;
extern template class std::vector<berth::api::ExecEnvironmentVariable>;
extern template class std::vector<berth::api::MultiKueueExternalFramework>;

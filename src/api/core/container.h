#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/resource_requirements.h"
#include "schema/describe.h"

namespace berth::api {

struct EnvVar {
  std::string name;
  std::string value;
  schema::Extra extra;  // valueFrom

  static const schema::Struct& Description();
  friend bool operator==(const EnvVar&, const EnvVar&) = default;
};

struct ContainerPort {
  std::string name;
  int32_t host_port = 0;
  int32_t container_port = 0;
  std::string protocol;
  std::string host_ip;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

// Marks an init container as a sidecar, which runs beside the main containers.
inline constexpr std::string_view kContainerRestartAlways = "Always";

// Probes, mounts, security settings and so on are carried (see schema::Extra).
struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::vector<ContainerPort> ports;
  std::vector<EnvVar> env;
  ResourceRequirements resources;
  std::optional<std::string> restart_policy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Container&, const Container&) = default;
};

// The shape of an ephemeral container.
const schema::Struct& EphemeralContainerShape();

}  // namespace berth::api

// Compiled once, in container.cc.
extern template class std::vector<berth::api::Container>;
extern template class std::vector<berth::api::ContainerPort>;
extern template class std::vector<berth::api::EnvVar>;

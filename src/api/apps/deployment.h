#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/core/core_condition.h"
#include "api/core/pod_spec.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct DeploymentSpec {
  std::optional<int32_t> replicas;
  LabelSelector selector;
  PodTemplateSpec template_;
  bool paused = false;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeploymentSpec&, const DeploymentSpec&) = default;
};

struct DeploymentStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0;
  int32_t updated_replicas = 0;
  int32_t ready_replicas = 0;
  int32_t available_replicas = 0;
  int32_t unavailable_replicas = 0;
  std::optional<int32_t> terminating_replicas;
  std::vector<CoreCondition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeploymentStatus&, const DeploymentStatus&) = default;
};

struct Deployment {
  ObjectMeta metadata;
  DeploymentSpec spec;
  DeploymentStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

}  // namespace berth::api

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/core_condition.h"
#include "api/core/pod_spec.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct StatefulSetSpec {
  std::optional<int32_t> replicas;
  LabelSelector selector;
  PodTemplateSpec template_;
  std::string service_name;
  std::string pod_management_policy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const StatefulSetSpec&, const StatefulSetSpec&) = default;
};

struct StatefulSetStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0;
  int32_t ready_replicas = 0;
  int32_t current_replicas = 0;
  int32_t updated_replicas = 0;
  std::string current_revision;
  std::string update_revision;
  std::vector<CoreCondition> conditions;
  int32_t available_replicas = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const StatefulSetStatus&, const StatefulSetStatus&) = default;
};

struct StatefulSet {
  ObjectMeta metadata;
  StatefulSetSpec spec;
  StatefulSetStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const StatefulSet&, const StatefulSet&) = default;
};

}  // namespace berth::api

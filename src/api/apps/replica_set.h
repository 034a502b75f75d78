#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/core/core_condition.h"
#include "api/core/pod_spec.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct ReplicaSetSpec {
  std::optional<int32_t> replicas;
  LabelSelector selector;
  PodTemplateSpec template_;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReplicaSetSpec&, const ReplicaSetSpec&) = default;
};

struct ReplicaSetStatus {
  int32_t replicas = 0;
  int32_t fully_labeled_replicas = 0;
  int32_t ready_replicas = 0;
  int32_t available_replicas = 0;
  std::optional<int32_t> terminating_replicas;
  int64_t observed_generation = 0;
  std::vector<CoreCondition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReplicaSetStatus&, const ReplicaSetStatus&) = default;
};

struct ReplicaSet {
  ObjectMeta metadata;
  ReplicaSetSpec spec;
  ReplicaSetStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ReplicaSet&, const ReplicaSet&) = default;
};

}  // namespace berth::api

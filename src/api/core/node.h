#pragma once

#include <vector>

#include "api/core/core_condition.h"
#include "api/core/resource_requirements.h"
#include "api/core/toleration.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<CoreCondition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};

struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Node&, const Node&) = default;
};

}  // namespace berth::api

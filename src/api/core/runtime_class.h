#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/core/resource_requirements.h"
#include "api/core/toleration.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

// Overhead in node.k8s.io/v1.
struct RuntimeOverhead {
  ResourceList pod_fixed;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const RuntimeOverhead&, const RuntimeOverhead&) = default;
};

// Scheduling in node.k8s.io/v1.
struct RuntimeScheduling {
  base::FlatMap<std::string> node_selector;
  std::vector<Toleration> tolerations;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const RuntimeScheduling&, const RuntimeScheduling&) = default;
};

struct RuntimeClass {
  ObjectMeta metadata;
  std::string handler;
  std::optional<RuntimeOverhead> overhead;
  std::optional<RuntimeScheduling> scheduling;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const RuntimeClass&, const RuntimeClass&) = default;
};

}  // namespace berth::api

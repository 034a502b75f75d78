#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/resource_requirements.h"
#include "api/toleration.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

// Called Overhead in node.k8s.io/v1.
struct RuntimeOverhead {
  ResourceList pod_fixed;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const RuntimeOverhead&, const RuntimeOverhead&) = default;
};

// Called Scheduling in node.k8s.io/v1.
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

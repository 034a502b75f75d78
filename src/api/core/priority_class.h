#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct PriorityClass {
  ObjectMeta metadata;
  int32_t value = 0;
  bool global_default = false;
  std::string description;
  std::optional<std::string> preemption_policy;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const PriorityClass&, const PriorityClass&) = default;
};

}  // namespace berth::api

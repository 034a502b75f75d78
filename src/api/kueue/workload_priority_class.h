#pragma once

#include <cstdint>
#include <string>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// A priority of Workloads in queues. It does not change the priority of pods.
struct WorkloadPriorityClass {
  ObjectMeta metadata;
  int32_t value = 0;
  std::string description;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const WorkloadPriorityClass&, const WorkloadPriorityClass&) = default;
};

}  // namespace berth::api

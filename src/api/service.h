#pragma once

#include "api/meta.h"
#include "schema/describe.h"

namespace berth::api {

// How pods are reached. Berth only carries it: job kinds that need a Service make one.
struct Service {
  ObjectMeta metadata;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Service&, const Service&) = default;
};

}  // namespace berth::api

#pragma once

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// A Service. Carried only: job kinds that need a Service create it.
struct Service {
  ObjectMeta metadata;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Service&, const Service&) = default;
};

}  // namespace berth::api

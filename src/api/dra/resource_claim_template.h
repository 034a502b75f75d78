#pragma once

#include "api/dra/resource_claim.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct ResourceClaimTemplateSpec {
  ObjectMeta metadata;
  ResourceClaimSpec spec;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaimTemplateSpec&,
                         const ResourceClaimTemplateSpec&) = default;
};

struct ResourceClaimTemplate {
  ObjectMeta metadata;
  ResourceClaimTemplateSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaimTemplate&, const ResourceClaimTemplate&) = default;
};

}  // namespace berth::api

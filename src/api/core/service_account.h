#pragma once

#include <optional>
#include <vector>

#include "api/meta/meta.h"
#include "api/meta/object_reference.h"
#include "schema/describe.h"

namespace berth::api {

struct ServiceAccount {
  ObjectMeta metadata;
  std::vector<ObjectReference> secrets;
  std::optional<bool> automount_service_account_token;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ServiceAccount&, const ServiceAccount&) = default;
};

}  // namespace berth::api

#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"

namespace berth::api {

inline bool HasFinalizer(const ObjectMeta& metadata, std::string_view finalizer) {
  return std::ranges::find(metadata.finalizers, finalizer) != metadata.finalizers.end();
}

inline void RemoveFinalizer(ObjectMeta& metadata, std::string_view finalizer) {
  std::erase(metadata.finalizers, finalizer);
}

}  // namespace berth::api

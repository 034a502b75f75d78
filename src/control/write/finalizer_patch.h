#pragma once

#include <string>
#include <string_view>

#include "api/meta/meta.h"
#include "json/json.h"

namespace berth::control {

// A merge patch that adds (`is_present`) or removes one finalizer, valid only for the version of
// `metadata`. The patch lists all finalizers, since merge patches replace lists.
inline json::object FinalizerPatch(const api::ObjectMeta& metadata, std::string_view finalizer,
                                   bool is_present) {
  json::array finalizers;
  for (const std::string& other : metadata.finalizers)
    if (other != finalizer) finalizers.emplace_back(other);
  if (is_present) finalizers.emplace_back(json::BoostView(finalizer));
  return {{"metadata", json::object{{"finalizers", std::move(finalizers)},
                                    {"resourceVersion", metadata.resource_version}}}};
}

}  // namespace berth::control

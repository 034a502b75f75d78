#pragma once

#include <cstddef>

#include "api/meta/meta.h"

namespace berth::objects {

// Owners further up are ignored. Far above real chains (a Pod of a Job of a JobSet of a TrainJob);
// ends the walk over objects that own each other.
inline constexpr size_t kMaxOwners = 16;

// The owner reference with `controller: true`; null if there is none.
const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata);

// Walks from an object to its controller, to the controller of that, and so on, up to kMaxOwners.
// `find(reference)` returns the metadata of the owner that a reference names, valid until the next
// call at least, or null to end the walk: there is no such object.
template <class Find>
void WalkOwners(const api::ObjectMeta& object, Find find) {
  const api::ObjectMeta* at = &object;
  for (size_t i = 0; i < kMaxOwners; ++i) {
    const api::OwnerReference* reference = ControllerOf(*at);
    if (reference == nullptr) return;
    at = find(*reference);
    if (at == nullptr) return;
  }
}

}  // namespace berth::objects

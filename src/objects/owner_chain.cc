#include "objects/owner_chain.h"

#include <algorithm>

namespace berth::objects {

const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(metadata.owner_references,
                                          [](const auto& r) { return r.controller == true; });
  return found == metadata.owner_references.end() ? nullptr : &*found;
}

}  // namespace berth::objects

#include "simulate/world/placement_mode.h"

#include <algorithm>

#include "api/core/node.h"
#include "api/kueue/topology.h"

namespace berth::simulate {
namespace {

template <class T>
bool HasAny(const std::vector<api::Object>& objects) {
  return std::ranges::any_of(objects,
                             [](const api::Object& object) { return object.As<T>() != nullptr; });
}

template <class T>
bool HasAny(const Input& input, const std::vector<Edit>& edits) {
  return HasAny<T>(input.objects) ||
         std::ranges::any_of(edits, [](const Edit& edit) { return HasAny<T>(*edit.objects); });
}

}  // namespace

PlacementMode PlacementModeOf(const Input& input, const std::vector<Edit>& edits) {
  if (!HasAny<api::Topology>(input, edits)) return PlacementMode::kQuotaAlone;
  return HasAny<api::Node>(input, edits) ? PlacementMode::kPlacesPods
                                         : PlacementMode::kNodesMissing;
}

}  // namespace berth::simulate

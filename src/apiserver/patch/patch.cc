#include "apiserver/patch/patch.h"

#include <utility>

namespace berth::apiserver {

std::optional<PatchType> PatchTypeOf(std::string_view content_type) {
  constexpr std::pair<std::string_view, PatchType> kTypes[] = {
      {"application/json-patch+json", PatchType::kJson},
      {"application/merge-patch+json", PatchType::kMerge},
      {"application/strategic-merge-patch+json", PatchType::kStrategic},
      {"application/apply-patch+yaml", PatchType::kApply},
  };
  std::string_view name = content_type.substr(0, content_type.find(';'));
  while (name.ends_with(' ')) name.remove_suffix(1);
  for (const auto& [text, type] : kTypes) {
    if (name == text) return type;
  }
  return std::nullopt;
}

int PatchError::HttpCode() const {
  switch (fault) {
    case PatchFault::kTooLarge:
      return 413;
    case PatchFault::kBadJson:
    case PatchFault::kDirective:
    case PatchFault::kRetainKeys:
    case PatchFault::kOrder:
    case PatchFault::kOrderOnEmpty:
    case PatchFault::kUnorderable:
    case PatchFault::kNoMergeKey:
      return 400;
    default:
      return 422;
  }
}

bool HasStrategicPatch(const schema::Kind& kind) {
  return !kind.group.ends_with(".x-k8s.io") && !kind.group.ends_with("berth.dev");
}

}  // namespace berth::apiserver

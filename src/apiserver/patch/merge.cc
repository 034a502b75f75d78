#include <algorithm>
#include <utility>

#include "apiserver/patch/patch.h"
#include "json/erase.h"

namespace berth::apiserver {
namespace {

// A copy without null members at any depth. Null elements stay.
json::value WithoutNulls(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out(value.storage());
    out.reserve(list->size());
    for (const json::value& element : *list) out.push_back(WithoutNulls(element));
    return out;
  }
  if (const json::object* object = value.if_object()) {
    json::object out(value.storage());
    out.reserve(object->size());
    for (const auto& member : *object) {
      if (!member.value().is_null()) out.emplace(member.key(), WithoutNulls(member.value()));
    }
    return out;
  }
  return value;
}

void EraseNulled(json::object& target, const json::object& patch) {
  const auto is_null = [](const json::key_value_pair& member) { return member.value().is_null(); };
  if (std::ranges::none_of(patch, is_null)) return;
  json::EraseMembers(target, [&](const json::key_value_pair& member) {
    const json::value* value = patch.if_contains(member.key());
    return value != nullptr && value->is_null();
  });
}

void MergeInto(json::object& target, const json::object& patch) {
  EraseNulled(target, patch);
  for (const auto& member : patch) {
    const json::value& value = member.value();
    if (value.is_null()) continue;
    json::value* current = target.if_contains(member.key());
    if (current == nullptr) {
      target.emplace(member.key(), WithoutNulls(value));
    } else if (!current->is_object()) {
      *current = WithoutNulls(value);
    } else if (value.is_object()) {
      MergeInto(current->get_object(), value.get_object());
    } else {
      *current = value;
    }
  }
}

}  // namespace

PatchResult ApplyMergePatch(json::value original, const json::value& patch) {
  const auto refuse = [](std::string message) {
    return std::unexpected(PatchError{PatchFault::kBadJson, std::move(message)});
  };
  if (original.is_null()) return refuse("null cannot be patched");
  if (patch.is_array()) return WithoutNulls(patch);
  if (!patch.is_object()) return refuse("a merge patch must be an object");
  if (!original.is_object()) return WithoutNulls(patch);
  MergeInto(original.get_object(), patch.get_object());
  return original;
}

}  // namespace berth::apiserver

#include "webhook_server/json_patch.h"

#include <string>
#include <string_view>
#include <utility>

namespace berth::webhook_server {
namespace {

std::string PointerTo(const std::string& path, std::string_view key) {
  std::string pointer = path + "/";
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

void AddOperation(json::array& patch, std::string_view operation, const std::string& path,
                  const json::value* value) {
  json::object step{{"op", json::BoostView(operation)}, {"path", path}};
  if (value != nullptr) step["value"] = *value;
  patch.emplace_back(std::move(step));
}

void AddDifferences(json::array& patch, const std::string& path, const json::value& before,
                    const json::value& after) {
  if (before == after) return;
  if (!before.is_object() || !after.is_object())
    return AddOperation(patch, "replace", path, &after);
  const json::object& from = before.get_object();
  const json::object& to = after.get_object();
  for (const auto& member : from)
    if (!to.contains(member.key()))
      AddOperation(patch, "remove", PointerTo(path, json::View(member.key())), nullptr);
  for (const auto& member : to) {
    const std::string pointer = PointerTo(path, json::View(member.key()));
    if (const json::value* old = from.if_contains(member.key())) {
      AddDifferences(patch, pointer, *old, member.value());
    } else {
      AddOperation(patch, "add", pointer, &member.value());
    }
  }
}

}  // namespace

json::array JsonPatchBetween(const json::value& before, const json::value& after) {
  json::array patch;
  AddDifferences(patch, "", before, after);
  return patch;
}

}  // namespace berth::webhook_server

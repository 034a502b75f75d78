#include "simulate/world/node_states.h"

#include <vector>

#include "api/core/node.h"
#include "simulate/world/node_failures.h"

namespace berth::simulate {
namespace {

std::string_view NameOfNode(const api::Object& object) {
  return object.As<api::Node>()->metadata.name;
}

}  // namespace

NodeStates::Effect NodeStates::Edit(const api::Object& node) {
  if (latest_.empty())
    for (const api::Object& object : input_.objects)
      if (object.As<api::Node>() != nullptr) latest_[NameOfNode(object)] = &object;
  const bool was_down = down_.erase(NameOfNode(node)) > 0;
  const api::Object*& latest = latest_[NameOfNode(node)];
  const bool was_ready = !was_down && (latest == nullptr || IsReadyNode(*latest->As<api::Node>()));
  latest = &node;
  if (was_ready == IsReadyNode(*node.As<api::Node>())) return Effect::kNone;
  return was_ready ? Effect::kFails : Effect::kRepairs;
}

const api::Object& NodeStates::Latest(uint32_t node) const {
  const api::Object& given = input_.objects[node];
  const auto edited = latest_.find(NameOfNode(given));
  return edited == latest_.end() ? given : *edited->second;
}

std::optional<api::Object> NodeStates::Fail(uint32_t node) {
  const api::Object& latest = Latest(node);
  if (!IsReadyNode(*latest.As<api::Node>())) return std::nullopt;
  down_.insert(NameOfNode(input_.objects[node]));
  api::Object failed = latest.Clone();
  std::erase_if(failed.As<api::Node>()->status.conditions,
                [](const auto& condition) { return condition.type == kReadyCondition; });
  return failed;
}

const api::Object* NodeStates::Repair(uint32_t node) {
  if (down_.erase(NameOfNode(input_.objects[node])) == 0) return nullptr;
  return &Latest(node);
}

}  // namespace berth::simulate

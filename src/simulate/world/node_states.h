#pragma once

// The nodes of a world, as the input or the last edit describes them, and which of them are down by
// chance. A node that an edit has made fail is repaired by edits only.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "api/meta/object.h"
#include "simulate/input.h"

namespace berth::simulate {

class NodeStates {
 public:
  // The input must outlive this.
  explicit NodeStates(const Input& input) : input_(input) {}

  enum class Effect : uint8_t { kNone, kFails, kRepairs };

  // The node is from now on as this object, which must outlive this. A node that was unknown counts
  // as one that was ready.
  Effect Edit(const api::Object& node);
  // What a node becomes that fails or is repaired by chance; none if it stays as it is. Nodes are
  // indices into Input::objects.
  std::optional<api::Object> Fail(uint32_t node);
  const api::Object* Repair(uint32_t node);

 private:
  const api::Object& Latest(uint32_t node) const;

  const Input& input_;
  std::map<std::string_view, const api::Object*> latest_;  // by name; empty before the first edit
  std::set<std::string_view> down_;                        // by chance
};

}  // namespace berth::simulate

#pragma once

#include <string_view>

#include "schema/describe.h"

namespace berth::apiserver {

// What strategic merge patches need to know of a place in an object. A place that no description
// knows has no merge keys below it.
class PatchSchema {
 public:
  explicit PatchSchema(const schema::Type* type) : type_(type) {}

  struct Child;
  // Of an object's member.
  Child Enter(std::string_view name) const;

 private:
  const schema::Type* type_;  // of the object here; null if unknown
};

struct PatchSchema::Child {
  PatchSchema schema;               // of the member, or of its elements if it is a list
  bool is_merged = false;           // a list that patches merge; others are replaced
  std::string_view merge_key = {};  // the field that tells its elements apart; "" for plain values
};

}  // namespace berth::apiserver

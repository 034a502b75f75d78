#pragma once

#include <string_view>

#include "schema/describe.h"

namespace berth::apiserver {

// Merge keys for strategic merge patches. Locations without a description have none.
class PatchSchema {
 public:
  explicit PatchSchema(const schema::Type* type) : type_(type) {}

  struct Child;
  // The schema of an object's member.
  Child Enter(std::string_view name) const;

 private:
  const schema::Type* type_;  // type of the object; null if unknown
};

struct PatchSchema::Child {
  PatchSchema schema;               // of the member, or of its elements if it is a list
  bool is_merged = false;           // merged list; others are replaced
  std::string_view merge_key = {};  // identifies elements; "" for scalars
};

}  // namespace berth::apiserver

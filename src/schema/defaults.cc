#include "schema/defaults.h"

#include "base/check.h"
#include "schema/access.h"
#include "schema/decode.h"

namespace berth::schema {
namespace {

class Defaulter {
 public:
  void Fill(const Struct& type, void* self) {
    for (const Field& field : type.fields) {
      if (field.member == nullptr) continue;
      if (!field.default_json.empty() && IsAbsent(field, self)) SetDefault(type, field, self);
      if (const void* value = ValueOf(field, self))
        FillValue(*field.type, const_cast<void*>(value));
    }
  }

 private:
  // A zero value without an optional counts as absent, even for a required field: otherwise its
  // default could never apply.
  static bool IsAbsent(const Field& field, void* self) {
    void* member = MemberOf(field, self);
    if (field.type->optional != nullptr) return field.type->optional->get(member) == nullptr;
    return IsZero(*field.type, member);
  }

  void SetDefault(const Struct& type, const Field& field, void* self) {
    std::string json = "{\"";
    json.append(field.name).append("\":").append(field.default_json).append("}");
    const Problems problems = decoder_.Decode(json, type, self);
    CHECK(problems.empty());
  }

  void FillValue(const Type& type, void* value) {
    if (type.shape == Shape::kStruct) Fill(type.structure(), value);
    if (type.shape == Shape::kList && type.element->shape == Shape::kStruct) {
      for (size_t i = 0; i < type.list->size(value); ++i)
        Fill(type.element->structure(), const_cast<void*>(type.list->at(value, i)));
    }
    if (type.shape == Shape::kMap && type.element->shape == Shape::kStruct) {
      std::string_view key;
      for (size_t i = 0; i < type.map->size(value); ++i)
        Fill(type.element->structure(), const_cast<void*>(type.map->at(value, i, &key)));
    }
  }

  Decoder decoder_;
};

}  // namespace

void ApplyDefaults(const Struct& type, void* self) { Defaulter().Fill(type, self); }

}  // namespace berth::schema

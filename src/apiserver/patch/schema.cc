#include "apiserver/patch/schema.h"

#include "api/meta/list_keys.h"
#include "schema/access.h"

namespace berth::apiserver {
namespace {

const schema::Type* ElementOf(const schema::Type* type) {
  return type->shape == schema::Shape::kList ? type->element : type;
}

}  // namespace

PatchSchema::Child PatchSchema::Enter(std::string_view name) const {
  const Child unknown{.schema = PatchSchema(nullptr)};
  if (type_ == nullptr) return unknown;
  if (type_->shape == schema::Shape::kMap)
    return {.schema = PatchSchema(ElementOf(type_->element))};
  if (type_->shape != schema::Shape::kStruct) return unknown;
  const schema::Field* field = schema::FindField(type_->structure(), name);
  if (field == nullptr) return unknown;
  const bool is_plain = field->patch_key == api::kPatchByValue;
  return {.schema = PatchSchema(ElementOf(field->type)),
          .is_merged = !field->patch_key.empty(),
          .merge_key = is_plain ? std::string_view() : field->patch_key};
}

}  // namespace berth::apiserver

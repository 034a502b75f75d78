#include "api/meta/object.h"

#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::api {

Object::Object(const schema::Kind& kind)
    : kind_(&kind), value_(kind.structure().make(), kind.structure().destroy) {}

ObjectMeta* Object::FindMetadata() const {
  for (const schema::Field& field : kind_->structure().fields) {
    if (field.member != nullptr && field.type->structure == &ObjectMeta::Description &&
        field.type->shape == schema::Shape::kStruct)
      return static_cast<ObjectMeta*>(field.member(value_.get()));
  }
  return nullptr;
}

std::string Object::Encode() const {
  std::string json;
  schema::EncodeTo(json, *kind_, value_.get());
  return json;
}

Object Object::Clone() const {
  Object copy(*kind_);
  schema::Decoder().Decode(Encode(), *kind_, copy.value());
  return copy;
}

}  // namespace berth::api

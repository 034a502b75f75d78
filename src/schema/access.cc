#include "schema/access.h"

#include <algorithm>

#include "base/check.h"

namespace berth::schema {
bool IsZero(const Type& type, const void* value) {
  switch (type.shape) {
    case Shape::kBool:
      return !As<bool>(value);
    case Shape::kInt32:
      return As<int32_t>(value) == 0;
    case Shape::kInt64:
      return As<int64_t>(value) == 0;
    case Shape::kDouble:
      return As<double>(value) == 0;
    case Shape::kString:
      return As<std::string>(value).empty();
    case Shape::kQuantity:
      return As<quantity::Quantity>(value).IsZero();
    case Shape::kDuration:
      return As<base::Duration>(value).nanos == 0;
    case Shape::kJson:
      return As<Json>(value).text.empty();
    case Shape::kList:
      return type.list->size(value) == 0;
    case Shape::kMap:
      return type.map->size(value) == 0;
    default:
      return false;
  }
}

const void* ValueOf(const Field& field, const void* self) {
  if (field.member == nullptr) return nullptr;
  const void* value = field.member(const_cast<void*>(self));  // read-only access
  if (field.type->optional != nullptr) return field.type->optional->get(value);
  return !field.is_required && IsZero(*field.type, value) ? nullptr : value;
}

const Field* FindField(const Struct& type, std::string_view name) {
  auto it = std::find_if(type.fields.begin(), type.fields.end(),
                         [&](const Field& f) { return f.name == name; });
  return it == type.fields.end() ? nullptr : &*it;
}

bool SameScalar(const Type& type, const void* a, const void* b) {
  switch (type.shape) {
    case Shape::kBool:
      return As<bool>(a) == As<bool>(b);
    case Shape::kInt32:
      return As<int32_t>(a) == As<int32_t>(b);
    case Shape::kInt64:
      return As<int64_t>(a) == As<int64_t>(b);
    case Shape::kString:
      return As<std::string>(a) == As<std::string>(b);
    default:
      return false;
  }
}

bool SameKeys(const Struct& type, std::span<const std::string_view> keys, const void* a,
              const void* b) {
  return std::all_of(keys.begin(), keys.end(), [&](std::string_view key) {
    const Field* field = FindField(type, key);
    CHECK(field != nullptr);
    const void* left = ValueOf(*field, a);
    const void* right = ValueOf(*field, b);
    if (left == nullptr || right == nullptr) return left == right;
    return SameScalar(*field->type, left, right);
  });
}

}  // namespace berth::schema

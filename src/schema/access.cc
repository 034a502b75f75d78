#include "schema/access.h"

#include <algorithm>
#include <functional>

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

namespace {

template <class T>
int CompareAs(const void* a, const void* b) {
  if (As<T>(a) == As<T>(b)) return 0;
  return As<T>(a) < As<T>(b) ? -1 : 1;
}

// Values of other types always differ.
int CompareScalars(const Type& type, const void* a, const void* b) {
  switch (type.shape) {
    case Shape::kBool:
      return CompareAs<bool>(a, b);
    case Shape::kInt32:
      return CompareAs<int32_t>(a, b);
    case Shape::kInt64:
      return CompareAs<int64_t>(a, b);
    case Shape::kString:
      return As<std::string>(a).compare(As<std::string>(b));
    default:
      return a == b ? 0 : std::less<>()(a, b) ? -1 : 1;
  }
}

}  // namespace

ElementIndex::ElementIndex(const Field& field, const Type& type, const void* list)
    : element_(*type.element) {
  if (field.list_kind == ListKind::kMap) {
    for (const std::string_view key : field.keys) {
      keys_.push_back(FindField(element_.structure(), key));
      CHECK(keys_.back() != nullptr);
    }
  }
  const size_t count = type.list->size(list);
  places_.reserve(count);
  for (size_t i = 0; i < count; ++i) places_.push_back({type.list->at(list, i), i});
  std::sort(places_.begin(), places_.end(), [this](const Place& a, const Place& b) {
    const int order = Compare(a.element, b.element);
    return order != 0 ? order < 0 : a.index < b.index;
  });
}

int ElementIndex::Compare(const void* a, const void* b) const {
  if (keys_.empty()) return CompareScalars(element_, a, b);
  for (const Field* key : keys_) {
    const void* left = ValueOf(*key, a);
    const void* right = ValueOf(*key, b);
    const bool is_absent = left == nullptr || right == nullptr;
    const int order = is_absent ? (left != nullptr) - (right != nullptr)
                                : CompareScalars(*key->type, left, right);
    if (order != 0) return order;
  }
  return 0;
}

const void* ElementIndex::Find(const void* element) const {
  const auto found = std::partition_point(places_.begin(), places_.end(), [&](const Place& place) {
    return Compare(place.element, element) < 0;
  });
  const bool is_found = found != places_.end() && Compare(found->element, element) == 0;
  return is_found ? found->element : nullptr;
}

std::vector<size_t> ElementIndex::Repeated() const {
  std::vector<size_t> repeated;
  const auto is_same = [this](size_t a, size_t b) {
    return Compare(places_[a].element, places_[b].element) == 0;
  };
  for (size_t i = 1; i < places_.size(); ++i)
    if (is_same(i - 1, i) && (i == 1 || !is_same(i - 2, i))) repeated.push_back(places_[i].index);
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

}  // namespace berth::schema

#include "schema/scalar.h"

#include <charconv>
#include <optional>
#include <string>

#include "quantity/json_token.h"
#include "schema/json/index.h"

namespace berth::schema {
namespace {

template <class T>
bool Store(std::optional<T> value, T* target) {
  if (value) *target = *value;
  return value.has_value();
}

template <class T>
bool StoreNumber(std::string_view token, void* target) {
  T value{};
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size()) return false;
  *static_cast<T*>(target) = value;
  return true;
}

bool StoreQuantity(std::string_view token, void* target) {
  auto parsed = quantity::ParseJsonToken(token);
  if (!parsed) return false;
  *static_cast<quantity::Quantity*>(target) = *std::move(parsed);
  return true;
}

bool StoreString(Shape shape, std::string_view token, void* target) {
  std::string_view text = token.substr(1, token.size() - 2);
  std::optional<std::string> plain;
  if (text.find('\\') != std::string_view::npos) {
    plain = UnescapeJsonString(token);
    if (!plain) return false;
    text = *plain;
  }
  switch (shape) {
    case Shape::kString:
      static_cast<std::string*>(target)->assign(text);
      return true;
    case Shape::kQuantity:
      return StoreQuantity(token, target);
    case Shape::kTime:
      return Store(base::ParseTime(text), static_cast<base::Time*>(target));
    case Shape::kDuration:
      return Store(base::ParseDuration(text), static_cast<base::Duration*>(target));
    default:
      return false;
  }
}

bool StoreToken(Shape shape, std::string_view token, void* target) {
  switch (shape) {
    case Shape::kBool:
      if (token != "true" && token != "false") return false;
      *static_cast<bool*>(target) = token == "true";
      return true;
    case Shape::kInt32:
      return StoreNumber<int32_t>(token, target);
    case Shape::kInt64:
      return StoreNumber<int64_t>(token, target);
    case Shape::kDouble:
      return StoreNumber<double>(token, target);
    case Shape::kQuantity:
      return StoreQuantity(token, target);
    default:
      return false;
  }
}

}  // namespace

bool IsScalarToken(std::string_view token) {
  if (token.empty()) return false;
  if (token.front() == '"') return token.size() >= 2 && token.back() == '"';
  return token == "true" || token == "false" || token == "null" || IsJsonNumber(token);
}

bool StoreScalar(Shape shape, std::string_view token, void* target) {
  return token.front() == '"' ? StoreString(shape, token, target)
                              : StoreToken(shape, token, target);
}

bool CanHold(Shape shape, std::string_view token) {
  switch (shape) {
    case Shape::kJson:
      return true;
    case Shape::kBool:
      return token == "true" || token == "false";
    case Shape::kString:
      return token.front() == '"';
    case Shape::kIntOrString:
      if (token.front() == '"') return true;
      [[fallthrough]];
    case Shape::kInt32: {
      int32_t ignored = 0;
      return StoreNumber<int32_t>(token, &ignored);
    }
    case Shape::kInt64: {
      int64_t ignored = 0;
      return StoreNumber<int64_t>(token, &ignored);
    }
    case Shape::kDouble:
      return IsJsonNumber(token);
    case Shape::kQuantity:
      return quantity::ParseJsonToken(token).has_value();
    case Shape::kTime: {
      base::Time ignored;
      return token.front() == '"' && StoreString(shape, token, &ignored);
    }
    case Shape::kDuration: {
      base::Duration ignored;
      return token.front() == '"' && StoreString(shape, token, &ignored);
    }
    default:
      return false;
  }
}

}  // namespace berth::schema

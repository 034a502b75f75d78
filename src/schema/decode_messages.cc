#include "schema/decode_messages.h"

#include <algorithm>
#include <vector>

#include "base/suggest.h"
#include "schema/json/index.h"

namespace berth::schema {
namespace {

// Finds the fields of a name in a struct and all structs below it.
class FieldSearch {
 public:
  explicit FieldSearch(std::string_view name) : name_(name) {}

  void In(const Struct& type) {
    constexpr size_t kMaxDepth = 8;
    const bool is_recursive = std::ranges::find(above_, &type) != above_.end();
    if (is_recursive || above_.size() == kMaxDepth || count_ > 1) return;
    above_.push_back(&type);
    for (const Field& field : type.fields) {
      if (field.is_previous) continue;
      if (field.name == name_ && ++count_ == 1) parent_ = path_;
      path_.push_back(field.name);
      InType(*field.type);
      path_.pop_back();
    }
    above_.pop_back();
  }

  // "" unless exactly one field has the name: of several, none is the likely one.
  std::string Hint() const {
    if (count_ != 1) return {};
    std::string text;
    for (std::string_view name : parent_) (text += text.empty() ? "" : ".") += name;
    return text.empty() ? "write it at the top level" : "write it under " + text;
  }

 private:
  void InType(const Type& type) {
    if (type.shape == Shape::kStruct) In(type.structure());
    if (type.shape == Shape::kList) InType(*type.element);
  }

  std::string_view name_;
  std::vector<const Struct*> above_;
  std::vector<std::string_view> path_;
  std::vector<std::string_view> parent_;  // of the first match
  size_t count_ = 0;
};

}  // namespace

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string_view NameOf(Shape shape) {
  switch (shape) {
    case Shape::kBool:
      return "true or false";
    case Shape::kInt32:
    case Shape::kInt64:
      return "a whole number";
    case Shape::kDouble:
      return "a number";
    case Shape::kString:
      return "a string";
    case Shape::kQuantity:
      return "a quantity such as \"500m\" or \"2Gi\"";
    case Shape::kTime:
      return "a time such as \"2026-01-02T15:04:05Z\"";
    case Shape::kDuration:
      return "a duration such as \"5m\" or \"1h30m\"";
    case Shape::kIntOrString:
      return "a whole number or a string";
    case Shape::kStruct:
    case Shape::kMap:
      return "an object";
    case Shape::kList:
      return "a list";
    case Shape::kJson:
      return "a value";
  }
  return "";
}

std::string Found(std::string_view token) {
  if (token.empty()) return "the end";
  switch (token.front()) {
    case '{':
      return "an object";
    case '[':
      return "a list";
    case '"':
      return "the string " + std::string(token.substr(0, 60));
    default:
      return std::string(token.substr(0, 60));
  }
}

std::string HintForUnknown(const Struct& type, std::string_view name, const Struct& root,
                           bool is_previous) {
  std::vector<std::string_view> names;
  for (const Field& field : type.fields) {
    if (!is_previous && field.previous_name == name)
      return Quoted(name) + " is its name in an older version: write " + Quoted(field.name);
    if (!field.is_previous) names.push_back(field.name);
  }
  std::string hint = base::DidYouMean(name, names);
  if (!hint.empty()) return hint;
  FieldSearch search(name);
  search.In(root);
  return search.Hint();
}

std::string HintForType(Shape shape, std::string_view token) {
  if (token.empty() || token.front() == '{' || token.front() == '[') return {};
  const bool is_text = token.front() == '"';
  if (shape == Shape::kString && !is_text)
    return "write it in quotes: \"" + std::string(token) + "\"";
  const bool wants_number = shape == Shape::kInt32 || shape == Shape::kInt64 ||
                            shape == Shape::kDouble || shape == Shape::kBool;
  if (wants_number && is_text) return "write it without quotes";
  if ((shape == Shape::kInt32 || shape == Shape::kInt64) && IsJsonNumber(token))
    return "it must be a whole number that fits " +
           std::string(shape == Shape::kInt32 ? "32" : "64") + " bits";
  return {};
}

}  // namespace berth::schema

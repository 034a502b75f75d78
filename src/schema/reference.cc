#include "schema/reference.h"

#include <map>

namespace berth::schema {
namespace {

std::string_view ScalarName(Shape shape) {
  switch (shape) {
    case Shape::kBool:
      return "boolean";
    case Shape::kInt32:
    case Shape::kInt64:
      return "integer";
    case Shape::kDouble:
      return "number";
    case Shape::kQuantity:
      return "quantity";
    case Shape::kTime:
      return "time";
    case Shape::kDuration:
      return "duration";
    case Shape::kIntOrString:
      return "integer or string";
    case Shape::kString:
      return "string";
    case Shape::kJson:
      return "any";
    default:
      return "object";
  }
}

std::string TypeName(const Type& type) {
  if (type.shape == Shape::kList) return "list of " + TypeName(*type.element) + "s";
  if (type.shape == Shape::kMap) return "map of " + TypeName(*type.element) + "s";
  return std::string(ScalarName(type.shape));
}

std::string DocOf(const Field& field) {
  std::string doc(field.doc);
  if (field.is_previous) doc += " In `v1beta1` only.";
  if (field.is_new) doc += " Not in `v1beta1`.";
  if (!field.previous_name.empty())
    doc += " In `v1beta1` called `" + std::string(field.previous_name) + "`.";
  return doc;
}

class ReferenceWalk {
 public:
  void Add(const Struct& type, const std::string& path) {
    sections_.push_back({.path = path, .doc = type.doc, .fields = {}});
    const size_t section = sections_.size() - 1;
    paths_[&type] = path;
    for (const Field& field : type.fields) {
      const std::string own =
          path.empty() ? std::string(field.name) : path + "." + std::string(field.name);
      const std::string inner = AddInner(*field.type, own);
      sections_[section].fields.push_back({.path = own,
                                           .name = field.name,
                                           .type = TypeName(*field.type),
                                           .section = inner,
                                           .default_json = field.default_json,
                                           .doc = DocOf(field)});
    }
  }

  std::vector<ReferenceSection> Take() && { return std::move(sections_); }

 private:
  // The path of the section that describes the struct in a value of the type; "" if it has none.
  std::string AddInner(const Type& type, const std::string& path) {
    if (type.shape == Shape::kList) return AddInner(*type.element, path + "[]");
    if (type.shape == Shape::kMap) return AddInner(*type.element, path + "[]");
    if (type.shape != Shape::kStruct) return {};
    const Struct& structure = type.structure();
    const auto known = paths_.find(&structure);
    if (known != paths_.end()) return known->second;
    Add(structure, path);
    return path;
  }

  std::vector<ReferenceSection> sections_;
  std::map<const Struct*, std::string> paths_;  // of described structs
};

}  // namespace

std::vector<ReferenceSection> ReferenceOf(const Struct& root) {
  ReferenceWalk walk;
  walk.Add(root, "");
  return std::move(walk).Take();
}

}  // namespace berth::schema

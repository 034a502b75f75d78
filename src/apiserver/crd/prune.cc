#include <algorithm>

#include "apiserver/crd/node.h"
#include "apiserver/crd/structural.h"

namespace berth::apiserver {
namespace {

class PruneWalk {
 public:
  // Fields under preserve-unknown-fields are visited only where the schema specifies them.
  void Visit(StructuralNode node, json::value& value, bool is_resource) {
    if (json::object* object = value.if_object()) {
      VisitObject(node, *object, is_resource || node.IsEmbedded());
    } else if (json::array* list = value.if_array()) {
      VisitList(node, *list);
    }
  }

  std::vector<std::string> Take() {
    std::ranges::sort(unknown_);
    return std::move(unknown_);
  }

 private:
  void VisitObject(StructuralNode node, json::object& object, bool is_resource) {
    for (auto member = object.begin(); member != object.end();) {
      const std::string_view name = json::View(member->key());
      const StructuralNode property = node.Property(name);
      const bool is_kept =
          (is_resource && IsMetaField(name)) || node.PreservesUnknown() || node.AllowsAdditional();
      const size_t length = path_.size();
      path_ += (path_.empty() ? "" : ".") + std::string(name);
      if (!property && !is_kept) {
        unknown_.push_back(path_);
        member = object.stable_erase(member);
      } else {
        VisitMember(node, property, member->value(), is_resource && IsMetaField(name));
        ++member;
      }
      path_.resize(length);
    }
  }

  void VisitMember(StructuralNode node, StructuralNode property, json::value& value, bool is_meta) {
    if (is_meta) return;
    if (property) {
      Visit(property, value, false);
    } else if (const StructuralNode additional = node.Child("additionalProperties")) {
      Visit(additional, value, false);
    } else if (!node.PreservesUnknown()) {
      Visit(StructuralNode(), value, false);
    }
  }

  void VisitList(StructuralNode node, json::array& list) {
    const StructuralNode items = node.Child("items");
    if (!items && node.PreservesUnknown()) return;
    const size_t length = path_.size();
    for (size_t i = 0; i < list.size(); ++i) {
      path_ += "[" + std::to_string(i) + "]";
      Visit(items, list[i], false);
      path_.resize(length);
    }
  }

  std::string path_;
  std::vector<std::string> unknown_;
};

bool IsForbiddenNull(const json::value& value, StructuralNode node) {
  return value.is_null() && node && !node.IsTrue("nullable");
}

void FillDefaults(StructuralNode node, json::value& value);

void FillNull(StructuralNode node, json::value& value) {
  const json::value* standard = node.Find("default");
  if (IsForbiddenNull(value, node) && standard != nullptr) value = *standard;
}

void FillObject(StructuralNode node, json::object& object) {
  if (const json::object* properties = node.Members("properties")) {
    for (const auto& member : *properties) {
      const StructuralNode property(&member.value());
      const json::value* standard = property.Find("default");
      if (standard == nullptr || standard->is_null()) continue;
      json::value* current = object.if_contains(member.key());
      if (current == nullptr || IsForbiddenNull(*current, property)) {
        object.insert_or_assign(member.key(), *standard);
      }
    }
  }
  for (auto& member : object) {
    if (const StructuralNode property = node.Property(json::View(member.key()))) {
      FillDefaults(property, member.value());
    } else if (const StructuralNode additional = node.Child("additionalProperties")) {
      FillNull(additional, member.value());
      FillDefaults(additional, member.value());
    }
  }
}

void FillDefaults(StructuralNode node, json::value& value) {
  if (!node) return;
  if (json::object* object = value.if_object()) {
    FillObject(node, *object);
  } else if (json::array* list = value.if_array()) {
    const StructuralNode items = node.Child("items");
    if (!items) return;
    for (json::value& element : *list) {
      FillNull(items, element);
      FillDefaults(items, element);
    }
  }
}

// Null members that are neither nullable nor defaulted count as absent.
void DropForbiddenNulls(StructuralNode node, json::value& value) {
  if (!node) return;
  if (json::array* list = value.if_array()) {
    for (json::value& element : *list) DropForbiddenNulls(node.Child("items"), element);
    return;
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  for (auto member = object->begin(); member != object->end();) {
    const StructuralNode property = node.Property(json::View(member->key()));
    const StructuralNode child = property ? property : node.Child("additionalProperties");
    if (IsForbiddenNull(member->value(), child)) {
      member = object->stable_erase(member);
      continue;
    }
    DropForbiddenNulls(child, member->value());
    ++member;
  }
}

}  // namespace

StructuralSchema::StructuralSchema(std::shared_ptr<const json::value> openapi_schema)
    : schema_(openapi_schema != nullptr
                  ? std::move(openapi_schema)
                  : std::make_shared<const json::value>(json::value{
                        {"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})) {
  CompilePatterns(*schema_);
}

void StructuralSchema::CompilePatterns(const json::value& schema) {
  if (const json::array* list = schema.if_array()) {
    for (const json::value& element : *list) CompilePatterns(element);
    return;
  }
  const json::object* object = schema.if_object();
  if (object == nullptr) return;
  const StructuralNode node(object);
  if (!node.Text("pattern").empty()) {
    auto pattern = StructuralPattern::Compile(node.Text("pattern"));
    if (pattern) patterns_.emplace(object, *std::move(pattern));
  }
  for (const auto& member : *object) CompilePatterns(member.value());
}

const StructuralPattern* StructuralSchema::PatternOf(const json::object& schema) const {
  const auto found = patterns_.find(&schema);
  return found == patterns_.end() ? nullptr : &found->second;
}

std::vector<std::string> StructuralSchema::Prune(json::value& object) const {
  PruneWalk walk;
  walk.Visit(StructuralNode(schema_.get()), object, true);
  return walk.Take();
}

void StructuralSchema::Default(json::value& object) const {
  FillDefaults(StructuralNode(schema_.get()), object);
  DropForbiddenNulls(StructuralNode(schema_.get()), object);
}

}  // namespace berth::apiserver

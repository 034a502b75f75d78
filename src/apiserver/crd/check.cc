#include <algorithm>

#include "apiserver/crd/node.h"
#include "apiserver/crd/structural.h"

namespace berth::apiserver {
namespace {

using schema::Problem;
using schema::Problems;
using schema::ProblemType;

enum class Level { kRoot, kItem, kField };

std::string Under(std::string_view field, std::string_view name) {
  return std::string(field) + "." + std::string(name);
}
std::string UnderKey(std::string_view field, std::string_view name, std::string_view key) {
  return Under(field, name) + "[" + std::string(key) + "]";
}
std::string UnderIndex(std::string_view field, std::string_view name, size_t index) {
  return Under(field, name) + "[" + std::to_string(index) + "]";
}

class StructuralCheck {
 public:
  void Visit(StructuralNode node, Level level, const std::string& field) {
    if (!node) return;
    CheckType(node, level, field);
    CheckLists(node, field);
    CheckExtensions(node, field);
    CheckAdditional(node, level, field);
    CheckUnsupported(node, field);
    CheckMetadata(node, level, field);
    VisitChildren(node, field);
    CheckValidations(node, field, /*skips_first=*/node.IsIntOrString());
  }

  Problems Take() {
    std::ranges::stable_sort(problems_, {}, &Problem::field);
    return std::move(problems_);
  }

 private:
  void Report(ProblemType type, std::string field, std::string message) {
    problems_.push_back({.type = type, .field = std::move(field), .message = std::move(message)});
  }
  void Require(std::string field, std::string message) {
    Report(ProblemType::kRequired, std::move(field), std::move(message));
  }
  void Forbid(std::string field, std::string message) {
    Report(ProblemType::kForbidden, std::move(field), std::move(message));
  }
  void Invalid(std::string field, std::string message) {
    Report(ProblemType::kInvalid, std::move(field), std::move(message));
  }

  void VisitChildren(StructuralNode node, const std::string& field) {
    Visit(node.Child("items"), Level::kItem, Under(field, "items"));
    Visit(node.Child("additionalProperties"), Level::kField, Under(field, "additionalProperties"));
    if (const json::object* properties = node.Members("properties")) {
      for (const auto& member : *properties) {
        const StructuralNode child(&member.value());
        Visit(child, Level::kField, UnderKey(field, "properties", json::View(member.key())));
      }
    }
  }

  void CheckType(StructuralNode node, Level level, const std::string& field) {
    static constexpr std::string_view kTypes[] = {"array",  "boolean", "integer",
                                                  "number", "object",  "string"};
    const std::string_view type = node.type();
    const std::string at = Under(field, "type");
    if (!type.empty() && std::ranges::find(kTypes, type) == std::end(kTypes)) {
      Report(ProblemType::kNotSupported, at,
             "\"" + std::string(type) +
                 "\" is not one of array, boolean, integer, number, object and string");
    }
    if (node.IsEmbedded() && type != "object") {
      const std::string message = "must be object if x-kubernetes-embedded-resource is true";
      return type.empty() ? Require(at, message) : Invalid(at, message);
    }
    if (level == Level::kRoot && !type.empty() && type != "object") {
      Invalid(at, "must be object at the root");
    }
    if (!type.empty() || node.IsIntOrString() || node.PreservesUnknown()) return;
    Require(at, level == Level::kRoot   ? "must not be empty at the root"
                : level == Level::kItem ? "must not be empty for specified array items"
                                        : "must not be empty for specified object fields");
  }

  void CheckLists(StructuralNode node, const std::string& field) {
    if (node.type() == "array" && !node.Has("items")) {
      Require(Under(field, "items"), "must be specified");
    }
    if (node.List("items") != nullptr) {
      Forbid(Under(field, "items"), "items must be a schema object and not an array");
    }
    const std::string_view list_type = node.Text("x-kubernetes-list-type");
    const json::array* keys = node.List("x-kubernetes-list-map-keys");
    if (!list_type.empty()) CheckListType(node, list_type, field);
    if (keys != nullptr && !keys->empty() && list_type != "map") {
      Invalid(Under(field, "x-kubernetes-list-type"),
              "must be map if x-kubernetes-list-map-keys is non-empty");
    }
    if (list_type == "map") CheckListKeys(node, keys, field);
  }

  void CheckListType(StructuralNode node, std::string_view list_type, const std::string& field) {
    if (list_type != "atomic" && list_type != "set" && list_type != "map") {
      Report(ProblemType::kNotSupported, Under(field, "x-kubernetes-list-type"),
             "\"" + std::string(list_type) + "\" is not one of atomic, set and map");
    }
    if (node.type() != "array") {
      Invalid(Under(field, "type"), "must be array if x-kubernetes-list-type is specified");
    }
  }

  void CheckListKeys(StructuralNode node, const json::array* keys, const std::string& field) {
    if (keys == nullptr || keys->empty()) {
      return Require(Under(field, "x-kubernetes-list-map-keys"),
                     "must not be empty if x-kubernetes-list-type is map");
    }
    const StructuralNode items = node.Child("items");
    if (!items) {
      return Require(Under(field, "items"), "must have a schema if x-kubernetes-list-type is map");
    }
    if (items.type() != "object") {
      Invalid(Under(field, "items.type"),
              "must be object if parent array's x-kubernetes-list-type is map");
    }
    for (const json::value& key : *keys) {
      const std::string_view name = key.is_string() ? json::View(key.get_string()) : "";
      CheckListKey(items, name, field);
    }
  }

  void CheckListKey(StructuralNode items, std::string_view name, const std::string& field) {
    const StructuralNode property = items.Property(name);
    if (!property) {
      return Invalid(Under(field, "x-kubernetes-list-map-keys"),
                     "entries must all be names of item properties");
    }
    const std::string at = UnderKey(Under(field, "items"), "properties", name);
    if (property.type() == "object" || property.type() == "array") {
      Invalid(Under(at, "type"),
              "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (!property.Has("default") && !IsRequired(items, name)) {
      Require(Under(at, "default"),
              "this property is in x-kubernetes-list-map-keys, so it must have a default or be a "
              "required property");
    }
  }

  static bool IsRequired(StructuralNode node, std::string_view name) {
    const json::array* required = node.List("required");
    return required != nullptr &&
           std::ranges::find(*required, json::value(json::BoostView(name))) != required->end();
  }

  void CheckExtensions(StructuralNode node, const std::string& field) {
    if (node.IsIntOrString() && node.PreservesUnknown()) {
      Invalid(Under(field, "x-kubernetes-preserve-unknown-fields"),
              "must be false if x-kubernetes-int-or-string is true");
    }
    if (node.IsIntOrString() && node.IsEmbedded()) {
      Invalid(Under(field, "x-kubernetes-embedded-resource"),
              "must be false if x-kubernetes-int-or-string is true");
    }
    if (node.Has("x-kubernetes-preserve-unknown-fields") && !node.PreservesUnknown()) {
      Invalid(Under(field, "x-kubernetes-preserve-unknown-fields"), "must be true or undefined");
    }
    const std::string_view map_type = node.Text("x-kubernetes-map-type");
    if (!map_type.empty() && map_type != "atomic" && map_type != "granular") {
      Report(ProblemType::kNotSupported, Under(field, "x-kubernetes-map-type"),
             "\"" + std::string(map_type) + "\" is not one of atomic and granular");
    }
    if (!map_type.empty() && node.type() != "object") {
      Invalid(Under(field, "type"), "must be object if x-kubernetes-map-type is specified");
    }
  }

  void CheckAdditional(StructuralNode node, Level level, const std::string& field) {
    if (!node.AllowsAdditional()) return;
    const std::string at = Under(field, "additionalProperties");
    if (level == Level::kRoot) Forbid(at, "must not be used at the root");
    if (node.IsEmbedded()) Forbid(at, "must not be used if x-kubernetes-embedded-resource is set");
    const json::object* properties = node.Members("properties");
    if (properties != nullptr && !properties->empty()) {
      Forbid(at, "additionalProperties and properties are mutual exclusive");
    }
  }

  void CheckUnsupported(StructuralNode node, const std::string& field) {
    for (const std::string_view name :
         {"$ref", "additionalItems", "definitions", "dependencies", "id", "patternProperties"}) {
      if (node.Has(name)) Forbid(Under(field, name), std::string(name) + " is not supported");
    }
    if (node.IsTrue("uniqueItems")) {
      Forbid(Under(field, "uniqueItems"),
             "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
  }

  void CheckMetadata(StructuralNode node, Level level, const std::string& field) {
    const bool is_resource = level == Level::kRoot || node.IsEmbedded();
    if (!is_resource) return;
    for (const std::string_view name : {"apiVersion", "kind"}) {
      const StructuralNode property = node.Property(name);
      if (property && property.type() != "string") {
        Invalid(Under(UnderKey(field, "properties", name), "type"), "must be string");
      }
    }
    const StructuralNode metadata = node.Property("metadata");
    const std::string at = UnderKey(field, "properties", "metadata");
    if (metadata && metadata.type() != "object") Invalid(Under(at, "type"), "must be object");
    if (metadata && level == Level::kRoot && SaysMoreThanNames(metadata)) {
      Forbid(at,
             "must not specify anything other than name and generateName, but metadata is "
             "implicitly specified");
    }
    const json::object* properties = node.Members("properties");
    if (node.IsEmbedded() && !node.PreservesUnknown() &&
        (properties == nullptr || properties->empty())) {
      Require(Under(field, "properties"),
              "must not be empty if x-kubernetes-embedded-resource is true without "
              "x-kubernetes-preserve-unknown-fields");
    }
  }

  static bool SaysMoreThanNames(StructuralNode metadata) {
    for (const auto& member : *metadata.object()) {
      const std::string_view key = json::View(member.key());
      if (key != "type" && key != "properties" && key != "description") return true;
    }
    const json::object* properties = metadata.Members("properties");
    return properties != nullptr && std::ranges::any_of(*properties, [](const auto& member) {
             return member.key() != "name" && member.key() != "generateName";
           });
  }

  // Schemas under allOf, anyOf, oneOf and not may only restrict values. The types of an
  // int-or-string are the exception.
  void CheckValidations(StructuralNode node, const std::string& field, bool skips_first) {
    CheckPattern(node, field);
    for (const std::string_view name : {"allOf", "anyOf", "oneOf"}) {
      const json::array* list = node.List(name);
      for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const StructuralNode inner(&(*list)[i]);
        if (skips_first && (name == "anyOf" || (name == "allOf" && i == 0))) continue;
        CheckNested(inner, UnderIndex(field, name, i));
      }
    }
    CheckNested(node.Child("not"), Under(field, "not"));
  }

  void CheckNested(StructuralNode node, const std::string& field) {
    if (!node) return;
    CheckValidations(node, field, false);
    CheckNested(node.Child("items"), Under(field, "items"));
    if (const json::object* properties = node.Members("properties")) {
      for (const auto& member : *properties) {
        CheckNested(StructuralNode(&member.value()),
                    UnderKey(field, "properties", json::View(member.key())));
      }
      if (properties->contains("metadata")) {
        Forbid(UnderKey(field, "properties", "metadata"),
               "must not be specified in a nested context");
      }
    }
    for (const std::string_view name :
         {"type", "title", "description", "x-kubernetes-list-map-keys"}) {
      if (node.Has(name)) Forbid(Under(field, name), "must be empty to be structural");
    }
    for (const std::string_view name :
         {"additionalProperties", "default", "x-kubernetes-list-type", "x-kubernetes-map-type"}) {
      if (node.Has(name)) Forbid(Under(field, name), "must be undefined to be structural");
    }
    for (const std::string_view name :
         {"nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string"}) {
      if (node.IsTrue(name)) Forbid(Under(field, name), "must be false to be structural");
    }
  }

  void CheckPattern(StructuralNode node, const std::string& field) {
    if (node.Text("pattern").empty()) return;
    const auto pattern = StructuralPattern::Compile(node.Text("pattern"));
    if (pattern || !pattern.error().hint.empty()) return;
    Invalid(Under(field, "pattern"),
            "must be a valid regular expression, but isn't: " + pattern.error().message);
  }

  Problems problems_;
};

}  // namespace

Problems CheckStructural(const json::value& openapi_schema, std::string_view field) {
  StructuralCheck check;
  if (!openapi_schema.is_object()) {
    return {{.type = ProblemType::kRequired,
             .field = std::string(field),
             .message = "a version must have a schema"}};
  }
  check.Visit(StructuralNode(&openapi_schema), Level::kRoot, std::string(field));
  return check.Take();
}

}  // namespace berth::apiserver

#pragma once

#include <string_view>

#include "json/json.h"

// Accessors of an openAPIV3Schema node. Members of the wrong type read as absent.
namespace berth::apiserver {

// A schema node; the null node has no members.
class StructuralNode {
 public:
  StructuralNode() = default;
  explicit StructuralNode(const json::value* schema)
      : object_(schema == nullptr ? nullptr : schema->if_object()) {}
  explicit StructuralNode(const json::object* schema) : object_(schema) {}

  explicit operator bool() const { return object_ != nullptr; }
  const json::object* object() const { return object_; }

  const json::value* Find(std::string_view key) const {
    return object_ == nullptr ? nullptr : object_->if_contains(json::BoostView(key));
  }
  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  bool IsTrue(std::string_view key) const {
    const json::value* found = Find(key);
    return found != nullptr && found->is_bool() && found->get_bool();
  }
  std::string_view Text(std::string_view key) const {
    const json::value* found = Find(key);
    return found != nullptr && found->is_string() ? json::View(found->get_string())
                                                  : std::string_view();
  }
  const json::object* Members(std::string_view key) const {
    const json::value* found = Find(key);
    return found == nullptr ? nullptr : found->if_object();
  }
  const json::array* List(std::string_view key) const {
    const json::value* found = Find(key);
    return found == nullptr ? nullptr : found->if_array();
  }
  StructuralNode Child(std::string_view key) const { return StructuralNode(Find(key)); }

  std::string_view type() const { return Text("type"); }
  bool PreservesUnknown() const { return IsTrue("x-kubernetes-preserve-unknown-fields"); }
  bool IsEmbedded() const { return IsTrue("x-kubernetes-embedded-resource"); }
  bool IsIntOrString() const { return IsTrue("x-kubernetes-int-or-string"); }

  StructuralNode Property(std::string_view name) const {
    const json::object* properties = Members("properties");
    return StructuralNode(properties == nullptr ? nullptr
                                                : properties->if_contains(json::BoostView(name)));
  }
  // additionalProperties is a schema, or true for any value.
  bool AllowsAdditional() const {
    return Members("additionalProperties") != nullptr || IsTrue("additionalProperties");
  }

 private:
  const json::object* object_ = nullptr;
};

inline bool IsMetaField(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

}  // namespace berth::apiserver

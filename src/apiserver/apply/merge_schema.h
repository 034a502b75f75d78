#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "schema/describe.h"

namespace berth::apiserver {

// Merge semantics of a location in an object.
struct SchemaNode {
  enum class Shape : uint8_t {
    kAny,     // unknown: objects merge by member, lists are atomic
    kScalar,  // atomic
    kList,
    kMap,  // an object with fields or with arbitrary keys
  };

  Shape shape = Shape::kAny;
  bool is_atomic = false;              // a list or object that changes as a unit
  std::vector<std::string_view> keys;  // merge keys of a list of objects; empty for a set
  bool is_named = false;               // a named field rather than a map key

  // Private to the view: the location in its data.
  const void* place = nullptr;
  const void* detail = nullptr;
};

// The merge schema of a kind. Nodes are valid as long as the view.
class SchemaView {
 public:
  virtual ~SchemaView() = default;

  // The whole object including apiVersion, kind and metadata.
  virtual SchemaNode Root() const = 0;
  // A member of a kMap; nullopt if the schema does not know the field.
  virtual std::optional<SchemaNode> Member(const SchemaNode& map, std::string_view name) const = 0;
  // The element node of a kList.
  virtual SchemaNode Element(const SchemaNode& list) const = 0;
  // The default of a field of a kMap, which completes the merge key of elements that omit it. Null
  // if none.
  virtual json::value Default(const SchemaNode& map, std::string_view name) const = 0;
};

// The merge schema of a kind described in `api`.
class DescribedSchemaView final : public SchemaView {
 public:
  explicit DescribedSchemaView(const schema::Struct& (*structure)());

  SchemaNode Root() const override;
  std::optional<SchemaNode> Member(const SchemaNode& map, std::string_view name) const override;
  SchemaNode Element(const SchemaNode& list) const override;
  json::value Default(const SchemaNode& map, std::string_view name) const override;

  // The node of a described type, for views that reuse parts of it (metadata).
  static SchemaNode NodeOf(const schema::Type& type, const schema::Field* field);

 private:
  schema::Type root_;
};

}  // namespace berth::apiserver

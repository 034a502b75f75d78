#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"
#include "store/json.h"

namespace berth::apiserver {

namespace json = boost::json;

// What server-side apply must know of a place in an object: how what stands there merges.
struct SchemaNode {
  enum class Shape : uint8_t {
    kAny,     // whatever is there: objects merge by member, lists change as a whole
    kScalar,  // changes as a whole
    kList,
    kMap,  // an object, with fields or with free keys
  };

  Shape shape = Shape::kAny;
  bool is_atomic = false;              // a list or object that changes as a whole
  std::vector<std::string_view> keys;  // what tells the objects of a list apart; none: a set
  bool is_named = false;               // reached by the name of a field, not by a free key

  // The view's own: where in its data the node is.
  const void* place = nullptr;
  const void* detail = nullptr;
};

// The schema of a kind, as far as merging needs it. Nodes are good as long as the view is.
class SchemaView {
 public:
  virtual ~SchemaView() = default;

  // The object as a whole, apiVersion, kind and metadata included.
  virtual SchemaNode Root() const = 0;
  // A member of a kMap; nullopt if the schema has no such field.
  virtual std::optional<SchemaNode> Member(const SchemaNode& map, std::string_view name) const = 0;
  // The elements of a kList.
  virtual SchemaNode Element(const SchemaNode& list) const = 0;
  // The default of a field of a kMap, by which elements that leave out a key are told apart. Null
  // if it has none.
  virtual json::value Default(const SchemaNode& map, std::string_view name) const = 0;
};

// The schema of a kind that `api` describes.
class DescribedSchemaView final : public SchemaView {
 public:
  explicit DescribedSchemaView(const schema::Struct& (*structure)());

  SchemaNode Root() const override;
  std::optional<SchemaNode> Member(const SchemaNode& map, std::string_view name) const override;
  SchemaNode Element(const SchemaNode& list) const override;
  json::value Default(const SchemaNode& map, std::string_view name) const override;

  // A node for a described type, for views that borrow parts (metadata).
  static SchemaNode NodeOf(const schema::Type& type, const schema::Field* field);

 private:
  schema::Type root_;
};

}  // namespace berth::apiserver

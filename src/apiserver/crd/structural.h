#pragma once

// Structural schemas of CustomResourceDefinitions (openAPIV3Schema): the structural check, pruning,
// defaulting and validation. CEL rules (x-kubernetes-validations) are not evaluated.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/apply/merge_schema.h"
#include "apiserver/crd/pattern.h"
#include "json/json.h"
#include "schema/problem.h"

namespace berth::apiserver {

// Violations of the structural rules, worded as an API server does, sorted by field. `field` is the
// location of the schema: "spec.versions[0].schema.openAPIV3Schema".
schema::Problems CheckStructural(const json::value& openapi_schema, std::string_view field);

// A schema ready for use. Invalid parts of a schema are ignored. Immutable, so threads may share
// it.
class StructuralSchema {
 public:
  // Null accepts every field and prunes nothing.
  explicit StructuralSchema(std::shared_ptr<const json::value> openapi_schema);

  // Removes unknown fields and returns their paths, sorted: "spec.a[0].b"; not all if there are
  // very many. apiVersion, kind and metadata stay.
  std::vector<std::string> Prune(json::value& object) const;

  // Applies defaults at every depth, also in place of nulls that are not allowed. False, with the
  // object half done, if they have more bytes than this: short elements can have long defaults.
  [[nodiscard]] bool Default(json::value& object, size_t most_bytes) const;

  // All problems of the object except in metadata.
  schema::Problems Validate(const json::value& object) const;

  const json::value& openapi() const { return *schema_; }
  // Null if the schema has no pattern or an unusable one.
  const StructuralPattern* PatternOf(const json::object& schema) const;

 private:
  void CompilePatterns(const json::value& schema);

  std::shared_ptr<const json::value> schema_;
  std::map<const json::object*, StructuralPattern> patterns_;
};

// Server-side apply semantics of custom resources.
class StructuralSchemaView final : public SchemaView {
 public:
  explicit StructuralSchemaView(std::shared_ptr<const json::value> openapi_schema);

  SchemaNode Root() const override;
  std::optional<SchemaNode> Member(const SchemaNode& map, std::string_view name) const override;
  SchemaNode Element(const SchemaNode& list) const override;
  json::value Default(const SchemaNode& map, std::string_view name) const override;

 private:
  bool IsBorrowed(const SchemaNode& node) const;

  std::shared_ptr<const json::value> schema_;
  DescribedSchemaView metadata_;
};

}  // namespace berth::apiserver

#pragma once

// The schemas of CustomResourceDefinitions that users apply (openAPIV3Schema), as far as an API
// server uses them: is the schema structural, which fields does it not know, what are its defaults,
// and does a value fit. Rules in CEL (x-kubernetes-validations) are not evaluated.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/merge_schema.h"
#include "apiserver/structural_pattern.h"
#include "schema/problem.h"
#include "store/json.h"

namespace berth::apiserver {

// What keeps a schema from being structural, in the words of an API server, sorted by field.
// `field` is where the schema stands: "spec.versions[0].schema.openAPIV3Schema".
schema::Problems CheckStructural(const json::value& openapi_schema, std::string_view field);

// A schema that is ready for use. Ever so wrong a schema does no harm: parts that make no sense
// are passed over. Not changed by its use, so several threads may share it.
class StructuralSchema {
 public:
  // Null is the schema that knows nothing and prunes nothing.
  explicit StructuralSchema(std::shared_ptr<const json::value> openapi_schema);

  // Removes what the schema does not know, and tells what that was, sorted: "spec.a[0].b".
  // apiVersion, kind and metadata stay.
  std::vector<std::string> Prune(json::value& object) const;

  // Fills in defaults, at every depth, also where an object holds null and must not.
  void Default(json::value& object) const;

  // Everything that is wrong with the object, metadata aside.
  schema::Problems Validate(const json::value& object) const;

  const json::value& openapi() const { return *schema_; }
  // Null if the schema has no pattern there or one that cannot be used.
  const StructuralPattern* PatternOf(const json::object& schema) const;

 private:
  void CompilePatterns(const json::value& schema);

  std::shared_ptr<const json::value> schema_;
  std::map<const json::object*, StructuralPattern> patterns_;
};

// How objects of the definition merge on server-side apply.
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

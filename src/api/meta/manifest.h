#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "api/meta/object.h"
#include "api/meta/source.h"
#include "schema/problem.h"

// Reads objects from files.
namespace berth::api {

// An object of a text, or the problems found in its place.
struct Manifest {
  std::string api_version;  // as written; "" if unknown
  std::string kind;
  const schema::Kind* known = nullptr;  // null: unknown kind
  // The object, upgraded to the current version of its kind. Absent for unknown kinds and
  // undecodable text.
  std::optional<Object> object;
  Source source;
  // All problems found while reading, with their positions. Field paths are relative to the object,
  // for items of lists too.
  schema::Problems problems;

  // Also available for unknown kinds and broken objects, as far as it could be read.
  const ObjectMeta& metadata() const;

  ObjectMeta partial_metadata;  // used if there is no object
};

struct ReadOptions {
  std::string file = {};  // for error positions
  // Report unknown fields and missing required fields. Otherwise unknown fields are kept.
  bool is_strict = true;
  // Objects of this kind are read strictly in any case.
  const schema::Kind* strict_kind = nullptr;
};

// Reads all objects of a text: JSON (one or more values) or YAML (any number of documents). Lists,
// both `kind: List` and typed lists such as WorkloadList, are replaced by their items at any depth.
// Objects of previous API versions are upgraded. A document that is not an object yields a manifest
// without a kind and with problems. Reading stops after a syntax error.
std::vector<Manifest> ReadManifests(std::string_view text, const ReadOptions& options = {});

}  // namespace berth::api

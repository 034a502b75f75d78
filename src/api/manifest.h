#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/object.h"
#include "api/source.h"
#include "schema/problem.h"

// From files to objects.
namespace berth::api {

// One object of a text, or what stood in its place.
struct Manifest {
  std::string api_version;  // as written; "" if it could not be found out
  std::string kind;
  const schema::Kind* known = nullptr;  // null: Berth does not know this kind
  // The object, as today's version of its kind. Absent for unknown kinds and where the text cannot
  // be what it says it is.
  std::optional<Object> object;
  Source source;
  // Everything that was found wrong while reading, with its place. Fields are those of the object,
  // also where it stands in a list.
  schema::Problems problems;

  // Of unknown kinds and broken objects as well, as far as it could be read.
  const ObjectMeta& metadata() const;

  ObjectMeta partial_metadata;  // where there is no object to ask
};

struct ReadOptions {
  std::string file = {};  // for places
  // Unknown fields and missing required fields are problems. Otherwise unknown fields are kept.
  bool is_strict = true;
};

// Reads all objects of a text: JSON (one or several after each other) or YAML (any number of
// documents). Lists of objects, `kind: List` as well as WorkloadList and its like, are replaced by
// their items, at any depth. Objects of former API versions become today's. What is no object at
// all yields a manifest without a kind, with the problems that say why; after a syntax error
// nothing more of the text is read.
std::vector<Manifest> ReadManifests(std::string_view text, const ReadOptions& options = {});

}  // namespace berth::api

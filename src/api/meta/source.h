#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "schema/json/index.h"
#include "schema/yaml/to_json.h"

namespace berth::api {

// The JSON text of one object, with the mapping to its file.
struct Source {
  std::string file;
  std::string json;
  std::optional<schema::SourceMap> map;                // set if the file is YAML
  schema::TextPosition start{.line = 1, .column = 1};  // of the JSON, if the file is JSON

  // Position in the file of a byte of the JSON.
  base::Place PlaceOf(size_t offset) const;
};

// Finds the positions of fields in a source.
class Locator {
 public:
  // The source must outlive the locator.
  explicit Locator(const Source& source);

  // The position of a field such as "spec.resourceGroups[0].flavors[1].name" or
  // "metadata.labels[example.com/a]": of its value if that is a scalar or a list element, otherwise
  // of its key. For a missing field, the position of its nearest existing ancestor. The cost is
  // linear in the text up to the field.
  base::Place Find(std::string_view field) const;

 private:
  const Source& source_;
  schema::JsonIndex index_;
};

// Finds a single field.
base::Place Locate(const Source& source, std::string_view field);

}  // namespace berth::api

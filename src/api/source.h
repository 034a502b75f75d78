#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "schema/json_index.h"
#include "schema/yaml_to_json.h"

namespace berth::api {

// The text that one object was read from, as JSON, with the way back to its file.
struct Source {
  std::string file;
  std::string json;
  std::optional<schema::SourceMap> map;                // if the file is YAML
  schema::TextPosition start{.line = 1, .column = 1};  // of the JSON, if the file is JSON

  // Where a byte of the JSON stands in the file.
  base::Place PlaceOf(size_t offset) const;
};

// Finds the places of fields in one source.
class Locator {
 public:
  // The source must outlive the locator.
  explicit Locator(const Source& source);

  // The place of a field such as "spec.resourceGroups[0].flavors[1].name" or
  // "metadata.labels[example.com/a]": of its value if that is a scalar or stands in a list,
  // otherwise of its key. If the field is not there, the place of the nearest thing around it that
  // is. Costs a walk over the text of what it passes.
  base::Place Find(std::string_view field) const;

 private:
  const Source& source_;
  schema::JsonIndex index_;
};

// For a single field.
base::Place Locate(const Source& source, std::string_view field);

}  // namespace berth::api

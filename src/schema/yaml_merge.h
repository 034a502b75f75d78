#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "schema/yaml_to_json.h"

namespace berth::schema {

// Resolves the merge keys of the object that stands at the end of `json`, from `object` on. It was
// written by YamlReader with each merge as an entry "<<": {…} or "<<": [{…}, …]; `merges` has the
// offsets of those entries, in order. Afterwards the entries of the merged objects stand in the
// object itself. Of a merged entry and any other with the same key the later one stays; within a
// list the first object counts most. Keys written twice stay twice.
void ResolveMerges(std::string& json, SourceMap& map, size_t object,
                   std::span<const size_t> merges);

}  // namespace berth::schema

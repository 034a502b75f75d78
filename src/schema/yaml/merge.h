#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "schema/yaml/to_json.h"

namespace berth::schema {

// Resolves the merge keys of the object at the end of `json`, starting at `object`. YamlReader
// wrote each merge as an entry "<<": {…} or "<<": [{…}, …]; `merges` has the offsets of those
// entries, in order. Replaces them with the entries of the merged objects. Of a merged entry and
// any other with the same key the later one wins; within a list the first object has precedence.
// Explicit duplicates are kept.
void ResolveMerges(std::string& json, SourceMap& map, size_t object,
                   std::span<const size_t> merges);

}  // namespace berth::schema

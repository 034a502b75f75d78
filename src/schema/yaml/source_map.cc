#include <algorithm>
#include <iterator>

#include "schema/yaml/to_json.h"

namespace berth::schema {

SourceMap::Marks::const_iterator SourceMap::LowerBound(size_t json_offset) const {
  return std::ranges::lower_bound(marks_, json_offset, {}, &Mark::offset);
}

TextPosition SourceMap::Find(size_t json_offset) const {
  auto it = LowerBound(json_offset + 1);
  if (it == marks_.begin()) return {};
  --it;
  return {.line = static_cast<int>(it->line), .column = static_cast<int>(it->column)};
}

void SourceMap::Add(size_t json_offset, TextPosition position) {
  marks_.push_back({.offset = static_cast<uint32_t>(json_offset),
                    .line = static_cast<uint32_t>(position.line),
                    .column = static_cast<uint32_t>(position.column)});
}

SourceMap SourceMap::CutFrom(size_t json_offset) {
  SourceMap out;
  const auto first = LowerBound(json_offset);
  out.marks_.assign(first, marks_.cend());
  marks_.erase(first, marks_.cend());
  return out;
}

void SourceMap::AddMoved(const SourceMap& other, size_t begin, size_t end, size_t to) {
  Add(to, other.Find(begin));
  const auto last = other.LowerBound(end);
  for (auto it = other.LowerBound(begin + 1); it < last; ++it) {
    marks_.push_back(*it);
    marks_.back().offset = static_cast<uint32_t>(it->offset - begin + to);
  }
}

}  // namespace berth::schema

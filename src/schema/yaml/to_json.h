#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// YAML is converted to JSON text first, so that there is one decoder. Scalars resolve as in
// Kubernetes' tools (YAML 1.1): `yes` and `on` are booleans, `0755` and `0o755` are octal, `1_000`
// is a thousand, timestamps are strings, keys become strings. Anchors, aliases and `<<` merges are
// expanded. Keys keep their order.
//
// A duplicate key in one mapping is kept: the JSON decoder reports it with all other problems of
// the document. Merged keys never conflict: as in Kubernetes' tools, of a merged and an explicit
// key the later one wins.
namespace berth::schema {

// Lines and columns count from 1; columns count characters, not bytes.
struct TextPosition {
  int line = 0;
  int column = 0;

  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

// Maps JSON offsets to YAML positions: one mark per key and value, at the first byte of its JSON.
// Text from an alias maps to the alias.
class SourceMap {
 public:
  // The position of the key or value that contains the byte. O(log n). {0, 0} if there are no
  // marks.
  TextPosition Find(size_t json_offset) const;

  // Offsets must not decrease.
  void Add(size_t json_offset, TextPosition position);

  // Removes and returns the marks from the offset on.
  SourceMap CutFrom(size_t json_offset);

  // Adds the marks of another map's bytes [begin, end), which moved to `to`.
  void AddMoved(const SourceMap& other, size_t begin, size_t end, size_t to);

  size_t size() const { return marks_.size(); }

 private:
  struct Mark {
    uint32_t offset;
    uint32_t line;
    uint32_t column;
  };
  using Marks = std::vector<Mark>;

  // The first mark at or after the offset.
  Marks::const_iterator LowerBound(size_t json_offset) const;

  Marks marks_;
};

struct YamlDocument {
  std::string json;
  SourceMap map;
  int line = 0;  // of its first node
};

struct YamlOptions {
  std::string file = {};  // for the place of errors
  int max_depth = 256;    // nesting of mappings and lists, with aliases expanded

  // Aliases and merges may add this many bytes of JSON, or alias_ratio times the size of the text
  // if that is more. Otherwise a few lines of nested aliases could exhaust memory.
  size_t alias_bytes = 4 << 20;
  size_t alias_ratio = 10;
  size_t max_anchors = 100'000;  // per document
};

// Reads a stream of documents one at a time, so that only one is in memory. Empty documents (also
// with only comments) are skipped; an explicit `null` is a document.
class YamlReader {
 public:
  // The text must outlive the reader. UTF-8 (or UTF-16 with a byte order mark), any line breaks.
  explicit YamlReader(std::string_view text, YamlOptions options = {});
  YamlReader(YamlReader&&) noexcept;
  YamlReader& operator=(YamlReader&&) noexcept;
  ~YamlReader();

  // The next document; nullopt at the end of the text and after an error.
  base::Result<std::optional<YamlDocument>> Next();

 private:
  class Transcoder;
  std::unique_ptr<Transcoder> transcoder_;
};

// All documents at once.
base::Result<std::vector<YamlDocument>> YamlToJson(std::string_view text,
                                                   const YamlOptions& options = {});

}  // namespace berth::schema

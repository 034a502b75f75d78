#pragma once

#include <concepts>
#include <expected>
#include <functional>
#include <memory>
#include <string_view>

#include "schema/describe.h"
#include "schema/problem.h"

namespace berth::schema {

class JsonIndex;
class SourceMap;

struct DecodeOptions {
  // Report unknown fields and missing required fields. Otherwise unknown fields are kept.
  bool is_strict = false;
  // The text is an object of a previous API version, converted to the current one while decoding.
  bool is_previous = false;
  // The file name in problems.
  std::string_view file = {};
  // For JSON converted from YAML: maps problems to lines and columns of the YAML.
  const SourceMap* source_map = nullptr;
  // Maximum nesting of objects and lists that no description bounds.
  int max_depth = 256;
};

// Decodes JSON into described structs. Reports all problems of a text, up to the first syntax
// error. In both modes a duplicate key in one object is a problem (parsers disagree on which one
// counts), null is the same as absent, and `out` is valid only if there is no problem of type
// kSyntax or kTypeInvalid.
//
// Reuse one Decoder for many texts: it keeps its buffers. Not thread-safe.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // `out` points to a default-constructed value of the described struct.
  Problems Decode(std::string_view json, const Struct& type, void* out,
                  const DecodeOptions& options = {});
  // For an object with apiVersion and kind, which must be the kind's if present.
  Problems Decode(std::string_view json, const Kind& kind, void* out,
                  const DecodeOptions& options = {});

 private:
  // Returns false if the text needs the careful reader; `out` is then unchanged.
  bool TryFastPath(std::string_view json, const Struct& type, const Kind* kind, void* out,
                   const DecodeOptions& options);

  std::unique_ptr<JsonIndex> index_;
  std::vector<char> text_;
};

namespace internal {
template <class T>
concept HasKind = requires {
  { T::KindInfo() } -> std::convertible_to<const Kind&>;
};

template <class T>
Problems DecodeWith(Decoder& decoder, std::string_view json, T& out, const DecodeOptions& options) {
  if constexpr (HasKind<T>) {
    return decoder.Decode(json, T::KindInfo(), &out, options);
  } else {
    return decoder.Decode(json, T::Description(), &out, options);
  }
}
}  // namespace internal

template <class T>
std::expected<T, Problems> Decode(std::string_view json, const DecodeOptions& options = {}) {
  Decoder decoder;
  T value;
  Problems problems = internal::DecodeWith(decoder, json, value, options);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return value;
}

// Copies one JSON value in compact form, or returns the syntax error.
std::expected<std::string, Problem> CompactJson(std::string_view json, int max_depth = 256);

}  // namespace berth::schema

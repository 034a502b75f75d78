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
  // Unknown fields and missing required fields are problems. Otherwise unknown fields are kept.
  bool is_strict = false;
  // The text is an object of a former version of its API; it is turned into today's while read.
  bool is_former = false;
  // Named in problems.
  std::string_view file = {};
  // Of JSON that was made from YAML: problems tell the YAML's lines and columns.
  const SourceMap* source_map = nullptr;
  // How deep objects and lists that no description bounds may nest.
  int max_depth = 256;
};

// Reads JSON into described structs. All problems of a text are reported, not just the first,
// except that what follows a syntax error is not looked at. In both modes a key that stands twice
// in one object is a problem (parsers disagree on which one counts), null is the same as absent,
// and `out` is only good if there was no problem of type kSyntax or kTypeInvalid.
//
// Reuse one Decoder for many texts: it keeps its buffers. Not for several threads at once.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // `out` points at a default-constructed value of the described struct.
  Problems Decode(std::string_view json, const Struct& type, void* out,
                  const DecodeOptions& options = {});
  // The same for an object with apiVersion and kind, which must be the kind's where they are given.
  Problems Decode(std::string_view json, const Kind& kind, void* out,
                  const DecodeOptions& options = {});

 private:
  // Whether the text was as expected and has been read; if not, `out` is as it was.
  bool TryQuickly(std::string_view json, const Struct& type, const Kind* kind, void* out,
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

// Copies one JSON value in compact form, or says why it is not JSON.
std::expected<std::string, Problem> CompactJson(std::string_view json, int max_depth = 256);

}  // namespace berth::schema

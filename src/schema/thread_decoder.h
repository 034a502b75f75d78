#pragma once

#include <expected>
#include <string_view>
#include <utility>

#include "schema/decode.h"

namespace berth::schema {

// The calling thread's Decoder, which keeps its buffers between texts. Not reentrant: must not be
// used in callbacks of a decode, such as Struct::upgrade.
Decoder& ThreadDecoder();

// Like Decode, with ThreadDecoder().
template <class T>
std::expected<T, Problems> DecodeHere(std::string_view json, const DecodeOptions& options = {}) {
  T value;
  Problems problems = internal::DecodeWith(ThreadDecoder(), json, value, options);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return value;
}

}  // namespace berth::schema

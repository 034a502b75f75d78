#pragma once

#include <expected>
#include <string_view>
#include <utility>

#include "schema/decode.h"

namespace berth::schema {

// A Decoder of the calling thread, whose buffers stay from one text to the next. Not for what is
// called while one reads: Struct::upgrade and the like.
Decoder& ThreadDecoder();

// As Decode, with that one.
template <class T>
std::expected<T, Problems> DecodeHere(std::string_view json, const DecodeOptions& options = {}) {
  T value;
  Problems problems = internal::DecodeWith(ThreadDecoder(), json, value, options);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return value;
}

}  // namespace berth::schema

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/yaml/to_json.h"

namespace berth::schema {

// A JSON text with the offsets of its tokens: simdjson's first stage, which also verifies that the
// text is UTF-8, that every string is terminated and contains no control characters. Token contents
// and grammar are checked by the reader of the index.
//
// Needs about five bytes of memory per byte of text. Reuse one for many texts. Not thread-safe.
class JsonIndex {
 public:
  struct Fault {
    std::string message;
    size_t offset;
  };

  JsonIndex();
  ~JsonIndex();
  JsonIndex(JsonIndex&&) noexcept;
  JsonIndex& operator=(JsonIndex&&) noexcept;

  // Copies the text. Nullopt on success.
  std::optional<Fault> Build(std::string_view text);

  std::string_view text() const { return {text_.data(), size_}; }
  size_t token_count() const { return count_; }
  // The offset of a token's first character; behind the last token, the length of the text.
  size_t offset(size_t token) const { return token < count_ ? tokens_[token] : size_; }
  // The first character of a token; NUL behind the last.
  char first(size_t token) const { return token < count_ ? text_[tokens_[token]] : '\0'; }
  // The whole token: a scalar or string, from its first character to its last.
  std::string_view token(size_t token) const;

 private:
  struct Stage1;
  std::unique_ptr<Stage1> stage1_;
  std::vector<char> text_;  // padded for simdjson
  size_t size_ = 0;
  size_t count_ = 0;
  const uint32_t* tokens_ = nullptr;
};

// The line and column of a byte, in characters.
TextPosition PositionInText(std::string_view text, size_t offset);

bool IsUtf8(std::string_view text);

// Whether the text is a JSON number.
bool IsJsonNumber(std::string_view text);

// The value of a JSON string token with its quotes. Nullopt if an escape is invalid.
std::optional<std::string> UnescapeJsonString(std::string_view token);

}  // namespace berth::schema

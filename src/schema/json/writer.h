#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/json/text.h"

namespace berth::schema {

// Writes JSON text incrementally, for documents without a description. Inserts commas; the caller
// must alternate keys and values and match brackets.
//
//   JsonWriter w;
//   w.BeginObject().Key("items").BeginArray().Value("a").Value(1).EndArray().EndObject();
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  JsonWriter& Key(std::string_view key) {
    Separate();
    AppendJsonString(out_, key);
    out_ += ':';
    needs_comma_ = false;
    return *this;
  }

  JsonWriter& Value(std::string_view text) {
    Separate();
    AppendJsonString(out_, text);
    return *this;
  }
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  template <std::integral T>
  JsonWriter& Value(T number) {
    Separate();
    if constexpr (std::same_as<T, bool>) {
      out_ += number ? "true" : "false";
    } else {
      AppendInt(out_, static_cast<int64_t>(number));
    }
    return *this;
  }
  // Valid JSON text.
  JsonWriter& Raw(std::string_view json) {
    Separate();
    out_ += json;
    return *this;
  }

  template <class T>
  JsonWriter& Member(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

  const std::string& text() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  void Separate() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
  }
  JsonWriter& Open(char bracket) {
    Separate();
    out_ += bracket;
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    out_ += bracket;
    needs_comma_ = true;
    return *this;
  }

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace berth::schema

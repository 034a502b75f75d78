#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::journal {

// Appends values to a record.
class WireWriter {
 public:
  explicit WireWriter(std::string& out) : out_(out) {}

  void Byte(uint8_t value) { out_.push_back(static_cast<char>(value)); }
  // Seven bits a byte, lowest first.
  void Number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) Byte(static_cast<uint8_t>(value | 0x80));
    Byte(static_cast<uint8_t>(value));
  }
  void Signed(int64_t value) {
    Number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void Text(std::string_view text) {
    Number(text.size());
    out_.append(text);
  }

 private:
  std::string& out_;
};

// Takes values from a record. What is missing reads as 0 or "", and is_ok becomes false.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  bool is_ok() const { return is_ok_; }
  bool is_at_end() const { return rest_.empty(); }

  uint8_t Byte() {
    if (rest_.empty()) return Fail();
    const auto value = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  uint64_t Number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return Fail();
  }
  int64_t Signed() {
    const uint64_t value = Number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  std::string_view Text() {
    const uint64_t size = Number();
    if (size > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

 private:
  uint8_t Fail() {
    is_ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool is_ok_ = true;
};

}  // namespace berth::journal

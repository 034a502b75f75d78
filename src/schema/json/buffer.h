#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace berth::schema {

// A growing text buffer for fast JSON output: one capacity check per piece, inline while it fits.
class JsonBuffer {
 public:
  // Spare capacity that is always available behind the end.
  static constexpr size_t kSlack = 32;

  JsonBuffer() { Grow(4096); }
  JsonBuffer(const JsonBuffer&) = delete;
  JsonBuffer& operator=(const JsonBuffer&) = delete;

  size_t size() const { return static_cast<size_t>(at_ - data_.get()); }
  std::string_view text() const { return {data_.get(), size()}; }
  void Clear() { at_ = data_.get(); }
  // Discards the text behind this size.
  void CutTo(size_t size) { at_ = data_.get() + size; }

  void Put(char c) {
    *at_++ = c;
    MakeRoom(0);
  }
  void Put(std::string_view text) {
    MakeRoom(text.size());
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  // Precondition: kSlack bytes behind the text are readable.
  void PutPadded(std::string_view text) {
    MakeRoom(text.size());
    std::memcpy(at_, text.data(), kSlack);
    if (text.size() > kSlack) std::memcpy(at_ + kSlack, text.data() + kSlack, text.size() - kSlack);
    at_ += text.size();
  }
  template <std::integral Integer>
  void PutNumber(Integer value) {
    at_ = std::to_chars(at_, at_ + kSlack, value).ptr;
    MakeRoom(0);
  }
  // Writes up to `size` characters: `write` gets the position and returns the end.
  template <class Write>
  void PutAtMost(size_t size, const Write& write) {
    MakeRoom(size);
    at_ = write(at_);
  }
  // A JSON string with quotes and escapes.
  void PutString(std::string_view text);

 private:
  void MakeRoom(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size + kSlack) [[unlikely]]
      Grow(size);
  }
  void Grow(size_t more);

  std::unique_ptr<char[]> data_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace berth::schema

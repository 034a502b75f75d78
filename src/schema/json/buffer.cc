#include "schema/json/buffer.h"

#include <algorithm>
#include <cstdint>

#include "schema/json/text.h"

namespace berth::schema {
namespace {

// Copies words from the front; the last one may overlap the one before. Returns true if a byte must
// be escaped.
template <class Word>
bool CopyWords(char* to, const char* from, size_t size) {
  bool is_dirty = false;
  const auto copy = [&](size_t i) {
    Word word;
    std::memcpy(&word, from + i, sizeof word);
    std::memcpy(to + i, &word, sizeof word);
    is_dirty |= HoldsSpecial(word);
  };
  for (size_t i = 0; i + sizeof(Word) < size; i += sizeof(Word)) copy(i);
  copy(size - sizeof(Word));
  return is_dirty;
}

bool CopyText(char* to, std::string_view text) {
  if (text.size() >= sizeof(uint64_t)) return CopyWords<uint64_t>(to, text.data(), text.size());
  if (text.size() >= sizeof(uint32_t)) return CopyWords<uint32_t>(to, text.data(), text.size());
  bool is_dirty = false;
  for (size_t i = 0; i < text.size(); ++i) {
    to[i] = text[i];
    is_dirty |= NeedsEscape(text[i]);
  }
  return is_dirty;
}

}  // namespace

void JsonBuffer::PutString(std::string_view text) {
  MakeRoom(text.size() + 2);
  *at_ = '"';
  if (CopyText(at_ + 1, text)) {
    std::string escaped;
    AppendJsonString(escaped, text);
    return Put(escaped);
  }
  at_ += text.size() + 2;
  at_[-1] = '"';
}

void JsonBuffer::Grow(size_t more) {
  const size_t used = size();
  const size_t capacity = std::max(2 * used, used + more) + 2 * kSlack;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (used > 0) std::memcpy(larger.get(), data_.get(), used);
  data_ = std::move(larger);
  at_ = data_.get() + used;
  end_ = data_.get() + capacity;
}

}  // namespace berth::schema

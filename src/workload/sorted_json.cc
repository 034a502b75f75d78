#include "workload/sorted_json.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace berth::workload {
namespace {

// Reads one value after the other. Invalid JSON is read up to its end without an error.
class Sorter {
 public:
  explicit Sorter(std::string_view text) : text_(text) {}

  std::string Value() {
    switch (Peek()) {
      case '{':
        return Members('{', '}', /*is_sorted=*/true);
      case '[':
        return Members('[', ']', /*is_sorted=*/false);
      case '"':
        return String();
      default:
        return Scalar();
    }
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  std::string String() {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string Scalar() {
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of(",]}", at_), text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  // An object's member is its key, a colon and a value; a list's is a value.
  std::string Member() {
    std::string member = Value();
    if (Take(':')) member += ":" + Value();
    return member;
  }

  std::string Members(char open, char close, bool is_sorted) {
    std::vector<std::string> members;
    Take(open);
    while (at_ < text_.size() && !Take(close)) {
      members.push_back(Member());
      if (!Take(',') && Peek() != close) break;
    }
    if (is_sorted) std::ranges::sort(members);
    std::string text(1, open);
    for (const std::string& member : members) text += (text.size() == 1 ? "" : ",") + member;
    return text + close;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string SortedJson(std::string_view compact) { return Sorter(compact).Value(); }

}  // namespace berth::workload

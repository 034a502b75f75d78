#include "ctl/json_path.h"

#include <utility>

#include "base/text.h"

namespace berth::ctl {
namespace {

constexpr std::string_view kRange = "range";

// The text between quotes, with the escapes \n, \t, \" and \\.
std::string Unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return out;
}

std::string ValueText(const json::value& value) {
  return value.is_string() ? std::string(json::View(value.get_string())) : json::Print(value);
}

}  // namespace

class JsonPath::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<std::vector<Part>> Parse() {
    auto parts = ParseParts(0);
    if (parts && at_ < text_.size()) return base::Fail("{end} without {range}", Hint());
    return parts;
  }

 private:
  static std::string Hint() {
    return "write it like {.metadata.name} or {range .items[*]}{.metadata.name}{\"\\n\"}{end}";
  }

  // Up to the end of the text or of the loop; then `at_` is behind it.
  base::Result<std::vector<Part>> ParseParts(int depth) {
    std::vector<Part> parts;
    if (depth > kMostLoops) return base::Fail("too many loops in each other");
    while (at_ < text_.size()) {
      const size_t open = std::min(text_.find('{', at_), text_.size());
      if (open > at_) parts.push_back({.text = std::string(text_.substr(at_, open - at_))});
      at_ = open;
      if (at_ == text_.size()) break;
      const size_t close = End(at_ + 1);
      if (close == std::string_view::npos) return base::Fail("{ without }", Hint());
      const std::string_view inside = base::Trimmed(text_.substr(at_ + 1, close - at_ - 1));
      if (inside == "end") {
        if (depth == 0) return parts;
        at_ = close + 1;
        has_ended_ = true;
        return parts;
      }
      at_ = close + 1;
      auto part = ParsePart(inside, depth);
      if (!part) return std::unexpected(part.error());
      parts.push_back(std::move(*part));
    }
    return parts;
  }

  // The brace that closes, outside of quotes.
  size_t End(size_t from) const {
    char quote = 0;
    for (size_t i = from; i < text_.size(); ++i) {
      if (quote != 0) {
        if (text_[i] == '\\')
          ++i;
        else if (text_[i] == quote)
          quote = 0;
      } else if (text_[i] == '"' || text_[i] == '\'') {
        quote = text_[i];
      } else if (text_[i] == '}') {
        return i;
      }
    }
    return std::string_view::npos;
  }

  base::Result<Part> ParsePart(std::string_view inside, int depth) {
    const bool is_quoted = inside.size() >= 2 && inside.front() == inside.back() &&
                           (inside.front() == '"' || inside.front() == '\'');
    if (is_quoted) return Part{.text = Unescaped(inside.substr(1, inside.size() - 2))};
    const bool is_loop = inside.starts_with(kRange);
    std::string_view path = is_loop ? base::Trimmed(inside.substr(kRange.size())) : inside;
    if (path.starts_with('$') || path.starts_with('@')) path.remove_prefix(1);
    Part part{.is_loop = is_loop};
    auto parsed = apiserver::TablePath::Parse(path);
    if (!parsed) return std::unexpected(parsed.error());
    part.path = std::move(*parsed);
    if (!is_loop) return part;
    has_ended_ = false;
    auto parts = ParseParts(depth + 1);
    if (!parts) return std::unexpected(parts.error());
    if (!has_ended_) return base::Fail("{range} without {end}", Hint());
    part.parts = std::move(*parts);
    return part;
  }

  static constexpr int kMostLoops = 32;

  std::string_view text_;
  size_t at_ = 0;
  bool has_ended_ = false;
};

base::Result<JsonPath> JsonPath::Parse(std::string_view text) {
  // kubectl takes a bare path as one in braces.
  std::string whole(text);
  if (text.find('{') == std::string_view::npos && !text.empty())
    whole = (text.starts_with('.') || text.starts_with('$') ? "{" : "{.") + whole + "}";
  auto parts = Parser(whole).Parse();
  if (!parts)
    return base::Fail("jsonpath " + std::string(text) + ": " + parts.error().message,
                      parts.error().hint);
  JsonPath path;
  path.parts_ = std::move(*parts);
  return path;
}

std::string JsonPath::Print(const json::value& object) const {
  std::string out;
  Print(parts_, object, out);
  return out;
}

void JsonPath::Print(const std::vector<Part>& parts, const json::value& object, std::string& out) {
  for (const Part& part : parts) {
    out += part.text;
    if (!part.path) continue;
    bool is_first = true;
    for (const json::value* found : part.path->Find(object)) {
      if (part.is_loop) {
        Print(part.parts, *found, out);
        continue;
      }
      if (!is_first) out += ' ';
      out += ValueText(*found);
      is_first = false;
    }
  }
}

}  // namespace berth::ctl

#include "schema/json/index.h"

#include <simdjson.h>

#include <cstring>
#include <limits>

namespace berth::schema {

struct JsonIndex::Stage1 {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  size_t capacity = 0;
};

JsonIndex::JsonIndex() : stage1_(std::make_unique<Stage1>()) {}
JsonIndex::~JsonIndex() = default;
JsonIndex::JsonIndex(JsonIndex&&) noexcept = default;
JsonIndex& JsonIndex::operator=(JsonIndex&&) noexcept = default;

namespace {

std::string Describe(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "the text is not valid UTF-8; save the file as UTF-8";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed; add the missing \"";
    case simdjson::UNESCAPED_CHARS:
      return "a string holds a control character; write it as an escape such as \\n";
    case simdjson::EMPTY:
      return "the text is empty";
    case simdjson::MEMALLOC:
      return "not enough memory to read the text";
    default:
      return "the text cannot be read as JSON";
  }
}

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The offset of the first invalid UTF-8 byte, or the length.
size_t FirstBadUtf8(std::string_view text) {
  size_t good = 0, bad = text.size();
  if (simdjson::validate_utf8(text.data(), text.size())) return text.size();
  while (good + 1 < bad) {  // a valid prefix may end inside a character, so step back to its start
    size_t middle = good + (bad - good) / 2;
    while (middle > good && (static_cast<unsigned char>(text[middle]) & 0xC0) == 0x80) --middle;
    if (middle == good) break;
    (simdjson::validate_utf8(text.data(), middle) ? good : bad) = middle;
  }
  return good;
}

// The start of the first string that is unterminated or contains a control character.
size_t FirstBadString(std::string_view text) {
  size_t start = 0;
  bool is_inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is_inside) {
      if (c == '"') is_inside = true, start = i;
    } else if (c == '\\') {
      ++i;
    } else if (c == '"') {
      is_inside = false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return i;
    }
  }
  return is_inside ? start : text.size();
}

size_t FaultOffset(simdjson::error_code error, std::string_view text) {
  if (error == simdjson::UTF8_ERROR) return FirstBadUtf8(text);
  if (error == simdjson::UNCLOSED_STRING || error == simdjson::UNESCAPED_CHARS)
    return FirstBadString(text);
  return 0;
}

}  // namespace

std::optional<JsonIndex::Fault> JsonIndex::Build(std::string_view text) {
  count_ = 0;
  size_ = 0;
  if (text.size() > std::numeric_limits<uint32_t>::max() / 2)
    return Fault{"the text is larger than 2 GiB; split it", 0};
  if (text_.size() < text.size() + simdjson::SIMDJSON_PADDING)
    text_.resize(text.size() + simdjson::SIMDJSON_PADDING);
  std::memcpy(text_.data(), text.data(), text.size());
  std::memset(text_.data() + text.size(), ' ', simdjson::SIMDJSON_PADDING);

  simdjson::error_code error = simdjson::SUCCESS;
  if (!stage1_->parser || stage1_->capacity < text.size()) {
    const size_t capacity = std::max<size_t>(text.size(), 4096);
    error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, 1, stage1_->parser);
    stage1_->capacity = error ? 0 : capacity;
  }
  if (!error) {
    error = stage1_->parser->stage1(reinterpret_cast<const uint8_t*>(text_.data()), text.size(),
                                    simdjson::stage1_mode::regular);
  }
  if (error) return Fault{Describe(error), FaultOffset(error, text)};
  size_ = text.size();
  count_ = stage1_->parser->n_structural_indexes;
  tokens_ = stage1_->parser->structural_indexes.get();
  return std::nullopt;
}

std::string_view JsonIndex::token(size_t token) const {
  const size_t begin = offset(token);
  size_t end = offset(token + 1);
  while (end > begin && IsSpace(text_[end - 1])) --end;
  return {text_.data() + begin, end - begin};
}

TextPosition PositionInText(std::string_view text, size_t offset) {
  TextPosition position{.line = 1, .column = 1};
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++position.column;
    }
  }
  return position;
}

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

bool IsJsonNumber(std::string_view text) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t from = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - from;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const size_t whole_at = i;
  const size_t whole = digits();
  if (whole == 0 || (whole > 1 && text[whole_at] == '0')) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of the four hex digits after "\u"; -1 if malformed.
int32_t HexUnit(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int32_t unit = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = HexDigit(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

void AppendUtf8(std::string& out, uint32_t c) {
  const auto byte = [&](uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
        byte(0x80 | (c & 0x3F));
  }
}

// Appends the character of "\uXXXX" or of a surrogate pair at `at` (behind the 'u') and returns the
// offset behind it; 0 if malformed. A lone surrogate becomes U+FFFD, as in Go.
size_t AppendUnicodeEscape(std::string& out, std::string_view text, size_t at) {
  const int32_t unit = HexUnit(text, at);
  if (unit < 0) return 0;
  at += 4;
  if (unit < 0xD800 || unit > 0xDFFF) {
    AppendUtf8(out, static_cast<uint32_t>(unit));
    return at;
  }
  if (unit < 0xDC00 && text.substr(at, 2) == "\\u") {
    const int32_t low = HexUnit(text, at + 2);
    if (low < 0) return 0;
    if (low >= 0xDC00 && low <= 0xDFFF) {
      AppendUtf8(out, static_cast<uint32_t>(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)));
      return at + 6;
    }
  }
  AppendUtf8(out, 0xFFFD);
  return at;
}

char PlainEscape(char c) {
  switch (c) {
    case '"':
      return '"';
    case '\\':
      return '\\';
    case '/':
      return '/';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

}  // namespace

std::optional<std::string> UnescapeJsonString(std::string_view token) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return std::nullopt;
  const std::string_view text = token.substr(1, token.size() - 2);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t escape = std::min(text.find('\\', i), text.size());
    out.append(text, i, escape - i);
    if (escape == text.size()) break;
    if (escape + 1 == text.size()) return std::nullopt;
    const char kind = text[escape + 1];
    if (kind == 'u') {
      i = AppendUnicodeEscape(out, text, escape + 2);
      if (i == 0) return std::nullopt;
    } else {
      const char plain = PlainEscape(kind);
      if (plain == '\0') return std::nullopt;
      out += plain;
      i = escape + 2;
    }
  }
  return out;
}

}  // namespace berth::schema

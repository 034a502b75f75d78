#include "schema/yaml/writer.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "schema/json/index.h"
#include "schema/yaml/scalar.h"
#include "schema/yaml/style.h"

namespace berth::schema {
namespace {

constexpr int kMaxDepth = 256;
constexpr size_t kIndent = 2;
// Readers require the `:` of a key within 1024 characters.
constexpr size_t kMaxSimpleKey = 1000;

// The position of a node.
struct NodePosition {
  size_t column;       // of mapping entries
  size_t list_column;  // of list dashes
  bool is_after_key;   // otherwise at the start, or behind a dash
};

constexpr NodePosition kRoot = {.column = 0, .list_column = 0, .is_after_key = false};

// Walks the tokens. Every step returns false once the error is set.
class YamlWriter {
 public:
  explicit YamlWriter(const JsonIndex& json) : json_(json) {}

  bool WriteDocument();
  base::Result<std::string> Take() &&;

 private:
  bool WriteNode(NodePosition position);
  bool WriteMapping(NodePosition position);
  bool WriteList(NodePosition position);
  bool WriteScalar(NodePosition position);
  bool WriteNumber(std::string_view token);
  void WriteString(std::string_view text, NodePosition position);
  void WriteKey(std::string_view key, size_t column);

  void BeginEntry(bool is_first, size_t column, NodePosition position);
  void WriteEmpty(std::string_view brackets, NodePosition position);

  char Peek() const { return json_.first(at_); }
  // Consumes the token if it is this character.
  bool Accept(char c);
  bool Expect(char c);
  // After an entry: a comma (*has_more) or the closing bracket.
  bool EndEntry(char closing, bool* has_more);
  std::optional<std::string> TakeString();
  bool Fail(std::string message);

  const JsonIndex& json_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string out_;
  base::Error error_;
};

bool YamlWriter::Fail(std::string message) {
  const TextPosition position = PositionInText(json_.text(), json_.offset(at_));
  error_ = {.message = std::move(message),
            .hint = {},
            .place = {.file = {}, .line = position.line, .column = position.column}};
  return false;
}

bool YamlWriter::Accept(char c) {
  if (Peek() != c) return false;
  ++at_;
  return true;
}

bool YamlWriter::Expect(char c) {
  return Accept(c) || Fail(std::string("the JSON is malformed: `") + c + "` is expected here");
}

bool YamlWriter::EndEntry(char closing, bool* has_more) {
  *has_more = Accept(',');
  return *has_more || Expect(closing);
}

std::optional<std::string> YamlWriter::TakeString() {
  auto text = UnescapeJsonString(json_.token(at_));
  if (text) {
    ++at_;
  } else {
    Fail("the JSON is malformed: a string is expected here");
  }
  return text;
}

bool YamlWriter::WriteDocument() {
  if (!WriteNode(kRoot)) return false;
  return at_ == json_.token_count() || Fail("the JSON is malformed: text follows the value");
}

base::Result<std::string> YamlWriter::Take() && {
  if (error_.message.empty()) return std::move(out_);
  return std::unexpected(std::move(error_));
}

bool YamlWriter::WriteNode(NodePosition position) {
  const bool is_mapping = Peek() == '{';
  if (!is_mapping && Peek() != '[') return WriteScalar(position);
  if (++depth_ > kMaxDepth) return Fail("the JSON is nested deeper than 256 levels");
  ++at_;
  const bool is_good = is_mapping ? WriteMapping(position) : WriteList(position);
  --depth_;
  return is_good;
}

// The first entry of a collection follows a dash on the same line, and a key on the next line.
void YamlWriter::BeginEntry(bool is_first, size_t column, NodePosition position) {
  if (is_first && position.is_after_key) out_ += '\n';
  if (!is_first || position.is_after_key) out_.append(column, ' ');
}

void YamlWriter::WriteEmpty(std::string_view brackets, NodePosition position) {
  if (position.is_after_key) out_ += ' ';
  out_ += brackets;
  out_ += '\n';
}

bool YamlWriter::WriteMapping(NodePosition position) {
  if (Accept('}')) {
    WriteEmpty("{}", position);
    return true;
  }
  const NodePosition child{
      .column = position.column + kIndent, .list_column = position.column, .is_after_key = true};
  bool is_first = true, has_more = true;
  while (has_more) {
    const auto key = TakeString();
    if (!key || !Expect(':')) return false;
    BeginEntry(std::exchange(is_first, false), position.column, position);
    WriteKey(*key, position.column);
    if (!WriteNode(child) || !EndEntry('}', &has_more)) return false;
  }
  return true;
}

bool YamlWriter::WriteList(NodePosition position) {
  if (Accept(']')) {
    WriteEmpty("[]", position);
    return true;
  }
  const size_t column = position.list_column + kIndent;
  const NodePosition child{.column = column, .list_column = column, .is_after_key = false};
  bool is_first = true, has_more = true;
  while (has_more) {
    BeginEntry(std::exchange(is_first, false), position.list_column, position);
    out_ += "- ";
    if (!WriteNode(child) || !EndEntry(']', &has_more)) return false;
  }
  return true;
}

void YamlWriter::WriteKey(std::string_view key, size_t column) {
  const size_t begin = out_.size();
  AppendYamlString(out_, key);
  if (out_.size() - begin > kMaxSimpleKey) {
    out_.insert(begin, "? ");
    out_ += '\n';
    out_.append(column, ' ');
  }
  out_ += ':';
}

bool YamlWriter::WriteScalar(NodePosition position) {
  if (position.is_after_key) out_ += ' ';
  if (Peek() == '"') {
    const auto text = TakeString();
    if (text) WriteString(*text, position);
    return text.has_value();
  }
  const std::string_view token = json_.token(at_);
  if (token == "true" || token == "false" || token == "null") {
    out_ += token;
  } else if (!WriteNumber(token)) {
    return false;
  }
  out_ += '\n';
  ++at_;
  return true;
}

bool YamlWriter::WriteNumber(std::string_view token) {
  if (!IsJsonNumber(token)) return Fail("the JSON is malformed: a value is expected here");
  if (ResolvePlain(token).kind == YamlScalar::Kind::kString) {
    return Fail("the number is out of range");
  }
  // YAML's -0 is an integer without sign; only the float preserves it.
  out_ += token == "-0" ? "-0.0" : token;
  return true;
}

void YamlWriter::WriteString(std::string_view text, NodePosition position) {
  if (StyleOf(text) == YamlStyle::kLiteral) {
    AppendYamlLiteral(out_, text, position.column == 0 ? kIndent : position.column);
  } else {
    AppendYamlString(out_, text);
    out_ += '\n';
  }
}

}  // namespace

base::Result<std::string> JsonToYaml(std::string_view json) {
  JsonIndex index;
  if (auto fault = index.Build(json)) {
    const TextPosition position = PositionInText(json, fault->offset);
    return std::unexpected(
        base::Error{.message = std::move(fault->message),
                    .hint = {},
                    .place = {.file = {}, .line = position.line, .column = position.column}});
  }
  YamlWriter writer(index);
  writer.WriteDocument();
  return std::move(writer).Take();
}

}  // namespace berth::schema

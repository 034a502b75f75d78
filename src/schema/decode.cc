#include "schema/decode.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "schema/decode_messages.h"
#include "schema/json/index.h"
#include "schema/json/quick_reader.h"
#include "schema/report_limit.h"
#include "schema/scalar.h"
#include "schema/yaml/to_json.h"

namespace berth::schema {
namespace {

constexpr size_t kMaxFields = 128;
using FieldSet = std::bitset<kMaxFields>;

class Reader {
 public:
  Reader(const JsonIndex& index, const DecodeOptions& options, Problems& problems)
      : index_(index), options_(options), problems_(problems) {}

  void ReadRoot(const Struct& type, void* out, const Kind* kind) {
    kind_ = kind;
    root_ = &type;
    if (index_.first(at_) != '{') {
      Report(ProblemType::kSyntax, "expected an object, found " + Found(index_.token(at_)));
      return;
    }
    if (!ReadStruct(type, out, true)) return;
    if (at_ < index_.token_count())
      Report(ProblemType::kSyntax,
             "more text after the end of the object: " + Found(index_.token(at_)));
  }

  // Validates and copies one whole value.
  void CopyRoot(std::string& out) {
    if (CopyValue(kAnything, out, 0) && at_ < index_.token_count())
      Report(ProblemType::kSyntax, "more text after the end of the value");
  }

 private:
  static constexpr Type kAnything{.shape = Shape::kJson};

  // Each Read function leaves at_ behind the value and returns false only after a syntax error,
  // which is fatal.

  bool ReadStruct(const Struct& type, void* self, bool is_root = false) {
    FieldSet seen;
    size_t expected = 0;  // encoders keep the order of fields, so the next one is likely
    std::string* extra = &type.extra(self)->members;
    std::set<std::string_view> unknown;
    const bool ok = ReadObject([&](size_t key_token) {
      const std::string_view raw = index_.token(key_token);
      const std::string_view inner = raw.substr(1, raw.size() - 2);
      const std::optional<size_t> known = FindField(type, inner, expected);
      if (is_root && !known && (inner == "apiVersion" || inner == "kind"))
        return ReadTypeMeta(inner, key_token);
      if (!known) return ReadUnknown(type, key_token, unknown, *extra);
      const Field& field = type.fields[*known];
      if (seen[*known]) ReportDuplicate(key_token, field.name);
      seen.set(*known);
      path_.Push(field.name);
      const bool went_on = field.member != nullptr ? ReadMember(field, field.member(self))
                                                   : ReadCarried(field, raw, *extra);
      path_.Pop();
      return went_on;
    });
    if (!ok) return false;
    if (options_.is_strict) ReportMissing(type, seen, is_root);
    if (options_.is_previous && type.upgrade != nullptr) type.upgrade(self);
    return true;
  }

  // Calls entry(token of the key), with at_ on the first token of the value, for each member.
  template <class Entry>
  bool ReadObject(Entry entry) {
    ++at_;  // '{'
    if (index_.first(at_) == '}') return ++at_, true;
    while (true) {
      const size_t key_token = at_;
      if (index_.first(at_) != '"') return SyntaxError("expected a key in quotes");
      if (index_.first(at_ + 1) != ':') {
        ++at_;
        return SyntaxError("expected ':' after the key " + std::string(index_.token(key_token)));
      }
      at_ += 2;
      if (!entry(key_token)) return false;
      const char next = index_.first(at_);
      if (next != ',' && next != '}') return SyntaxError("expected ',' or '}'");
      ++at_;
      if (next == '}') return true;
    }
  }

  template <class Element>
  bool ReadArray(Element element) {
    ++at_;  // '['
    if (index_.first(at_) == ']') return ++at_, true;
    for (size_t i = 0;; ++i) {
      if (!element(i)) return false;
      const char next = index_.first(at_);
      if (next != ',' && next != ']') return SyntaxError("expected ',' or ']'");
      ++at_;
      if (next == ']') return true;
    }
  }

  std::optional<size_t> FindField(const Struct& type, std::string_view key, size_t& expected) {
    const size_t n = type.fields.size();
    for (size_t step = 0, i = expected; step < n; ++step, i = i + 1 == n ? 0 : i + 1) {
      const Field& field = type.fields[i];
      if (!IsNamed(field, key)) continue;
      expected = i + 1 == n ? 0 : i + 1;
      return i;
    }
    if (key.find('\\') == std::string_view::npos) return std::nullopt;
    const std::optional<std::string> plain = UnescapeJsonString("\"" + std::string(key) + "\"");
    return plain && *plain != key ? FindField(type, *plain, expected) : std::nullopt;
  }

  bool IsNamed(const Field& field, std::string_view key) const {
    if (!options_.is_previous) return field.name == key && !field.is_previous;
    if (field.is_new) return false;
    return (field.previous_name.empty() ? field.name : field.previous_name) == key;
  }

  bool ReadTypeMeta(std::string_view name, size_t key_token) {
    std::string value;
    path_.Push(name);
    const bool went_on = ReadScalar(Shape::kString, &value);
    path_.Pop();
    bool& seen = name == "kind" ? seen_kind_ : seen_api_version_;
    if (seen) ReportDuplicate(key_token, name);
    seen = true;
    if (kind_ == nullptr || !went_on) return went_on;
    const std::string wanted = name == "kind" ? std::string(kind_->kind) : kind_->ApiVersion();
    if (value == wanted || (name == "apiVersion" && options_.is_previous)) return true;
    path_.Push(name);
    ReportAt(key_token, ProblemType::kInvalid,
             "expected " + Quoted(wanted) + ", found " + Quoted(value));
    path_.Pop();
    return true;
  }

  // `others`: the raw keys of the struct's unknown members so far.
  bool ReadUnknown(const Struct& type, size_t key_token, std::set<std::string_view>& others,
                   std::string& extra) {
    const std::string_view raw = index_.token(key_token);
    const std::optional<std::string> name = UnescapeJsonString(raw);
    if (!name) return at_ = key_token, SyntaxError("an escape in this key is not legal");
    if (!others.insert(raw).second) ReportDuplicate(key_token, *name);
    if (options_.is_strict && !type.is_open) {
      path_.Push(*name);
      ReportAt(key_token, ProblemType::kUnknownField, "unknown field",
               HintForUnknown(type, *name, *root_, options_.is_previous));
      path_.Pop();
    }
    if (options_.is_previous && IsCurrent(type, *name)) return PassOver();
    return AppendMember(kAnything, raw, extra);
  }

  // Whether an unknown field of the previous version has the name of a current one. It had no
  // meaning in that version and must not gain one, so it is dropped.
  static bool IsCurrent(const Struct& type, std::string_view name) {
    return std::ranges::find(type.fields, name, &Field::name) != type.fields.end();
  }

  bool ReadCarried(const Field& field, std::string_view raw_key, std::string& extra) {
    if (index_.token(at_) == "null") return ++at_, true;
    return AppendMember(*field.type, raw_key, extra);
  }

  bool AppendMember(const Type& type, std::string_view raw_key, std::string& extra) {
    if (!extra.empty()) extra += ',';
    extra += raw_key;
    extra += ':';
    return CopyValue(options_.is_strict ? type : kAnything, extra, 0);
  }

  bool ReadMember(const Field& field, void* member) {
    const Type& type = *field.type;
    if (index_.first(at_) == 'n' && index_.token(at_) == "null") return ++at_, true;
    void* target = type.optional != nullptr ? type.optional->emplace(member) : member;
    return ReadValue(type, target);
  }

  bool ReadValue(const Type& type, void* target) {
    const char first = index_.first(at_);
    switch (type.shape) {
      case Shape::kStruct:
        if (first != '{') return TypeError(type);
        return ReadStruct(type.structure(), target);
      case Shape::kList:
        if (first != '[') return TypeError(type);
        return ReadList(type, target);
      case Shape::kMap:
        if (first != '{') return TypeError(type);
        return ReadMap(type, target);
      case Shape::kJson:
        return CopyValue(kAnything, static_cast<Json*>(target)->text, 0);
      default:
        return ReadScalar(type.shape, target);
    }
  }

  bool ReadList(const Type& type, void* list) {
    return ReadArray([&](size_t i) {
      void* element = type.list->append(list);
      if (index_.token(at_) == "null") return ++at_, true;
      path_.PushIndex(i);
      const bool went_on = ReadValue(*type.element, element);
      path_.Pop();
      return went_on;
    });
  }

  bool ReadMap(const Type& type, void* map) {
    const size_t begin = at_;
    std::vector<size_t> keys;
    if (const size_t end = FindUnsortedKeys(keys); end != 0)
      return ReadSorted(type, map, keys, end);
    at_ = begin;
    return ReadObject([&](size_t key_token) { return ReadEntry(type, map, key_token); });
  }

  // Maps insert at the end without moving entries.
  bool ReadSorted(const Type& type, void* map, std::vector<size_t>& keys, size_t end) {
    std::vector<std::pair<std::string, size_t>> sorted;
    for (const size_t token : keys)
      sorted.emplace_back(UnescapeJsonString(index_.token(token)).value_or(""), token);
    std::ranges::sort(sorted);
    for (const auto& [key, token] : sorted) {
      at_ = token + 2;
      if (!ReadEntry(type, map, token)) return false;
    }
    at_ = end;
    return true;
  }

  // The tokens of the keys of the object at at_ and the token behind it; 0 if the keys are in order
  // or the syntax is wrong.
  size_t FindUnsortedKeys(std::vector<size_t>& keys) {
    bool is_sorted = true;
    for (size_t at = at_ + 1; at + 2 < index_.token_count(); ++at) {
      if (index_.first(at) != '"' || index_.first(at + 1) != ':') return 0;
      is_sorted = is_sorted && (keys.empty() || index_.token(keys.back()) < index_.token(at));
      keys.push_back(at);
      at = EndOfValue(at + 2);
      if (index_.first(at) == '}') return is_sorted ? 0 : at + 1;
      if (index_.first(at) != ',') return 0;
    }
    return 0;
  }

  // The token behind the value, or behind the last one.
  size_t EndOfValue(size_t at) const {
    size_t depth = 0;
    for (; at < index_.token_count(); ++at) {
      const char first = index_.first(at);
      if (first == '{' || first == '[') ++depth;
      if ((first == '}' || first == ']') && (depth == 0 || --depth == 0)) break;
      if (depth == 0) break;
    }
    return at + 1;
  }

  // The value is at at_.
  bool ReadEntry(const Type& type, void* map, size_t key_token) {
    const std::string_view raw = index_.token(key_token);
    std::string_view key = raw.substr(1, raw.size() - 2);
    std::optional<std::string> plain;
    if (key.find('\\') != std::string_view::npos) {
      plain = UnescapeJsonString(raw);
      if (!plain) return at_ = key_token, SyntaxError("an escape in this key is not legal");
      key = *plain;
    }
    bool is_new = false;
    void* value = type.map->insert(map, key, &is_new);
    if (!is_new) ReportDuplicate(key_token, key);
    if (index_.token(at_) == "null") return ++at_, true;
    path_.PushKey(key);
    const bool went_on = ReadValue(*type.element, value);
    path_.Pop();
    return went_on;
  }

  // Reads the token at at_ into a scalar. A value of the wrong type is reported and skipped.
  bool ReadScalar(Shape shape, void* target) {
    const std::string_view token = index_.token(at_);
    const char first = token.empty() ? '\0' : token.front();
    if (first == '{' || first == '[') return TypeError(Type{.shape = shape});
    if (!IsScalarToken(token)) return SyntaxError("expected a value");
    if (!StoreScalar(shape, token, target)) return TypeError(Type{.shape = shape});
    ++at_;
    return true;
  }

  // Copies the value at at_ in compact form and validates it against `type`.
  bool CopyValue(const Type& type, std::string& out, int depth) {
    if (depth > options_.max_depth)
      return SyntaxError("nested more than " + std::to_string(options_.max_depth) + " levels deep");
    switch (index_.first(at_)) {
      case '{':
        if (type.shape == Shape::kStruct) return CopyStruct(type.structure(), out, depth);
        if (type.shape == Shape::kMap) return CopyObject(*type.element, out, depth);
        if (type.shape == Shape::kJson) return CopyObject(kAnything, out, depth);
        return TypeError(type);
      case '[':
        if (type.shape == Shape::kList) return CopyArray(*type.element, out, depth);
        if (type.shape == Shape::kJson) return CopyArray(kAnything, out, depth);
        return TypeError(type);
      default:
        return CopyScalar(type, out);
    }
  }

  bool CopyScalar(const Type& type, std::string& out) {
    const std::string_view token = index_.token(at_);
    if (!IsScalarToken(token)) return SyntaxError("expected a value");
    if (token.front() == '"' && token.find('\\') != std::string_view::npos &&
        !UnescapeJsonString(token))
      return SyntaxError("an escape in this string is not legal");
    if (token != "null" && !CanHold(type.shape, token)) return TypeError(type);
    out += token;
    ++at_;
    return true;
  }

  bool CopyStruct(const Struct& type, std::string& out, int depth) {
    FieldSet seen;
    size_t expected = 0;
    return CopyMembers(out, [&](size_t key_token, std::string_view name) {
      const std::optional<size_t> known = FindField(type, name, expected);
      if (!known && options_.is_strict && !type.is_open)
        ReportAt(key_token, ProblemType::kUnknownField, "unknown field",
                 HintForUnknown(type, name, *root_, options_.is_previous));
      if (known && seen[*known]) ReportDuplicate(key_token, {});
      if (known) seen.set(*known);
      return CopyValue(known ? *type.fields[*known].type : kAnything, out, depth + 1);
    });
  }

  bool CopyObject(const Type& element, std::string& out, int depth) {
    std::vector<std::string_view> keys;
    return CopyMembers(out, [&](size_t key_token, std::string_view) {
      // Quadratic in the size of one object, so it is bounded: free-form objects are small, and
      // duplicates in a large one are rejected by the code that interprets it.
      constexpr size_t kMostCompared = 64;
      if (keys.size() < kMostCompared) {
        if (std::find(keys.begin(), keys.end(), index_.token(key_token)) != keys.end())
          ReportDuplicate(key_token, {});
        keys.push_back(index_.token(key_token));
      }
      return CopyValue(element, out, depth + 1);
    });
  }

  // Copies an object; value(key_token, name) copies each value with the path set to it.
  template <class Value>
  bool CopyMembers(std::string& out, Value value) {
    out += '{';
    bool is_first = true;
    const bool ok = ReadObject([&](size_t key_token) {
      const std::string_view raw = index_.token(key_token);
      const std::optional<std::string> name = UnescapeJsonString(raw);
      if (!name) return at_ = key_token, SyntaxError("an escape in this key is not legal");
      if (!is_first) out += ',';
      is_first = false;
      out += raw;
      out += ':';
      path_.Push(*name);
      const bool went_on = value(key_token, *name);
      path_.Pop();
      return went_on;
    });
    out += '}';
    return ok;
  }

  bool CopyArray(const Type& element, std::string& out, int depth) {
    out += '[';
    const bool ok = ReadArray([&](size_t i) {
      if (i > 0) out += ',';
      path_.PushIndex(i);
      const bool went_on = CopyValue(element, out, depth + 1);
      path_.Pop();
      return went_on;
    });
    out += ']';
    return ok;
  }

  // --- Problems ----------------------------------------------------------------------------------

  void ReportMissing(const Struct& type, const FieldSet& seen, bool is_root) {
    for (size_t i = 0; i < type.fields.size(); ++i) {
      const Field& field = type.fields[i];
      if (!field.is_required || seen[i] || (options_.is_previous && field.is_new)) continue;
      path_.Push(field.name);
      ReportAt(at_ - 1, ProblemType::kRequired, "this field is required", std::string(field.doc));
      path_.Pop();
    }
    if (!is_root || kind_ == nullptr) return;
    if (!seen_api_version_) ReportMissingTypeMeta("apiVersion", kind_->ApiVersion());
    if (!seen_kind_) ReportMissingTypeMeta("kind", std::string(kind_->kind));
  }

  void ReportMissingTypeMeta(std::string_view name, const std::string& wanted) {
    path_.Push(name);
    ReportAt(0, ProblemType::kRequired, "this field is required", "write " + Quoted(wanted));
    path_.Pop();
  }

  void ReportDuplicate(size_t token, std::string_view name) {
    if (!name.empty()) path_.Push(name);
    ReportAt(token, ProblemType::kDuplicate, "duplicate key in the same object",
             "keep one of them");
    if (!name.empty()) path_.Pop();
  }

  // Reports a value of the wrong type and skips it.
  bool TypeError(const Type& type) {
    const std::string_view token = index_.token(at_);
    Report(ProblemType::kTypeInvalid,
           "expected " + std::string(NameOf(type.shape)) + ", found " + Found(token),
           HintForType(type.shape, token));
    return PassOver();
  }

  bool PassOver() {
    std::string ignored;
    return CopyValue(kAnything, ignored, 0);
  }

  bool SyntaxError(std::string message) {
    const std::string_view token = index_.token(at_);
    Report(ProblemType::kSyntax, std::move(message) + ", found " + Found(token));
    return false;
  }

  void Report(ProblemType type, std::string message, std::string hint = {}) {
    ReportAt(at_, type, std::move(message), std::move(hint));
  }

  void ReportAt(size_t token, ProblemType type, std::string message, std::string hint = {}) {
    if (limit_.is_reached() && type != ProblemType::kSyntax) return;
    problems_.push_back({.type = type,
                         .field = path_.ToString(),
                         .message = std::move(message),
                         .hint = std::move(hint),
                         .place = PlaceAt(index_.text(), index_.offset(token), options_)});
    limit_.Count(problems_.back().field.size());
  }

 public:
  static base::Place PlaceAt(std::string_view text, size_t offset, const DecodeOptions& options) {
    const TextPosition position = options.source_map != nullptr ? options.source_map->Find(offset)
                                                                : PositionInText(text, offset);
    return {std::string(options.file), position.line, position.column};
  }

 private:
  const JsonIndex& index_;
  const DecodeOptions& options_;
  Problems& problems_;
  ReportLimit limit_;
  FieldPath path_;
  size_t at_ = 0;
  const Kind* kind_ = nullptr;
  const Struct* root_ = nullptr;  // null while a value of no type is copied
  bool seen_kind_ = false;
  bool seen_api_version_ = false;
};

Problems Run(JsonIndex& index, std::string_view json, const DecodeOptions& options,
             const std::function<void(Reader&)>& read) {
  Problems problems;
  if (std::optional<JsonIndex::Fault> fault = index.Build(json)) {
    problems.push_back({.type = ProblemType::kSyntax,
                        .field = {},
                        .message = std::move(fault->message),
                        .hint = {},
                        .place = Reader::PlaceAt(json, fault->offset, options)});
    return problems;
  }
  Reader reader(index, options, problems);
  read(reader);
  return problems;
}

}  // namespace

Decoder::Decoder() : index_(std::make_unique<JsonIndex>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

bool Decoder::TryFastPath(std::string_view json, const Struct& type, const Kind* kind, void* out,
                          const DecodeOptions& options) {
  if (options.is_strict || json.empty() || !IsUtf8(json)) return false;
  if (text_.size() < json.size() + QuickReader::kPadding)
    text_.resize(json.size() + QuickReader::kPadding);
  std::memcpy(text_.data(), json.data(), json.size());
  std::memset(text_.data() + json.size(), 0, QuickReader::kPadding);
  Layout& layout = Layout::Of(type, options.is_previous);
  const std::string_view text(text_.data(), json.size());
  if (QuickReader(options.max_depth).Read(text, layout, out, kind, options.is_previous))
    return true;
  type.reset(out);
  return false;
}

Problems Decoder::Decode(std::string_view json, const Struct& type, void* out,
                         const DecodeOptions& options) {
  CHECK(type.fields.size() <= kMaxFields);
  if (TryFastPath(json, type, nullptr, out, options)) return {};
  return Run(*index_, json, options, [&](Reader& r) { r.ReadRoot(type, out, nullptr); });
}

Problems Decoder::Decode(std::string_view json, const Kind& kind, void* out,
                         const DecodeOptions& options) {
  if (TryFastPath(json, kind.structure(), &kind, out, options)) return {};
  return Run(*index_, json, options, [&](Reader& r) { r.ReadRoot(kind.structure(), out, &kind); });
}

std::expected<std::string, Problem> CompactJson(std::string_view json, int max_depth) {
  JsonIndex index;
  std::string out;
  const DecodeOptions options{.max_depth = max_depth};
  Problems problems = Run(index, json, options, [&](Reader& r) { r.CopyRoot(out); });
  if (!problems.empty()) return std::unexpected(std::move(problems.front()));
  return out;
}

}  // namespace berth::schema

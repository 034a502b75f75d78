#include "api/meta/manifest.h"

#include <algorithm>
#include <utility>

#include "api/meta/problem_report.h"
#include "api/meta/registry.h"
#include "schema/decode.h"
#include "schema/json/walk.h"

namespace berth::api {
namespace {

using schema::Problem;
using schema::Problems;
using schema::ProblemType;
using schema::TextPosition;

// The fields common to all kinds.
struct PartialObject {
  ObjectMeta metadata;
  schema::Extra extra;

  static const schema::Struct& Description() {
    static constexpr schema::Field kFields[] = {
        schema::Member<&PartialObject::metadata>("metadata", "Standard object metadata."),
    };
    static constexpr auto kStruct =
        schema::Describe<PartialObject>("Object", "Object is an object of any kind.", kFields);
    return kStruct;
  }
};

// apiVersion and kind as stated by an object.
struct TypeName {
  std::string api_version;
  std::string kind;
};

// Position of a document: top level, or an item of a list.
struct Context {
  int list_depth = 0;
  std::string path;  // "items[3]"
  TypeName implied;  // default for items of a typed list
};

// The root members that determine the kind of a document.
struct Header {
  std::optional<size_t> api_version;  // tokens of the values
  std::optional<size_t> kind;
  std::optional<size_t> items;
};

// The byte range of a value in a text.
struct Span {
  size_t begin;
  size_t size;
};

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

// The text without leading blanks.
std::string_view Content(std::string_view text) {
  const auto first = std::ranges::find_if_not(text, IsBlank);
  return text.substr(static_cast<size_t>(first - text.begin()));
}

// A text that begins like a JSON object is JSON, unless it has YAML document separators. (Flow
// mappings of YAML rarely quote keys; with quotes, both formats have the same meaning.)
bool IsJson(std::string_view text) {
  std::string_view content = Content(text);
  if (!content.starts_with('{')) return false;
  content = Content(content.substr(1));
  const bool begins_as_json = content.empty() || content.front() == '"' || content.front() == '}' ||
                              content.front() == '{' || content.front() == '[';
  return begins_as_json && text.find("\n---") == std::string_view::npos;
}

// Advances a position over more text.
TextPosition Advance(TextPosition from, std::string_view text) {
  const TextPosition in_text = schema::PositionInText(text, text.size());
  if (in_text.line == 1) return {from.line, from.column + in_text.column - 1};
  return {from.line + in_text.line - 1, in_text.column};
}

std::string Shown(std::string_view token) {
  if (token.empty()) return "nothing";
  if (token.front() == '[') return "a list";
  if (token.front() == '"') {
    const std::optional<std::string> text = schema::UnescapeJsonString(token);
    return "the text " + Quoted(text.value_or(""));
  }
  return std::string(token.substr(0, 60));
}

bool IsFatal(const Problem& problem) {
  return problem.type == ProblemType::kSyntax || problem.type == ProblemType::kTypeInvalid;
}

bool HasSyntaxError(const Problems& problems) {
  return std::ranges::any_of(problems,
                             [](const Problem& p) { return p.type == ProblemType::kSyntax; });
}

// The apiVersion of a kind if exactly one known kind has this name; otherwise "".
std::string ApiVersionOf(std::string_view kind) {
  std::string api_version;
  for (const schema::Kind* known : AllKinds()) {
    if (known->kind != kind) continue;
    if (!api_version.empty()) return {};
    api_version = known->ApiVersion();
  }
  return api_version;
}

class Reader {
 public:
  Reader(const ReadOptions& options, std::vector<Manifest>& out) : options_(options), out_(out) {}

  void ReadText(std::string_view text) {
    text = WithoutByteOrderMark(text);
    if (Content(text).empty()) return;
    if (Content(text).starts_with('[')) return RefuseList(text);
    IsJson(text) ? ReadJson(text) : ReadYaml(text);
  }

 private:
  void RefuseList(std::string_view text) {
    const size_t at = text.size() - Content(text).size();
    Source source{.file = options_.file, .json = {}, .map = {}, .start = {}};
    source.start = schema::PositionInText(text, at);
    AddFault(std::move(source), ProblemType::kSyntax, 0, {}, "expected an object, found a list",
             "put the objects into the items of a `kind: List`, or write them as documents with "
             "--- between them");
  }

  void ReadJson(std::string_view text) {
    if (const std::optional<schema::JsonIndex::Fault> fault = index_.Build(text)) {
      AddFault({.file = options_.file, .json = std::string(text)}, ProblemType::kSyntax,
               fault->offset, {}, fault->message, {});
      return;
    }
    std::vector<Span> documents;
    for (size_t token = 0; token < index_.token_count();) {
      documents.push_back(SpanOf(token));
      token = std::max(schema::SkipValue(index_, token), token + 1);
    }
    TextPosition position{.line = 1, .column = 1};
    size_t at = 0;
    for (const Span& span : documents) {
      position = Advance(position, text.substr(at, span.begin - at));
      at = span.begin;
      Source source{.file = options_.file,
                    .json = std::string(text.substr(span.begin, span.size)),
                    .map = {},
                    .start = position};
      if (!ReadDocument(std::move(source), {})) return;
    }
  }

  void ReadYaml(std::string_view text) {
    schema::YamlReader reader(text, {.file = options_.file});
    while (true) {
      base::Result<std::optional<schema::YamlDocument>> document = reader.Next();
      if (!document) {
        Manifest& manifest = out_.emplace_back();
        manifest.source.file = options_.file;
        manifest.problems.push_back({.type = ProblemType::kSyntax,
                                     .field = {},
                                     .message = document.error().message,
                                     .hint = document.error().hint,
                                     .place = document.error().place});
        return;
      }
      if (!*document) return;
      Source source{.file = options_.file,
                    .json = std::move((*document)->json),
                    .map = std::move((*document)->map)};
      if (!ReadDocument(std::move(source), {})) return;
    }
  }

  // Returns false after a syntax error: the rest of the text cannot be read.
  bool ReadDocument(Source source, const Context& context) {
    if (const std::optional<schema::JsonIndex::Fault> fault = index_.Build(source.json)) {
      AddFault(std::move(source), ProblemType::kSyntax, fault->offset, {}, fault->message, {});
      return false;
    }
    if (index_.token(0) == "null") return true;
    if (index_.first(0) != '{') {
      const std::string found = Shown(index_.token(0));
      AddFault(std::move(source), ProblemType::kTypeInvalid, 0, context.path,
               "expected an object with apiVersion and kind, found " + found, HintForNoObject());
      return true;
    }
    Header header;
    const std::optional<size_t> broken = schema::WalkObject(
        index_, 0, [&](size_t key, size_t value) { NoteMember(header, key, value); });
    TypeName type = ReadTypeName(header, context);
    if (broken)
      return ReadObject(std::move(source), std::move(type), context);  // reports the fault
    if (type.api_version.empty() || type.kind.empty())
      return AddUntyped(std::move(source), header, std::move(type), context);
    if (IsList(type, header)) return ReadList(source, header, type, context);
    return ReadObject(std::move(source), std::move(type), context);
  }

  static std::string HintForNoObject() {
    return "every document is an object: apiVersion: …, kind: …, metadata: …";
  }

  void NoteMember(Header& header, size_t key, size_t value) const {
    const std::string_view name = index_.token(key);
    if (name == "\"apiVersion\"") header.api_version = value;
    if (name == "\"kind\"") header.kind = value;
    if (name == "\"items\"") header.items = value;
  }

  TypeName ReadTypeName(const Header& header, const Context& context) const {
    return {.api_version = Text(header.api_version).value_or(context.implied.api_version),
            .kind = Text(header.kind).value_or(context.implied.kind)};
  }

  // Adds an object without apiVersion or kind.
  bool AddUntyped(Source source, const Header& header, TypeName type, const Context& context) {
    Manifest manifest;
    if (type.api_version.empty())
      manifest.problems.push_back(MissingTypeName(source, header.api_version, "apiVersion",
                                                  HintForApiVersion(type.kind), context));
    if (type.kind.empty())
      manifest.problems.push_back(
          MissingTypeName(source, header.kind, "kind", "such as kind: Job", context));
    manifest.api_version = std::move(type.api_version);
    manifest.kind = std::move(type.kind);
    manifest.partial_metadata = DecodePartial(source).metadata;
    manifest.source = std::move(source);
    out_.push_back(std::move(manifest));
    return true;
  }

  static std::string HintForApiVersion(std::string_view kind) {
    const std::string api_version = ApiVersionOf(kind);
    return api_version.empty() ? "such as apiVersion: batch/v1"
                               : "write apiVersion: " + api_version;
  }

  Problem MissingTypeName(const Source& source, std::optional<size_t> value, std::string_view name,
                          std::string hint, const Context& context) const {
    const bool is_wrong = value && index_.token(*value) != "null" && Text(value) != "";
    return {.type = is_wrong ? ProblemType::kTypeInvalid : ProblemType::kRequired,
            .field = (context.path.empty() ? "" : context.path + ".") + std::string(name),
            .message = is_wrong ? "expected a string, found " + Shown(index_.token(*value))
                                : "this field is required",
            .hint = std::move(hint),
            .place = source.PlaceOf(index_.offset(value.value_or(0)))};
  }

  // The unescaped string of a token; nullopt if it is not a string.
  std::optional<std::string> Text(std::optional<size_t> token) const {
    return token ? schema::UnescapeJsonString(index_.token(*token)) : std::nullopt;
  }

  bool IsList(const TypeName& type, const Header& header) const {
    if (type.kind == "List") return type.api_version == "v1" || header.items.has_value();
    if (!type.kind.ends_with("List") || !header.items) return false;
    return index_.first(*header.items) == '[' || index_.token(*header.items) == "null";
  }

  bool ReadList(const Source& source, const Header& header, const TypeName& type,
                const Context& context) {
    constexpr int kMaxListsInLists = 16;
    const std::string items_path = context.path + (context.path.empty() ? "" : ".") + "items";
    if (context.list_depth == kMaxListsInLists)
      return AddFault(source, ProblemType::kInvalid, 0, context.path,
                      "lists of lists of lists, more than 16 deep",
                      "put the objects into one list");
    if (header.items && index_.token(*header.items) == "null") return true;
    if (!header.items || index_.first(*header.items) != '[')
      return AddFault(source, header.items ? ProblemType::kTypeInvalid : ProblemType::kRequired,
                      index_.offset(header.items.value_or(0)), items_path,
                      "a list has its objects under items", "write items: [] if there are none");
    std::vector<Span> items;
    const std::optional<size_t> broken = schema::WalkList(
        index_, *header.items, [&](size_t value) { items.push_back(SpanOf(value)); });
    if (broken)
      return AddFault(source, ProblemType::kSyntax, index_.offset(*broken), items_path,
                      "expected ',' or ']', found " + Shown(index_.token(*broken)), {});
    return ReadItems(source, items, items_path, type, context.list_depth + 1);
  }

  bool ReadItems(const Source& source, const std::vector<Span>& items, const std::string& path,
                 const TypeName& list, int depth) {
    Context context{.list_depth = depth, .path = {}, .implied = {}};
    if (list.kind != "List")
      context.implied = {list.api_version, list.kind.substr(0, list.kind.size() - 4)};
    TextPosition position = source.start;
    size_t at = 0;
    for (size_t i = 0; i < items.size(); ++i) {
      const Span& span = items[i];
      if (!source.map)
        position = Advance(position, std::string_view(source.json).substr(at, span.begin - at));
      at = span.begin;
      context.path = path + "[" + std::to_string(i) + "]";
      if (!ReadDocument(Cut(source, span, position), context)) return false;
    }
    return true;
  }

  // Extracts one value of a source as a source of its own.
  static Source Cut(const Source& source, const Span& span, TextPosition start) {
    Source cut{.file = source.file,
               .json = source.json.substr(span.begin, span.size),
               .map = {},
               .start = start};
    if (source.map) cut.map.emplace().AddMoved(*source.map, span.begin, span.begin + span.size, 0);
    return cut;
  }

  bool ReadObject(Source source, TypeName type, const Context& context) {
    Manifest manifest{.api_version = std::move(type.api_version), .kind = std::move(type.kind)};
    const FoundKind found = FindKind(manifest.api_version, manifest.kind);
    manifest.known = found.kind;
    if (found) {
      const bool is_strict = options_.is_strict || found.kind == options_.strict_kind;
      manifest.object.emplace(*found.kind);
      manifest.problems = decoder_.Decode(source.json, *found.kind, manifest.object->value(),
                                          Options(source, is_strict, found.is_previous));
      if (!context.implied.kind.empty()) DropMissingTypeNames(manifest.problems);
      DropFollowUpProblems(manifest.problems);
      if (std::ranges::any_of(manifest.problems, IsFatal)) manifest.object.reset();
      if (!manifest.object) manifest.partial_metadata = DecodePartial(source).metadata;
    } else {
      manifest.partial_metadata = DecodePartial(source, &manifest.problems).metadata;
    }
    PlaceInFile(manifest.problems, source);
    const bool should_continue = !HasSyntaxError(manifest.problems);
    manifest.source = std::move(source);
    out_.push_back(std::move(manifest));
    return should_continue;
  }

  // Items of a typed list may omit apiVersion and kind.
  static void DropMissingTypeNames(Problems& problems) {
    std::erase_if(problems, [](const Problem& p) {
      return p.type == ProblemType::kRequired && (p.field == "apiVersion" || p.field == "kind");
    });
  }

  // A truncated text is reported once, without the missing fields that follow from it.
  static void DropFollowUpProblems(Problems& problems) {
    if (!HasSyntaxError(problems)) return;
    const base::Place end = problems.back().place;
    std::erase_if(problems, [&](const Problem& p) {
      return p.type != ProblemType::kSyntax && p.place == end;
    });
  }

  schema::DecodeOptions Options(const Source& source, bool is_strict, bool is_previous) const {
    return {.is_strict = is_strict,
            .is_previous = is_previous,
            .file = options_.file,
            .source_map = source.map ? &*source.map : nullptr};
  }

  PartialObject DecodePartial(const Source& source, Problems* problems = nullptr) {
    PartialObject partial;
    Problems found = decoder_.Decode(source.json, PartialObject::Description(), &partial,
                                     Options(source, false, false));
    if (problems != nullptr) *problems = std::move(found);
    return partial;
  }

  // Translates positions in the decoded JSON fragment to positions in the file.
  static void PlaceInFile(Problems& problems, const Source& source) {
    if (source.map) return;
    for (Problem& problem : problems) {
      if (problem.place.line == 1) problem.place.column += source.start.column - 1;
      problem.place.line += source.start.line - 1;
    }
  }

  // Adds a manifest that consists of a problem only. Returns whether reading can continue.
  bool AddFault(Source source, ProblemType type, size_t offset, std::string field,
                std::string message, std::string hint) {
    Manifest& manifest = out_.emplace_back();
    manifest.problems.push_back({.type = type,
                                 .field = std::move(field),
                                 .message = std::move(message),
                                 .hint = std::move(hint),
                                 .place = source.PlaceOf(offset)});
    manifest.source = std::move(source);
    return type != ProblemType::kSyntax;
  }

  Span SpanOf(size_t token) const {
    return {.begin = index_.offset(token), .size = schema::ValueText(index_, token).size()};
  }

  const ReadOptions& options_;
  std::vector<Manifest>& out_;
  schema::JsonIndex index_;  // of the current document
  schema::Decoder decoder_;
};

}  // namespace

const ObjectMeta& Manifest::metadata() const {
  const ObjectMeta* of_object = object ? object->metadata() : nullptr;
  return of_object != nullptr ? *of_object : partial_metadata;
}

std::vector<Manifest> ReadManifests(std::string_view text, const ReadOptions& options) {
  std::vector<Manifest> manifests;
  Reader(options, manifests).ReadText(text);
  return manifests;
}

}  // namespace berth::api

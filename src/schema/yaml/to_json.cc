#include "schema/yaml/to_json.h"

#include <yaml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "base/check.h"
#include "schema/json/index.h"
#include "schema/yaml/merge.h"
#include "schema/yaml/problem.h"
#include "schema/yaml/scalar.h"

namespace berth::schema {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

TextPosition PositionOfMark(const yaml_mark_t& mark) {
  return {.line = static_cast<int>(mark.line) + 1, .column = static_cast<int>(mark.column) + 1};
}

std::string_view View(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// A plain `<<`, or one with the merge tag.
bool IsMergeKey(const yaml_event_t& event) {
  const auto& data = event.data.scalar;
  if (data.length != 2 || View(data.value) != "<<") return false;
  return data.plain_implicit != 0 || View(data.tag) == "tag:yaml.org,2002:merge";
}

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }

  yaml_event_t* get() { return &event_; }
  const yaml_event_t* operator->() const { return &event_; }
  const yaml_event_t& operator*() const { return event_; }

 private:
  yaml_event_t event_{};
};

// A node that an alias may refer to. A scalar owns its text, since it is written differently as a
// key; the text of a collection is where it was first written, until a merge moves it.
struct Anchor {
  size_t begin = 0;
  size_t length = kNone;  // kNone while the node is open
  std::string own;
  std::string key;  // the scalar as a key; empty if it cannot be one
  int height = 0;   // levels of mappings and lists
  bool is_owned = false;
  bool is_mapping = false;
};

// An open mapping or list.
struct Frame {
  size_t begin = 0;
  size_t anchor = kNone;
  size_t first_merge = 0;  // its merges are merges_[first_merge..]
  int height = 1;
  bool is_mapping = false;
  bool is_empty = true;
  bool has_key = false;  // for a mapping: the next node is a value
  bool is_merge_value =
      false;  // for a mapping: that value belongs to `<<`; for a list: it is such a value
};

}  // namespace

// Converts libyaml's events to JSON text incrementally. No tree is built: an alias copies text that
// is already written. Every step returns false once error_ is set.
class YamlReader::Transcoder {
 public:
  Transcoder(std::string_view text, YamlOptions options)
      : text_(text),
        options_(std::move(options)),
        alias_budget_(std::max(options_.alias_bytes, options_.alias_ratio * text.size())) {
    CHECK(yaml_parser_initialize(&parser_) == 1);
    // libyaml requires a non-null pointer even for an empty text.
    const char* const begin = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(begin),
                                 text.size());
  }
  Transcoder(const Transcoder&) = delete;
  Transcoder& operator=(const Transcoder&) = delete;
  ~Transcoder() { yaml_parser_delete(&parser_); }

  base::Result<std::optional<YamlDocument>> Next();

 private:
  enum class NodeKind { kScalar, kList, kMapping };

  bool Step(const yaml_event_t& event);
  void StartDocument();
  bool AddScalar(const yaml_event_t& event);
  bool AddKey(const yaml_mark_t& mark, const YamlScalar& scalar, std::string_view text);
  bool AddAlias(const yaml_event_t& event);
  bool AddAliasKey(const yaml_mark_t& mark, const Anchor& anchor);
  bool AddCopy(const yaml_mark_t& mark, const Anchor& anchor);
  bool Open(const yaml_event_t& event, NodeKind kind, const yaml_char_t* anchor);
  bool Close(const yaml_mark_t& mark);

  bool AtKey() const {
    return !frames_.empty() && frames_.back().is_mapping && !frames_.back().has_key;
  }
  bool StartNode(const yaml_mark_t& mark, NodeKind kind, bool is_alias = false);
  bool CheckMergeValue(const yaml_mark_t& mark, NodeKind kind, bool is_alias);
  void StartKey(const yaml_mark_t& mark);
  bool StartMergeKey(const yaml_mark_t& mark);
  bool AddAnchor(const yaml_mark_t& mark, const yaml_char_t* name, size_t* index);
  bool KeepScalar(const yaml_event_t& event, const YamlScalar& scalar, std::string_view text);
  bool DetachAnchorsFrom(const yaml_mark_t& mark, size_t offset);
  void RaiseHeight(int height);
  bool Spend(const yaml_mark_t& mark, size_t bytes);
  bool CheckDepth(const yaml_mark_t& mark, int height);
  bool Fail(const yaml_mark_t& mark, std::string message, std::string hint);
  bool HasTooManyDirectives();

  std::string_view text_;
  YamlOptions options_;
  size_t alias_budget_;
  yaml_parser_t parser_;
  bool is_done_ = false;
  bool is_started_ = false;
  base::Error error_;

  YamlDocument document_;
  bool has_content_ = false;
  std::vector<Frame> frames_;
  std::vector<size_t> merges_;
  std::vector<Anchor> anchors_;  // in order of their start
  std::map<std::string, size_t, std::less<>> anchor_names_;
  std::string decoded_;
};

bool YamlReader::Transcoder::Fail(const yaml_mark_t& mark, std::string message, std::string hint) {
  const TextPosition position = PositionOfMark(mark);
  error_ = {.message = std::move(message),
            .hint = std::move(hint),
            .place = {.file = {}, .line = position.line, .column = position.column}};
  return false;
}

base::Result<std::optional<YamlDocument>> YamlReader::Transcoder::Next() {
  bool is_good = !std::exchange(is_started_, true) ? !HasTooManyDirectives() : true;
  while (is_good && !is_done_) {
    Event event;
    if (yaml_parser_parse(&parser_, event.get()) == 0) {
      error_ = DescribeYamlProblem(parser_, text_);
      is_good = false;
      break;
    }
    is_done_ = event->type == YAML_STREAM_END_EVENT;
    if (event->type == YAML_DOCUMENT_END_EVENT && has_content_) {
      return std::exchange(document_, {});
    }
    is_good = Step(*event);
  }
  is_done_ = true;
  if (is_good) return std::nullopt;
  document_ = {};
  error_.place.file = options_.file;
  return std::unexpected(std::move(error_));
}

bool YamlReader::Transcoder::Step(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      StartDocument();
      return true;
    case YAML_SCALAR_EVENT:
      return AddScalar(event);
    case YAML_ALIAS_EVENT:
      return AddAlias(event);
    case YAML_MAPPING_START_EVENT:
      return Open(event, NodeKind::kMapping, event.data.mapping_start.anchor);
    case YAML_SEQUENCE_START_EVENT:
      return Open(event, NodeKind::kList, event.data.sequence_start.anchor);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
      return Close(event.start_mark);
    default:
      return true;
  }
}

void YamlReader::Transcoder::StartDocument() {
  document_ = {};
  has_content_ = false;
  frames_.clear();
  merges_.clear();
  anchors_.clear();
  anchor_names_.clear();
}

// Writes the separator between the previous node and this one.
bool YamlReader::Transcoder::StartNode(const yaml_mark_t& mark, NodeKind kind, bool is_alias) {
  std::string& json = document_.json;
  if (json.size() > std::numeric_limits<uint32_t>::max()) {
    return Fail(mark, "the document is larger than 4 GiB", "split it with `---` lines");
  }
  if (frames_.empty()) {
    document_.line = PositionOfMark(mark).line;
    has_content_ = true;
  } else {
    Frame& frame = frames_.back();
    if (frame.is_merge_value && !CheckMergeValue(mark, kind, is_alias)) return false;
    if (frame.is_mapping) {
      json += ':';
      frame.has_key = false;
    } else if (!std::exchange(frame.is_empty, false)) {
      json += ',';
    }
  }
  document_.map.Add(json.size(), PositionOfMark(mark));
  return true;
}

void YamlReader::Transcoder::StartKey(const yaml_mark_t& mark) {
  Frame& frame = frames_.back();
  if (!std::exchange(frame.is_empty, false)) document_.json += ',';
  frame.has_key = true;
  frame.is_merge_value = false;
  document_.map.Add(document_.json.size(), PositionOfMark(mark));
}

bool YamlReader::Transcoder::StartMergeKey(const yaml_mark_t& mark) {
  StartKey(mark);
  frames_.back().is_merge_value = true;
  merges_.push_back(document_.json.size());
  document_.json += "\"<<\"";
  return true;
}

// `<<` requires a mapping, an alias of one, or a list of those.
bool YamlReader::Transcoder::CheckMergeValue(const yaml_mark_t& mark, NodeKind kind,
                                             bool is_alias) {
  if (kind == NodeKind::kMapping) return true;
  if (kind == NodeKind::kList && !is_alias && frames_.back().is_mapping) return true;
  return Fail(
      mark, "`<<` merges only mappings",
      "write `<<: *name`, where the anchor &name stands before a mapping, or a list of such "
      "aliases");
}

bool YamlReader::Transcoder::AddScalar(const yaml_event_t& event) {
  const auto& data = event.data.scalar;
  std::string_view text(reinterpret_cast<const char*>(data.value), data.length);
  if (AtKey() && IsMergeKey(event)) return StartMergeKey(event.start_mark);
  YamlScalar scalar;
  if (data.tag != nullptr) {
    const auto tagged = ResolveTagged(View(data.tag), text, decoded_);
    if (!tagged) return Fail(event.start_mark, tagged.error().message, tagged.error().hint);
    scalar = tagged->value;
    text = tagged->text;
  } else if (data.plain_implicit != 0) {
    scalar = ResolvePlain(text);
  }
  if (data.anchor != nullptr && !KeepScalar(event, scalar, text)) return false;
  if (AtKey()) return AddKey(event.start_mark, scalar, text);

  if (scalar.kind == YamlScalar::Kind::kFloat && !std::isfinite(scalar.real)) {
    return Fail(event.start_mark, "`" + std::string(text) + "` cannot be written as JSON",
                "use a finite number, or quote it if it is meant as a string");
  }
  if (!StartNode(event.start_mark, NodeKind::kScalar)) return false;
  // A document with only an empty scalar is not a document.
  if (frames_.empty() && text.empty() && data.tag == nullptr && data.plain_implicit != 0) {
    has_content_ = data.anchor != nullptr;
  }
  AppendScalarJson(document_.json, scalar, text);
  return true;
}

bool YamlReader::Transcoder::AddKey(const yaml_mark_t& mark, const YamlScalar& scalar,
                                    std::string_view text) {
  StartKey(mark);
  if (AppendScalarKey(document_.json, scalar, text)) return true;
  if (scalar.kind == YamlScalar::Kind::kNull) {
    return Fail(mark, "null is used as a key", "write the key, or quote it: \"null\"");
  }
  return Fail(mark, "the number is too large for a key", "quote the key");
}

// Stores an anchored scalar as value and as key.
bool YamlReader::Transcoder::KeepScalar(const yaml_event_t& event, const YamlScalar& scalar,
                                        std::string_view text) {
  size_t index = kNone;
  if (!AddAnchor(event.start_mark, event.data.scalar.anchor, &index)) return false;
  Anchor& anchor = anchors_[index];
  anchor.is_owned = true;
  AppendScalarKey(anchor.key, scalar, text);
  if (scalar.kind != YamlScalar::Kind::kFloat || std::isfinite(scalar.real)) {
    AppendScalarJson(anchor.own, scalar, text);
  }
  anchor.length = anchor.own.size();
  return true;
}

bool YamlReader::Transcoder::AddAnchor(const yaml_mark_t& mark, const yaml_char_t* name,
                                       size_t* index) {
  if (name == nullptr) return true;
  if (anchors_.size() >= options_.max_anchors) {
    return Fail(mark,
                "the document has more than " + std::to_string(options_.max_anchors) + " anchors",
                "split the document");
  }
  *index = anchors_.size();
  anchor_names_.insert_or_assign(std::string(View(name)), *index);
  anchors_.emplace_back().begin = document_.json.size();
  return true;
}

bool YamlReader::Transcoder::AddAlias(const yaml_event_t& event) {
  const yaml_mark_t& mark = event.start_mark;
  const std::string name(View(event.data.alias.anchor));
  const auto it = anchor_names_.find(name);
  if (it == anchor_names_.end()) {
    return Fail(mark, "the alias *" + name + " has no anchor",
                "define &" + name + " before it in the same document, or quote the value");
  }
  const Anchor& anchor = anchors_[it->second];
  if (anchor.length == kNone) {
    return Fail(mark, "the alias *" + name + " stands inside the node that it names",
                "a node cannot contain itself");
  }
  if (AtKey()) return AddAliasKey(mark, anchor);
  if (anchor.length == 0) {
    return Fail(mark, "the number that *" + name + " names cannot be written as JSON",
                "use a finite number");
  }
  return AddCopy(mark, anchor);
}

bool YamlReader::Transcoder::AddAliasKey(const yaml_mark_t& mark, const Anchor& anchor) {
  if (anchor.key.empty()) {
    return Fail(mark, "the alias names nothing that can be a key",
                "a key must be a string, a number or a boolean");
  }
  if (!Spend(mark, anchor.key.size())) return false;
  StartKey(mark);
  document_.json += anchor.key;
  return true;
}

bool YamlReader::Transcoder::AddCopy(const yaml_mark_t& mark, const Anchor& anchor) {
  const NodeKind kind = anchor.is_mapping   ? NodeKind::kMapping
                        : anchor.height > 0 ? NodeKind::kList
                                            : NodeKind::kScalar;
  if (!CheckDepth(mark, anchor.height) || !Spend(mark, anchor.length) ||
      !StartNode(mark, kind, true)) {
    return false;
  }
  RaiseHeight(anchor.height);
  if (anchor.is_owned) {
    document_.json += anchor.own;
  } else {
    document_.json.append(document_.json, anchor.begin, anchor.length);
  }
  return true;
}

// Updates the open collection for a child of this height.
void YamlReader::Transcoder::RaiseHeight(int height) {
  if (frames_.empty()) return;
  frames_.back().height = std::max(frames_.back().height, height + 1);
}

bool YamlReader::Transcoder::Open(const yaml_event_t& event, NodeKind kind,
                                  const yaml_char_t* anchor) {
  if (AtKey()) {
    return Fail(event.start_mark, "a mapping or a list is used as a key",
                "keys are strings; text with {{ }} or [ ] as a key or a value must be quoted");
  }
  const bool is_mapping = kind == NodeKind::kMapping;
  const bool is_merge_list =
      !is_mapping && !frames_.empty() && frames_.back().is_mapping && frames_.back().is_merge_value;
  Frame frame{
      .first_merge = merges_.size(), .is_mapping = is_mapping, .is_merge_value = is_merge_list};
  if (!CheckDepth(event.start_mark, 1) || !StartNode(event.start_mark, kind) ||
      !AddAnchor(event.start_mark, anchor, &frame.anchor)) {
    return false;
  }
  frame.begin = document_.json.size();
  frames_.push_back(frame);
  document_.json += is_mapping ? '{' : '[';
  return true;
}

bool YamlReader::Transcoder::Close(const yaml_mark_t& mark) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  std::string& json = document_.json;
  json += frame.is_mapping ? '}' : ']';
  if (frame.is_mapping && merges_.size() > frame.first_merge) {
    if (!Spend(mark, json.size() - frame.begin) || !DetachAnchorsFrom(mark, frame.begin + 1)) {
      return false;
    }
    ResolveMerges(json, document_.map, frame.begin, std::span(merges_).subspan(frame.first_merge));
    merges_.resize(frame.first_merge);
  }
  if (frame.anchor != kNone) {
    Anchor& anchor = anchors_[frame.anchor];
    anchor.length = json.size() - frame.begin;
    anchor.height = frame.height;
    anchor.is_mapping = frame.is_mapping;
  }
  RaiseHeight(frame.height);
  return true;
}

// Copies the text of anchored nodes behind the offset, since that text is about to change.
bool YamlReader::Transcoder::DetachAnchorsFrom(const yaml_mark_t& mark, size_t offset) {
  for (auto it = anchors_.rbegin(); it != anchors_.rend() && it->begin >= offset; ++it) {
    if (it->is_owned) continue;
    if (!Spend(mark, it->length)) return false;
    it->own = document_.json.substr(it->begin, it->length);
    it->is_owned = true;
  }
  return true;
}

bool YamlReader::Transcoder::Spend(const yaml_mark_t& mark, size_t bytes) {
  if (bytes > alias_budget_) {
    return Fail(mark, "the aliases expand to too much text",
                "write the repeated parts out, or split the document");
  }
  alias_budget_ -= bytes;
  return true;
}

bool YamlReader::Transcoder::CheckDepth(const yaml_mark_t& mark, int height) {
  if (static_cast<int>(frames_.size()) + height <= options_.max_depth) return true;
  return Fail(
      mark,
      "mappings and lists are nested deeper than " + std::to_string(options_.max_depth) + " levels",
      "flatten the document");
}

// libyaml compares every %TAG directive with all earlier ones; a text of only directives would take
// hours.
bool YamlReader::Transcoder::HasTooManyDirectives() {
  constexpr size_t kMax = 1000;
  size_t count = 0;
  for (size_t at = text_.find("%TAG"); at != text_.npos; at = text_.find("%TAG", at + 4)) {
    if (at > 0 && text_[at - 1] != '\n' && text_[at - 1] != '\r') continue;
    if (++count <= kMax) continue;
    const TextPosition position = PositionInText(text_, at);
    error_ = {.message = "the text has more than 1000 %TAG directives",
              .hint = "write tags in full",
              .place = {.file = {}, .line = position.line, .column = position.column}};
    return true;
  }
  return false;
}

YamlReader::YamlReader(std::string_view text, YamlOptions options)
    : transcoder_(std::make_unique<Transcoder>(text, std::move(options))) {}
YamlReader::YamlReader(YamlReader&&) noexcept = default;
YamlReader& YamlReader::operator=(YamlReader&&) noexcept = default;
YamlReader::~YamlReader() = default;

base::Result<std::optional<YamlDocument>> YamlReader::Next() { return transcoder_->Next(); }

base::Result<std::vector<YamlDocument>> YamlToJson(std::string_view text,
                                                   const YamlOptions& options) {
  YamlReader reader(text, options);
  std::vector<YamlDocument> documents;
  for (;;) {
    auto document = reader.Next();
    if (!document) return std::unexpected(std::move(document.error()));
    if (!*document) return documents;
    documents.push_back(std::move(**document));
  }
}

}  // namespace berth::schema

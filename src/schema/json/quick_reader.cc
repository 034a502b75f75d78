#include "schema/json/quick_reader.h"

#include <array>
#include <charconv>
#include <cstring>
#include <span>

#include "quantity/json_token.h"
#include "schema/json/quick_scalar.h"

namespace berth::schema {
namespace {

// The careful reader compares at most this many keys of a free-form object.
constexpr size_t kMostCompared = 64;

// The fields of a struct read so far.
class SlotSet {
 public:
  // Returns false if already present.
  bool Add(size_t i) {
    uint64_t& word = words_[i / 64];
    const uint64_t bit = uint64_t{1} << i % 64;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  std::array<uint64_t, Layout::kMostFields / 64> words_{};
};

// A new value in an optional; inline for the most common types.
[[gnu::always_inline]] inline void* Emplace(const Slot& slot, void* optional) {
  switch (slot.shape) {
    case Shape::kString:
      return &static_cast<std::optional<std::string>*>(optional)->emplace();
    case Shape::kBool:
      return &static_cast<std::optional<bool>*>(optional)->emplace();
    case Shape::kInt32:
      return &static_cast<std::optional<int32_t>*>(optional)->emplace();
    default:
      return slot.type->optional->emplace(optional);
  }
}

const char* ReadQuantity(const char* at, quantity::Quantity& target) {
  const char* const begin = at;
  if (*at == '"') {
    TakePlainString(at);
  } else {
    at = SkipNumber(at);
  }
  if (at == nullptr) return nullptr;
  const bool is_plain = begin[1] > '0' && begin[1] <= '9' && at[-2] > ' ';
  auto parsed = is_plain && *begin == '"' ? quantity::Quantity::Parse({begin + 1, at - 1})
                                          : quantity::ParseJsonToken({begin, at});
  if (!parsed) return nullptr;
  target = *std::move(parsed);
  return at;
}

const char* ReadTime(const char* at, base::Time& target) {
  const std::string_view text = TakePlainString(at);
  if (at == nullptr) return nullptr;
  const std::optional<base::Time> time = base::ParseTime(text);
  if (!time) return nullptr;
  target = *time;
  return at;
}

const char* ReadDuration(const char* at, base::Duration& target) {
  const std::string_view text = TakePlainString(at);
  if (at == nullptr) return nullptr;
  const std::optional<base::Duration> duration = base::ParseDuration(text);
  if (!duration) return nullptr;
  target = *duration;
  return at;
}

const char* ReadDouble(const char* at, double& target) {
  const char* const end = SkipNumber(at);
  if (end == nullptr) return nullptr;
  const auto [stop, error] = std::from_chars(at, end, target);
  return error == std::errc() && stop == end ? end : nullptr;
}

}  // namespace

static_assert(Layout::kMostKeySize < QuickReader::kPadding);

// The state of a struct being read.
struct QuickReader::Frame {
  Layout& layout;
  void* self;
  bool is_root;
  SlotSet seen;
  size_t first_key;  // index of its unknown fields in keys_
  size_t first_run;  // index in runs_
};

bool QuickReader::Read(std::string_view text, Layout& layout, void* out, const Kind* kind,
                       bool is_previous) {
  kind_ = kind;
  is_previous_ = is_previous;
  const char* at = text.data();
  if (*at != '{') return false;
  at = ReadStruct(at, layout, out, true);
  if (at == nullptr) return false;
  while (*at == '\n' || *at == ' ') ++at;
  return at == text.data() + text.size();
}

const char* QuickReader::ReadStruct(const char* at, Layout& layout, void* self, bool is_root) {
  Frame frame{.layout = layout,
              .self = self,
              .is_root = is_root,
              .seen = {},
              .first_key = keys_.size(),
              .first_run = runs_.size()};
  uint16_t* next = &layout.first();
  ++at;  // '{'
  if (*at == '}') return Finish(at + 1, frame);
  while (true) {
    Slot* slot = &layout.slots()[*next];
    if (!IsKeyAt(*slot, at)) [[unlikely]]
      slot = layout.FindKeyAt(at);
    if (slot != nullptr) {
      *next = slot->index;
      next = &slot->next;
      at = ReadMember(at, frame, *slot);
    } else {
      at = ReadUnknown(at, frame);
    }
    if (at == nullptr) return nullptr;
    const char after = *at++;
    if (after == '}') return Finish(at, frame);
    if (after != ',') return nullptr;
  }
}

// `at` is behind the closing brace.
inline const char* QuickReader::Finish(const char* at, const Frame& frame) {
  if (runs_.size() != frame.first_run) StoreRuns(frame);
  if (keys_.size() != frame.first_key) keys_.resize(frame.first_key);
  if (is_previous_ && frame.layout.type().upgrade != nullptr)
    frame.layout.type().upgrade(frame.self);
  return at;
}

inline const char* QuickReader::ReadMember(const char* at, Frame& frame, Slot& slot) {
  if (!frame.seen.Add(slot.index)) return nullptr;
  const char* const key = at;
  at += slot.key().size();
  if (StartsWith(at, "null")) return at + 4;
  if (!slot.is_carried) return ReadField(at, frame.layout, slot, frame.self);
  at = Skip(at, 0);
  if (at != nullptr) AddToRun(frame, key, at);
  return at;
}

const char* QuickReader::ReadUnknown(const char* at, Frame& frame) {
  const char* const begin = at;
  const std::string_view key = TakePlainString(at);
  if (at == nullptr || *at++ != ':') return nullptr;
  if (frame.is_root && key == "apiVersion") return ReadTypeMeta(at, key, seen_api_version_);
  if (frame.is_root && key == "kind") return ReadTypeMeta(at, key, seen_kind_);
  if (is_previous_ || keys_.size() - frame.first_key >= kMostCompared) return nullptr;
  if (!AddNewKey(key, frame.first_key)) return nullptr;
  at = Skip(at, 0);
  if (at != nullptr) AddToRun(frame, begin, at);
  return at;
}

const char* QuickReader::ReadTypeMeta(const char* at, std::string_view key, bool& seen) {
  const std::string_view value = TakePlainString(at);
  if (at == nullptr || seen) return nullptr;
  seen = true;
  if (kind_ == nullptr) return at;
  if (key == "kind") return value == kind_->kind ? at : nullptr;
  if (is_previous_) return at;
  const std::string_view group = kind_->group;
  if (group.empty()) return value == kind_->version ? at : nullptr;
  const bool is_same = value.size() == group.size() + 1 + kind_->version.size() &&
                       value.starts_with(group) && value[group.size()] == '/' &&
                       value.ends_with(kind_->version);
  return is_same ? at : nullptr;
}

inline const char* QuickReader::ReadField(const char* at, Layout& layout, Slot& slot, void* self) {
  void* target = static_cast<char*>(self) + slot.offset;
  if (slot.is_optional) target = Emplace(slot, target);
  const Type& type = *slot.type;
  switch (slot.shape) {
    case Shape::kString:
      return ReadString(at, *static_cast<std::string*>(target));
    case Shape::kStruct:
      return *at == '{' ? ReadStruct(at, *layout.StructureOf(slot), target, false) : nullptr;
    case Shape::kList:
      if (slot.last_size > 1) type.list->reserve(target, slot.last_size);
      at = ReadList(at, type, layout.StructureOf(slot), target);
      slot.NoteSize(type.list->size(target));
      return at;
    case Shape::kMap:
      if (slot.last_size > 1) type.map->reserve(target, slot.last_size);
      at = ReadMap(at, type, layout.StructureOf(slot), target);
      slot.NoteSize(type.map->size(target));
      return at;
    default:
      return ReadValue(at, type, nullptr, target);
  }
}

const char* QuickReader::ReadValue(const char* at, const Type& type, Layout* structure,
                                   void* target) {
  switch (type.shape) {
    case Shape::kString:
      return ReadString(at, *static_cast<std::string*>(target));
    case Shape::kInt32:
      return ReadInteger(at, *static_cast<int32_t*>(target));
    case Shape::kInt64:
      return ReadInteger(at, *static_cast<int64_t*>(target));
    case Shape::kBool:
      return ReadBool(at, *static_cast<bool*>(target));
    case Shape::kQuantity:
      return ReadQuantity(at, *static_cast<quantity::Quantity*>(target));
    case Shape::kTime:
      return ReadTime(at, *static_cast<base::Time*>(target));
    case Shape::kDuration:
      return ReadDuration(at, *static_cast<base::Duration*>(target));
    case Shape::kDouble:
      return ReadDouble(at, *static_cast<double*>(target));
    case Shape::kJson:
      return ReadJson(at, target);
    case Shape::kStruct:
      return *at == '{' ? ReadStruct(at, *structure, target, false) : nullptr;
    case Shape::kList:
      return ReadList(at, type, structure, target);
    case Shape::kMap:
      return ReadMap(at, type, structure, target);
    case Shape::kIntOrString:
      return nullptr;
  }
  return nullptr;
}

const char* QuickReader::ReadList(const char* at, const Type& type, Layout* structure, void* list) {
  if (*at++ != '[') return nullptr;
  if (*at == ']') return at + 1;
  while (true) {
    void* element = type.list->append(list);
    at = StartsWith(at, "null") ? at + 4 : ReadValue(at, *type.element, structure, element);
    if (at == nullptr) return nullptr;
    const char after = *at++;
    if (after == ']') return at;
    if (after != ',') return nullptr;
  }
}

const char* QuickReader::ReadMap(const char* at, const Type& type, Layout* structure, void* map) {
  // Inserting in the middle moves entries. The careful reader sorts the keys first.
  constexpr size_t kMostUnsorted = 64;
  if (*at++ != '{') return nullptr;
  if (*at == '}') return at + 1;
  std::string_view last;
  for (size_t count = 0;; ++count) {
    const std::string_view key = TakePlainString(at);
    if (at == nullptr || *at++ != ':') return nullptr;
    if (count >= kMostUnsorted && key < last) return nullptr;
    last = key;
    bool is_new = false;
    void* value = type.map->insert(map, key, &is_new);
    if (!is_new) return nullptr;
    at = StartsWith(at, "null") ? at + 4 : ReadValue(at, *type.element, structure, value);
    if (at == nullptr) return nullptr;
    const char after = *at++;
    if (after == '}') return at;
    if (after != ',') return nullptr;
  }
}

const char* QuickReader::ReadJson(const char* at, void* target) {
  const char* const end = Skip(at, 0);
  if (end != nullptr) static_cast<Json*>(target)->text.assign(at, end);
  return end;
}

void QuickReader::AddToRun(const Frame& frame, const char* begin, const char* end) {
  const bool continues = runs_.size() > frame.first_run && begin == runs_.back().end + 1;
  if (continues) {
    runs_.back().end = end;
  } else {
    runs_.push_back({begin, end});
  }
}

void QuickReader::StoreRuns(const Frame& frame) {
  const auto runs = std::span(runs_).subspan(frame.first_run);
  size_t size = runs.size() - 1;
  for (const Run& run : runs) size += static_cast<size_t>(run.end - run.begin);
  std::string members;
  members.reserve(size);
  for (const Run& run : runs) {
    if (!members.empty()) members.push_back(',');
    members.append(run.begin, static_cast<size_t>(run.end - run.begin));
  }
  frame.layout.ExtraOf(frame.self).members = std::move(members);
  runs_.resize(frame.first_run);
}

// --- Carried values ------------------------------------------------------------------------------

const char* QuickReader::Skip(const char* at, int depth) {
  switch (*at) {
    case '"':
      return SkipString(at);
    case '{':
      return depth < max_depth_ ? SkipObject(at + 1, depth) : nullptr;
    case '[':
      return depth < max_depth_ ? SkipArray(at + 1, depth) : nullptr;
    case 't':
      return StartsWith(at, "true") ? at + 4 : nullptr;
    case 'f':
      return StartsWith(at, "false") ? at + 5 : nullptr;
    case 'n':
      return StartsWith(at, "null") ? at + 4 : nullptr;
    default:
      return SkipNumber(at);
  }
}

const char* QuickReader::SkipObject(const char* at, int depth) {
  const size_t first_key = keys_.size();
  if (*at == '}') return at + 1;
  while (true) {
    const char* const key = at;
    at = SkipString(at);
    if (at == nullptr || *at != ':' || !AddNewKey({key, at}, first_key)) return nullptr;
    at = Skip(at + 1, depth + 1);
    if (at == nullptr) return nullptr;
    const char after = *at++;
    if (after == '}') break;
    if (after != ',') return nullptr;
  }
  keys_.resize(first_key);
  return at;
}

const char* QuickReader::SkipArray(const char* at, int depth) {
  if (*at == ']') return at + 1;
  while (true) {
    at = Skip(at, depth + 1);
    if (at == nullptr) return nullptr;
    const char after = *at++;
    if (after == ']') return at;
    if (after != ',') return nullptr;
  }
}

bool QuickReader::AddNewKey(std::string_view key, size_t first_key) {
  if (keys_.size() - first_key >= kMostCompared) return true;
  for (size_t i = first_key; i < keys_.size(); ++i) {
    if (keys_[i].size() == key.size() && std::memcmp(keys_[i].data(), key.data(), key.size()) == 0)
      return false;
  }
  keys_.push_back(key);
  return true;
}

}  // namespace berth::schema

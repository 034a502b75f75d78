#include "schema/encode.h"

#include <array>
#include <charconv>

#include "base/check.h"
#include "schema/access.h"
#include "schema/json/buffer.h"
#include "schema/layout.h"

namespace berth::schema {
namespace {

// Writes described values to a buffer.
class Writer {
 public:
  explicit Writer(JsonBuffer& out) : out_(out) {}

  // `has_members`: the opening brace and some members are already written.
  void WriteStruct(Layout& layout, const void* self, bool has_members) {
    if (!has_members) out_.Put('{');
    for (const MemberSlot& member : layout.members()) {
      const void* value = ValueIn(member, static_cast<const char*>(self) + member.offset);
      if (value != nullptr && WriteMember(layout, member, value, has_members)) has_members = true;
    }
    const std::string& extra = layout.ExtraOf(self).members;
    if (!extra.empty()) {
      if (has_members) out_.Put(',');
      out_.Put(extra);
    }
    out_.Put('}');
  }

 private:
  // Prepends a comma if needed; returns false if nothing was written.
  bool WriteMember(Layout& layout, const MemberSlot& member, const void* value, bool has_members) {
    const size_t before = out_.size();
    const std::string_view key = member.comma_key;
    out_.PutPadded(has_members ? key : key.substr(1));
    if (member.shape == Shape::kString) return out_.PutString(As<std::string>(value)), true;
    const size_t value_at = out_.size();
    WriteValue(*member.type, layout.StructureOf(*member.slot), member.is_micro_time, value);
    if (!member.is_omitted_if_empty || out_.size() != value_at + 2) return true;
    out_.CutTo(before);
    return false;
  }

  template <class T>
  static const void* Behind(const void* optional) {
    const auto& value = As<std::optional<T>>(optional);
    return value ? &*value : nullptr;
  }

  // The value of a member, unwrapped from its optional; null if absent.
  static const void* ValueIn(const MemberSlot& member, const void* at) {
    using enum MemberSlot::Presence;
    switch (member.presence) {
      case kAlways:
        return at;
      case kUnlessZero:
        return IsZero(*member.type, at) ? nullptr : at;
      case kNonEmptyString:
        return As<std::string>(at).empty() ? nullptr : at;
      case kNonEmptyList:
        return member.type->list->size(at) == 0 ? nullptr : at;
      case kNonEmptyMap:
        return member.type->map->size(at) == 0 ? nullptr : at;
      case kOptional:
        return member.type->optional->get(at);
      case kOptionalBool:
        return Behind<bool>(at);
      case kOptionalInt32:
        return Behind<int32_t>(at);
      case kOptionalInt64:
        return Behind<int64_t>(at);
      case kOptionalString:
        return Behind<std::string>(at);
      case kOptionalTime:
        return Behind<base::Time>(at);
    }
    return nullptr;
  }

  // `value` is not an optional; `structure` is the layout of the structs in it, if any.
  void WriteValue(const Type& type, Layout* structure, bool is_micro_time, const void* value) {
    switch (type.shape) {
      case Shape::kBool:
        return out_.Put(As<bool>(value) ? std::string_view("true") : std::string_view("false"));
      case Shape::kInt32:
        return out_.PutNumber(As<int32_t>(value));
      case Shape::kInt64:
        return out_.PutNumber(As<int64_t>(value));
      case Shape::kDouble:
        return WriteDouble(As<double>(value));
      case Shape::kString:
        return out_.PutString(As<std::string>(value));
      case Shape::kQuantity:
        return WriteQuantity(As<quantity::Quantity>(value));
      case Shape::kTime:
        return WriteTime(As<base::Time>(value), is_micro_time);
      case Shape::kDuration:
        return out_.PutString(base::FormatDuration(As<base::Duration>(value)));
      case Shape::kJson:
        return out_.Put(As<Json>(value).text.empty() ? std::string_view("null")
                                                     : std::string_view(As<Json>(value).text));
      case Shape::kStruct:
        return WriteStruct(*structure, value, false);
      case Shape::kList:
        return WriteList(type, structure, is_micro_time, value);
      case Shape::kMap:
        return WriteMap(type, structure, is_micro_time, value);
      case Shape::kIntOrString:
        CHECK(false && "kIntOrString is for carried fields");
    }
  }

  void WriteDouble(double value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out_.Put(std::string_view(buffer.data(), end));
  }

  void WriteQuantity(const quantity::Quantity& value) {
    text_.assign(1, '"');
    value.AppendTo(text_);
    text_ += '"';
    out_.Put(text_);
  }

  void WriteTime(base::Time time, bool is_micro_time) {
    out_.PutAtMost(base::kMostTimeSize + 2, [=](char* at) {
      *at++ = '"';
      at = is_micro_time ? base::WriteMicroTime(at, time) : base::WriteTime(at, time);
      *at++ = '"';
      return at;
    });
  }

  void WriteList(const Type& type, Layout* structure, bool is_micro_time, const void* list) {
    out_.Put('[');
    const size_t n = type.list->size(list);
    for (size_t i = 0; i < n; ++i) {
      if (i > 0) out_.Put(',');
      WriteValue(*type.element, structure, is_micro_time, type.list->at(list, i));
    }
    out_.Put(']');
  }

  void WriteMap(const Type& type, Layout* structure, bool is_micro_time, const void* map) {
    // Fast path for labels, selectors and resource lists, which are nearly all maps.
    if (type.element->shape == Shape::kString)
      return WriteEntries(As<base::FlatMap<std::string>>(map),
                          [this](const std::string& value) { out_.PutString(value); });
    if (type.element->shape == Shape::kQuantity)
      return WriteEntries(As<base::FlatMap<quantity::Quantity>>(map),
                          [this](const quantity::Quantity& value) { WriteQuantity(value); });
    out_.Put('{');
    const size_t n = type.map->size(map);
    for (size_t i = 0; i < n; ++i) {
      if (i > 0) out_.Put(',');
      std::string_view key;
      const void* value = type.map->at(map, i, &key);
      out_.PutString(key);
      out_.Put(':');
      WriteValue(*type.element, structure, is_micro_time, value);
    }
    out_.Put('}');
  }

  template <class Map, class Write>
  void WriteEntries(const Map& map, const Write& write) {
    out_.Put('{');
    bool is_first = true;
    for (const auto& [key, value] : map) {
      if (!is_first) out_.Put(',');
      is_first = false;
      out_.PutString(key);
      out_.Put(':');
      write(value);
    }
    out_.Put('}');
  }

  JsonBuffer& out_;
  std::string text_;
};

JsonBuffer& EmptyBuffer() {
  thread_local JsonBuffer buffer;
  buffer.Clear();
  return buffer;
}

}  // namespace

void EncodeTo(std::string& out, const Struct& type, const void* self) {
  JsonBuffer& buffer = EmptyBuffer();
  Writer(buffer).WriteStruct(Layout::Of(type, false), self, false);
  out += buffer.text();
}

void EncodeTo(std::string& out, const Kind& kind, const void* self) {
  JsonBuffer& buffer = EmptyBuffer();
  buffer.Put("{\"apiVersion\":\"");
  if (!kind.group.empty()) {
    buffer.Put(kind.group);
    buffer.Put('/');
  }
  buffer.Put(kind.version);
  buffer.Put("\",\"kind\":\"");
  buffer.Put(kind.kind);
  buffer.Put('"');
  Writer(buffer).WriteStruct(Layout::Of(kind.structure(), false), self, true);
  out += buffer.text();
}

}  // namespace berth::schema

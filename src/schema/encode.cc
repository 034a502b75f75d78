#include "schema/encode.h"

#include <array>
#include <charconv>

#include "base/check.h"
#include "schema/access.h"
#include "schema/json_buffer.h"
#include "schema/layout.h"

namespace berth::schema {
namespace {

// Puts described values into a buffer.
class Writer {
 public:
  explicit Writer(JsonBuffer& out) : out_(out) {}

  // `has_members`: the opening brace and some members have been written already.
  void WriteStruct(Layout& layout, const void* self, bool has_members) {
    if (!has_members) out_.Put('{');
    for (Slot* slot : layout.members()) {
      if (WriteField(layout, *slot, self, has_members)) has_members = true;
    }
    const std::string& extra = layout.ExtraOf(self).members;
    if (!extra.empty()) {
      if (has_members) out_.Put(',');
      out_.Put(extra);
    }
    out_.Put('}');
  }

 private:
  // Writes one field with a comma before it if need be; returns whether it wrote anything.
  bool WriteField(Layout& layout, Slot& slot, const void* self, bool has_members) {
    const void* value = ValueIn(slot, static_cast<const char*>(self) + slot.offset);
    if (value == nullptr) return false;
    const size_t before = out_.size();
    out_.PutPadded(has_members ? slot.comma_key : slot.key());
    if (slot.shape == Shape::kString) return out_.PutString(As<std::string>(value)), true;
    const size_t value_at = out_.size();
    WriteValue(*slot.type, layout.StructureOf(slot), slot.field->is_micro_time, value);
    const bool is_empty_struct = slot.shape == Shape::kStruct && slot.type->optional == nullptr &&
                                 !slot.field->is_required && out_.size() == value_at + 2;
    if (is_empty_struct) out_.CutTo(before);
    return !is_empty_struct;
  }

  // What is in a member, behind its optional; null if that counts as absent.
  static const void* ValueIn(const Slot& slot, const void* member) {
    if (slot.type->optional != nullptr) return slot.type->optional->get(member);
    if (slot.field->is_required) return member;
    if (slot.shape == Shape::kString) return As<std::string>(member).empty() ? nullptr : member;
    return IsZero(*slot.type, member) ? nullptr : member;
  }

  // `value` is the value itself, not an optional around it; `structure` the layout of the structs
  // in it, if there are any.
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
    out_.Put('"');
    out_.Put(is_micro_time ? base::FormatMicroTime(time) : base::FormatTime(time));
    out_.Put('"');
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

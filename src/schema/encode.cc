#include "schema/encode.h"

#include <array>
#include <charconv>

#include "base/check.h"
#include "schema/access.h"
#include "schema/json_text.h"

namespace berth::schema {
namespace {

void WriteStruct(std::string& out, const Struct& type, const void* self, bool has_members);
void WriteValue(std::string& out, const Type& type, bool is_micro_time, const void* value);

template <class T>
const T& As(const void* value) {
  return *static_cast<const T*>(value);
}

void WriteDouble(std::string& out, double value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), result.ptr);
}

void WriteList(std::string& out, const Type& type, bool is_micro_time, const void* list) {
  out += '[';
  const size_t n = type.list->size(list);
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) out += ',';
    WriteValue(out, *type.element, is_micro_time, type.list->at(list, i));
  }
  out += ']';
}

void WriteMap(std::string& out, const Type& type, bool is_micro_time, const void* map) {
  out += '{';
  const size_t n = type.map->size(map);
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) out += ',';
    std::string_view key;
    const void* value = type.map->at(map, i, &key);
    AppendJsonString(out, key);
    out += ':';
    WriteValue(out, *type.element, is_micro_time, value);
  }
  out += '}';
}

// `value` points at the value itself, not at an optional around it.
void WriteValue(std::string& out, const Type& type, bool is_micro_time, const void* value) {
  switch (type.shape) {
    case Shape::kBool:
      out += As<bool>(value) ? "true" : "false";
      break;
    case Shape::kInt32:
      AppendInt(out, As<int32_t>(value));
      break;
    case Shape::kInt64:
      AppendInt(out, As<int64_t>(value));
      break;
    case Shape::kDouble:
      WriteDouble(out, As<double>(value));
      break;
    case Shape::kString:
      AppendJsonString(out, As<std::string>(value));
      break;
    case Shape::kQuantity:
      out += '"';
      As<quantity::Quantity>(value).AppendTo(out);
      out += '"';
      break;
    case Shape::kTime: {
      const base::Time time = As<base::Time>(value);
      out += '"';
      out += is_micro_time ? base::FormatMicroTime(time) : base::FormatTime(time);
      out += '"';
      break;
    }
    case Shape::kDuration:
      AppendJsonString(out, base::FormatDuration(As<base::Duration>(value)));
      break;
    case Shape::kJson: {
      const std::string& text = As<Json>(value).text;
      out += text.empty() ? "null" : text;
      break;
    }
    case Shape::kStruct:
      WriteStruct(out, type.structure(), value, false);
      break;
    case Shape::kList:
      WriteList(out, type, is_micro_time, value);
      break;
    case Shape::kMap:
      WriteMap(out, type, is_micro_time, value);
      break;
    case Shape::kIntOrString:
      CHECK(false && "kIntOrString is for carried fields");
      break;
  }
}

// Writes one field with a comma before it if need be; returns whether it wrote anything.
bool WriteField(std::string& out, const Field& field, const void* self, bool has_members) {
  if (field.is_former) return false;
  const Type& type = *field.type;
  const void* value = ValueOf(field, self);
  if (value == nullptr) return false;
  const size_t before = out.size();
  if (has_members) out += ',';
  out += '"';
  out += field.name;
  out += "\":";
  const size_t value_at = out.size();
  WriteValue(out, type, field.is_micro_time, value);
  const bool is_empty_struct = type.shape == Shape::kStruct && type.optional == nullptr &&
                               !field.is_required && out.size() == value_at + 2;
  if (is_empty_struct) out.resize(before);
  return !is_empty_struct;
}

// `has_members`: the opening brace and some members stand already in `out`.
void WriteStruct(std::string& out, const Struct& type, const void* self, bool has_members) {
  if (!has_members) out += '{';
  for (const Field& field : type.fields) {
    if (WriteField(out, field, self, has_members)) has_members = true;
  }
  const std::string& extra = type.extra(const_cast<void*>(self))->members;
  if (!extra.empty()) {
    if (has_members) out += ',';
    out += extra;
  }
  out += '}';
}

}  // namespace

void EncodeTo(std::string& out, const Struct& type, const void* self) {
  WriteStruct(out, type, self, false);
}

void EncodeTo(std::string& out, const Kind& kind, const void* self) {
  out += "{\"apiVersion\":\"";
  if (!kind.group.empty()) {
    out += kind.group;
    out += '/';
  }
  out += kind.version;
  out += "\",\"kind\":\"";
  out += kind.kind;
  out += '"';
  WriteStruct(out, kind.structure(), self, true);
}

}  // namespace berth::schema

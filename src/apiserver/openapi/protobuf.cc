#include "apiserver/openapi/protobuf.h"

#include <array>
#include <bit>
#include <cstdint>

namespace berth::apiserver {
namespace {

// Field numbers are those of google/gnostic-models, openapiv2/OpenAPIv2.proto.
class MessageWriter {
 public:
  void Text(uint32_t field, std::string_view text) {
    Varint(field << 3 | 2);
    Varint(text.size());
    out_ += text;
  }
  void Message(uint32_t field, const MessageWriter& message) { Text(field, message.out_); }
  void Number(uint32_t field, uint64_t number) {
    Varint(field << 3);
    Varint(number);
  }
  void Double(uint32_t field, double number) {
    Varint(field << 3 | 1);
    auto bits = std::bit_cast<uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8) out_ += static_cast<char>(bits & 0xff);
  }
  std::string Take() { return std::move(out_); }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  std::string out_;
};

struct Keyword {
  std::string_view name;
  uint32_t field;
};
constexpr auto kTexts = std::to_array<Keyword>(
    {{"$ref", 1}, {"format", 2}, {"title", 3}, {"description", 4}, {"pattern", 13}});
constexpr auto kNumbers = std::to_array<Keyword>({{"maxLength", 11},
                                                  {"minLength", 12},
                                                  {"maxItems", 14},
                                                  {"minItems", 15},
                                                  {"maxProperties", 17},
                                                  {"minProperties", 18}});
constexpr auto kDoubles = std::to_array<Keyword>({{"maximum", 7}, {"minimum", 9}});

MessageWriter SchemaMessage(const json::value& schema);

// Any value, as YAML text.
MessageWriter AnyMessage(const json::value& value) {
  MessageWriter any;
  any.Text(2, json::Print(value));
  return any;
}

// NamedSchema and NamedAny.
MessageWriter NamedMessage(std::string_view name, const MessageWriter& value) {
  MessageWriter named;
  named.Text(1, name);
  named.Message(2, value);
  return named;
}

// Definitions and Properties.
MessageWriter NamedSchemas(const json::value& schemas) {
  MessageWriter message;
  for (const auto& member : schemas.get_object())
    message.Message(1, NamedMessage(json::View(member.key()), SchemaMessage(member.value())));
  return message;
}

// The contents of a schema that allows unknown fields are unknown to version 2.
bool IsArbitrary(const json::value& schema) {
  return json::IsTrue(schema, "x-kubernetes-preserve-unknown-fields") ||
         json::IsTrue(schema, "x-kubernetes-int-or-string");
}

void WriteScalars(const json::value& schema, MessageWriter& message) {
  for (const auto& [name, field] : kTexts)
    if (const std::string_view text = json::StringAt(schema, {name}); !text.empty())
      message.Text(field, text);
  for (const auto& [name, field] : kNumbers)
    if (const json::value* number = json::Find(schema, {name}); number && number->is_int64())
      message.Number(field, static_cast<uint64_t>(number->get_int64()));
  for (const auto& [name, field] : kDoubles)
    if (const json::value* number = json::Find(schema, {name}); number && number->is_number())
      message.Double(field, number->to_number<double>());
}

void WriteStructure(const json::value& schema, MessageWriter& message) {
  if (const json::value* more = json::Find(schema, {"additionalProperties"});
      more != nullptr && more->is_object()) {
    MessageWriter item;
    item.Message(1, SchemaMessage(*more));
    message.Message(21, item);
  }
  if (const std::string_view type = json::StringAt(schema, {"type"}); !type.empty()) {
    MessageWriter item;
    item.Text(1, type);
    message.Message(22, item);
  }
  if (const json::value* items = json::Find(schema, {"items"}); items && items->is_object()) {
    MessageWriter item;
    item.Message(1, SchemaMessage(*items));
    message.Message(23, item);
  }
  if (const json::value* properties = json::Find(schema, {"properties"});
      properties != nullptr && properties->is_object())
    message.Message(25, NamedSchemas(*properties));
}

void WriteValues(const json::value& schema, MessageWriter& message) {
  if (const json::value* value = json::Find(schema, {"default"}))
    message.Message(5, AnyMessage(*value));
  if (const json::value* required = json::Find(schema, {"required"});
      required != nullptr && required->is_array())
    for (const json::value& name : required->get_array())
      if (name.is_string()) message.Text(19, json::View(name.get_string()));
  if (const json::value* values = json::Find(schema, {"enum"}); values && values->is_array())
    for (const json::value& value : values->get_array()) message.Message(20, AnyMessage(value));
  for (const auto& member : schema.get_object())
    if (json::View(member.key()).starts_with("x-"))
      message.Message(31, NamedMessage(json::View(member.key()), AnyMessage(member.value())));
}

MessageWriter SchemaMessage(const json::value& schema) {
  MessageWriter message;
  if (!schema.is_object()) return message;
  WriteScalars(schema, message);
  if (!IsArbitrary(schema)) WriteStructure(schema, message);
  WriteValues(schema, message);
  return message;
}

}  // namespace

std::string OpenApiProtobuf(const json::value& document) {
  MessageWriter info;
  info.Text(1, json::StringAt(document, {"info", "title"}));
  info.Text(2, json::StringAt(document, {"info", "version"}));
  MessageWriter message;
  message.Text(1, json::StringAt(document, {"swagger"}));
  message.Message(2, info);
  message.Message(8, MessageWriter());
  if (const json::value* definitions = json::Find(document, {"definitions"});
      definitions != nullptr && definitions->is_object())
    message.Message(9, NamedSchemas(*definitions));
  return message.Take();
}

}  // namespace berth::apiserver

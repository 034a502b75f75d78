#include "apiserver/rest/protobuf.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "apiserver/protobuf/table.h"
#include "base/base64.h"
#include "base/time.h"
#include "json/json.h"

namespace berth::apiserver {
namespace {

using store::Failure;

Failure BrokenProtobuf() { return store::BadRequest("the body is not a valid protobuf message"); }

Failure UnknownProtobuf(std::string_view unsupported) {
  return store::MakeFailure(
      415, store::reason::kUnsupportedMediaType,
      "protobuf with " + std::string(unsupported) + " is not supported; send application/json");
}

// --- Wire format --------------------------------------------------------------------------------

// A field on the wire: a varint or a length-delimited text.
struct WireField {
  uint32_t number = 0;
  bool is_text = false;
  uint64_t value = 0;
  std::string_view text;

  bool is_zero() const { return is_text ? text.empty() : value == 0; }
};

class WireReader {
 public:
  explicit WireReader(std::string_view text) : text_(text) {}

  bool is_done() const { return text_.empty(); }

  // Nullopt if the input is malformed or has a wire type that Kubernetes does not use.
  std::optional<WireField> Next() {
    constexpr uint64_t kVarint = 0, kText = 2;
    const std::optional<uint64_t> tag = TakeVarint();
    const uint64_t number = tag.value_or(0) >> 3;
    if (number == 0 || number > std::numeric_limits<uint32_t>::max()) return std::nullopt;
    const uint64_t wire_type = *tag & 7;
    const std::optional<uint64_t> value = TakeVarint();
    if (!value || (wire_type != kVarint && wire_type != kText)) return std::nullopt;
    WireField field{.number = static_cast<uint32_t>(number),
                    .is_text = wire_type == kText,
                    .value = *value,
                    .text = {}};
    if (!field.is_text) return field;
    if (*value > text_.size()) return std::nullopt;
    field.text = text_.substr(0, *value);
    text_.remove_prefix(*value);
    return field;
  }

 private:
  std::optional<uint64_t> TakeVarint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !text_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(text_.front());
      text_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::string_view text_;
};

// Calls visit(field) for each field until one fails.
template <class Visit>
std::optional<Failure> VisitWireFields(std::string_view text, Visit visit) {
  for (WireReader reader(text); !reader.is_done();) {
    const std::optional<WireField> field = reader.Next();
    if (!field) return BrokenProtobuf();
    if (std::optional<Failure> failure = visit(*field)) return failure;
  }
  return std::nullopt;
}

// The last field with this number; empty if absent.
WireField WireFieldAt(std::string_view message, uint32_t number) {
  WireField found;
  VisitWireFields(message, [&](const WireField& field) -> std::optional<Failure> {
    if (field.number == number) found = field;
    return std::nullopt;
  });
  return found;
}

std::string_view WireTextAt(std::string_view message, uint32_t number) {
  return WireFieldAt(message, number).text;
}
int64_t WireNumberAt(std::string_view message, uint32_t number) {
  return static_cast<int64_t>(WireFieldAt(message, number).value);
}

// --- Conversion to JSON -------------------------------------------------------------------------

std::optional<Failure> ReadWireMessage(std::string_view text, const ProtobufMessage& message,
                                       json::object& out);

// Null for Go's zero time and for values out of range.
json::value WireTimeValue(std::string_view text, bool has_micros) {
  constexpr int64_t kLatest = 253402300799;  // end of the year 9999
  const int64_t seconds = WireNumberAt(text, 1), nanos = WireNumberAt(text, 2);
  if (text.empty() || seconds < base::kZeroTime.seconds() || seconds > kLatest) return nullptr;
  if (!has_micros) return json::Text(base::FormatTime(base::Time::FromSeconds(seconds)));
  const int64_t micros = nanos >= 0 && nanos < 1'000'000'000 ? nanos / 1000 : 0;
  return json::Text(base::FormatMicroTime({base::Time::FromSeconds(seconds).micros + micros}));
}

json::value WireIntOrString(std::string_view text) {
  constexpr int64_t kIsText = 1;
  if (WireNumberAt(text, 1) == kIsText) return json::Text(WireTextAt(text, 3));
  return WireNumberAt(text, 2);
}

store::Outcome<json::value> WireTextValue(const ProtobufField& field, std::string_view text) {
  switch (field.type) {
    case ProtobufType::kString:
      return json::Text(text);
    case ProtobufType::kBytes:
      return json::Text(base::EncodeBase64(text));
    case ProtobufType::kQuantity:
      return json::Text(WireTextAt(text, 1));
    case ProtobufType::kTime:
    case ProtobufType::kMicroTime:
      return WireTimeValue(text, field.type == ProtobufType::kMicroTime);
    case ProtobufType::kDuration:
      return json::Text(base::FormatDuration({WireNumberAt(text, 1)}));
    case ProtobufType::kIntOrString:
      return WireIntOrString(text);
    case ProtobufType::kJson:
      if (auto value = json::Parse(WireTextAt(text, 1))) return *std::move(value);
      break;
    case ProtobufType::kMessage: {
      json::value value = json::object();
      if (auto failure = ReadWireMessage(text, *field.message, value.get_object()))
        return std::unexpected(*std::move(failure));
      return value;
    }
    case ProtobufType::kInt:
    case ProtobufType::kBool:
      break;
  }
  return std::unexpected(BrokenProtobuf());
}

store::Outcome<json::value> WireValue(const ProtobufField& field, const WireField& wire) {
  if (wire.is_text) return WireTextValue(field, wire.text);
  if (field.type == ProtobufType::kBool) return json::value(wire.value != 0);
  if (field.type == ProtobufType::kInt) return json::value(static_cast<int64_t>(wire.value));
  return std::unexpected(BrokenProtobuf());
}

bool IsZeroJson(const json::value& value) {
  if (value.is_object()) return value.get_object().empty();
  return value.is_null() || value == json::value("") || value == json::value(0) ||
         value == json::value(false);
}

// A map entry is a message of key and value.
std::optional<Failure> ReadWireEntry(const ProtobufField& field, std::string_view entry,
                                     json::object& out) {
  WireField value = WireFieldAt(entry, 2);
  const bool is_number = field.type == ProtobufType::kInt || field.type == ProtobufType::kBool;
  if (value.number == 0) value.is_text = !is_number;  // some clients omit empty values
  auto read = WireValue(field, value);
  if (!read) return read.error();
  out[json::BoostView(WireTextAt(entry, 1))] = *std::move(read);
  return std::nullopt;
}

std::optional<Failure> ReadWireItem(const ProtobufField& field, const WireField& wire,
                                    json::array& out) {
  auto read = WireValue(field, wire);
  if (!read) return read.error();
  out.push_back(*std::move(read));
  return std::nullopt;
}

std::optional<Failure> ReadWireValue(const ProtobufField& field, const WireField& wire,
                                     json::object& out) {
  auto read = WireValue(field, wire);
  if (!read) return read.error();
  const bool is_kept = field.keeps_zero && !read->is_null();
  if (is_kept || !IsZeroJson(*read)) out[json::BoostView(field.name)] = *std::move(read);
  return std::nullopt;
}

std::optional<Failure> ReadWireField(const ProtobufField& field, const WireField& wire,
                                     json::object& out) {
  if (field.is_inline) return ReadWireMessage(wire.text, *field.message, out);
  if (field.shape == ProtobufShape::kOne) return ReadWireValue(field, wire, out);
  json::value& all = out[json::BoostView(field.name)];
  if (field.shape == ProtobufShape::kList) {
    if (!all.is_array()) all = json::array();
    return ReadWireItem(field, wire, all.get_array());
  }
  if (!all.is_object()) all = json::object();
  return ReadWireEntry(field, wire.text, all.get_object());
}

std::optional<Failure> ReadWireMessage(std::string_view text, const ProtobufMessage& message,
                                       json::object& out) {
  return VisitWireFields(text, [&](const WireField& wire) -> std::optional<Failure> {
    const ProtobufField* field = message.Find(wire.number);
    if (field != nullptr) return ReadWireField(*field, wire, out);
    // Newer clients also encode new fields that are empty.
    if (wire.is_zero()) return std::nullopt;
    return UnknownProtobuf("field number " + std::to_string(wire.number));
  });
}

}  // namespace

store::Outcome<std::string> ProtobufAsJson(std::string_view body) {
  constexpr std::string_view kMagic("k8s\0", 4);
  constexpr uint32_t kType = 1, kRaw = 2, kEncoding = 3;
  if (!body.starts_with(kMagic)) return std::unexpected(BrokenProtobuf());
  const std::string_view envelope = body.substr(kMagic.size());
  if (!WireTextAt(envelope, kEncoding).empty())
    return std::unexpected(UnknownProtobuf("a content encoding"));
  const std::string_view type = WireTextAt(envelope, kType);
  const std::string_view api_version = WireTextAt(type, 1), kind = WireTextAt(type, 2);
  const ProtobufMessage* message = FindProtobufMessage(api_version, kind);
  if (message == nullptr)
    return std::unexpected(UnknownProtobuf("objects of kind \"" + std::string(kind) + "\""));
  json::object object;
  object["apiVersion"] = json::Text(api_version);
  object["kind"] = json::Text(kind);
  if (auto failure = ReadWireMessage(WireTextAt(envelope, kRaw), *message, object))
    return std::unexpected(*std::move(failure));
  return json::Print(object);
}

}  // namespace berth::apiserver

#include "apiserver/rest_protobuf.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "apiserver/base64.h"
#include "apiserver/protobuf_table.h"
#include "base/time.h"
#include "store/json.h"

namespace berth::apiserver {
namespace {

using store::Failure;

Failure BrokenProtobuf() {
  return store::BadRequest("the body is not the protocol buffer it says it is");
}

Failure UnknownProtobuf(std::string_view what) {
  Failure failure;
  failure.status.status = api::kStatusFailure;
  failure.status.code = 415;
  failure.status.reason = store::reason::kUnsupportedMediaType;
  failure.status.message = "protocol buffers with " + std::string(what) +
                           " are not understood here; send application/json";
  return failure;
}

// --- The wire -----------------------------------------------------------------------------------

// A field as it stands there: a number, or a text of its own.
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

  // Nullopt if the text is broken there, or uses what Kubernetes' messages do not.
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

// The last field with this number; an empty one if there is none.
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

// --- From messages to JSON ----------------------------------------------------------------------

std::optional<Failure> ReadWireMessage(std::string_view text, const ProtobufMessage& message,
                                       store::json::object& out);

// Null if it is Go's zero time, or none that a client can mean.
store::json::value WireTimeValue(std::string_view text, bool has_micros) {
  constexpr int64_t kLatest = 253402300799;  // the end of the year 9999
  const int64_t seconds = WireNumberAt(text, 1), nanos = WireNumberAt(text, 2);
  if (text.empty() || seconds < base::kZeroTime.seconds() || seconds > kLatest) return nullptr;
  if (!has_micros) return store::JsonText(base::FormatTime(base::Time::FromSeconds(seconds)));
  const int64_t micros = nanos >= 0 && nanos < 1'000'000'000 ? nanos / 1000 : 0;
  return store::JsonText(base::FormatMicroTime({base::Time::FromSeconds(seconds).micros + micros}));
}

store::json::value WireIntOrString(std::string_view text) {
  constexpr int64_t kIsText = 1;
  if (WireNumberAt(text, 1) == kIsText) return store::JsonText(WireTextAt(text, 3));
  return WireNumberAt(text, 2);
}

store::Outcome<store::json::value> WireTextValue(const ProtobufField& field,
                                                 std::string_view text) {
  switch (field.type) {
    case ProtobufType::kString:
      return store::JsonText(text);
    case ProtobufType::kBytes:
      return store::JsonText(EncodeBase64(text));
    case ProtobufType::kQuantity:
      return store::JsonText(WireTextAt(text, 1));
    case ProtobufType::kTime:
    case ProtobufType::kMicroTime:
      return WireTimeValue(text, field.type == ProtobufType::kMicroTime);
    case ProtobufType::kDuration:
      return store::JsonText(base::FormatDuration({WireNumberAt(text, 1)}));
    case ProtobufType::kIntOrString:
      return WireIntOrString(text);
    case ProtobufType::kJson:
      if (auto value = store::ParseJson(WireTextAt(text, 1))) return *std::move(value);
      break;
    case ProtobufType::kMessage: {
      store::json::value value = store::json::object();
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

store::Outcome<store::json::value> WireValue(const ProtobufField& field, const WireField& wire) {
  if (wire.is_text) return WireTextValue(field, wire.text);
  if (field.type == ProtobufType::kBool) return store::json::value(wire.value != 0);
  if (field.type == ProtobufType::kInt) return store::json::value(static_cast<int64_t>(wire.value));
  return std::unexpected(BrokenProtobuf());
}

bool IsZeroJson(const store::json::value& value) {
  if (value.is_object()) return value.get_object().empty();
  return value.is_null() || value == store::json::value("") || value == store::json::value(0) ||
         value == store::json::value(false);
}

// An entry of a map is a message of its key and its value.
std::optional<Failure> ReadWireEntry(const ProtobufField& field, std::string_view entry,
                                     store::json::object& out) {
  WireField value = WireFieldAt(entry, 2);
  const bool is_number = field.type == ProtobufType::kInt || field.type == ProtobufType::kBool;
  if (value.number == 0) value.is_text = !is_number;  // an empty one is left out by some
  auto read = WireValue(field, value);
  if (!read) return read.error();
  out[store::BoostView(WireTextAt(entry, 1))] = *std::move(read);
  return std::nullopt;
}

std::optional<Failure> ReadWireItem(const ProtobufField& field, const WireField& wire,
                                    store::json::array& out) {
  auto read = WireValue(field, wire);
  if (!read) return read.error();
  out.push_back(*std::move(read));
  return std::nullopt;
}

std::optional<Failure> ReadWireValue(const ProtobufField& field, const WireField& wire,
                                     store::json::object& out) {
  auto read = WireValue(field, wire);
  if (!read) return read.error();
  const bool is_kept = field.keeps_zero && !read->is_null();
  if (is_kept || !IsZeroJson(*read)) out[store::BoostView(field.name)] = *std::move(read);
  return std::nullopt;
}

std::optional<Failure> ReadWireField(const ProtobufField& field, const WireField& wire,
                                     store::json::object& out) {
  if (field.is_inline) return ReadWireMessage(wire.text, *field.message, out);
  if (field.shape == ProtobufShape::kOne) return ReadWireValue(field, wire, out);
  store::json::value& all = out[store::BoostView(field.name)];
  if (field.shape == ProtobufShape::kList) {
    if (!all.is_array()) all = store::json::array();
    return ReadWireItem(field, wire, all.get_array());
  }
  if (!all.is_object()) all = store::json::object();
  return ReadWireEntry(field, wire.text, all.get_object());
}

std::optional<Failure> ReadWireMessage(std::string_view text, const ProtobufMessage& message,
                                       store::json::object& out) {
  return VisitWireFields(text, [&](const WireField& wire) -> std::optional<Failure> {
    const ProtobufField* field = message.Find(wire.number);
    if (field != nullptr) return ReadWireField(*field, wire, out);
    // A newer client writes its new fields always, most of them empty.
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
  store::json::object object;
  object["apiVersion"] = store::JsonText(api_version);
  object["kind"] = store::JsonText(kind);
  if (auto failure = ReadWireMessage(WireTextAt(envelope, kRaw), *message, object))
    return std::unexpected(*std::move(failure));
  return store::PrintJson(object);
}

}  // namespace berth::apiserver

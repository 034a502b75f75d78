#pragma once

// Field numbers, JSON names and JSON forms of Kubernetes' protobuf messages: the kinds served here
// that have such a form, and the messages they contain.

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::apiserver {

enum class ProtobufType : uint8_t {
  kString,
  kInt,
  kBool,
  kBytes,        // base64 in JSON
  kQuantity,     // message with the text
  kTime,         // message with seconds and nanoseconds
  kMicroTime,    // the same, with microseconds in JSON
  kDuration,     // message with nanoseconds; Go's notation in JSON
  kIntOrString,  // message with a type and both values
  kJson,         // message with JSON text
  kMessage,
};

enum class ProtobufShape : uint8_t { kOne, kList, kMap };

struct ProtobufMessage;

struct ProtobufField {
  uint32_t number = 0;
  std::string_view name;  // in JSON
  ProtobufType type = ProtobufType::kString;
  ProtobufShape shape = ProtobufShape::kOne;
  // Clients encode most fields unconditionally, so zero or an empty string means absent, except for
  // these.
  bool keeps_zero = false;
  // The message's fields are members of the enclosing JSON object.
  bool is_inline = false;
  const ProtobufMessage* message = nullptr;  // of kMessage
};

struct ProtobufMessage {
  std::vector<ProtobufField> fields;

  const ProtobufField* Find(uint32_t number) const;
};

// The message of a kind, e.g. "batch/v1" and "Job"; null if unknown. DeleteOptions is the same in
// all versions.
const ProtobufMessage* FindProtobufMessage(std::string_view api_version, std::string_view kind);

// --- Tables -------------------------------------------------------------------------------------

// The messages of one API version: lines of "Message: name=number name=number:type …"; lines that
// begin with a space continue the previous one. The default type is string. Types are int, bool,
// bytes, quantity, time, microtime, duration, int-or-string, json, or a message of this section, of
// "v1" or of "meta". The suffix [] makes a list, {} a map with string keys, ! keeps zeros. The name
// ~ is an inline field. A version may have several sections.
struct ProtobufSection {
  std::string_view api_version;  // "meta" for messages outside of any group
  std::string_view text;
};

std::vector<ProtobufSection> CoreMessages();
std::vector<ProtobufSection> GroupMessages();
std::vector<ProtobufSection> DeviceMessages();

}  // namespace berth::apiserver

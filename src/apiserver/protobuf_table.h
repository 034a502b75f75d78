#pragma once

// How the fields of Kubernetes' messages are numbered on the wire, and what they are called and
// mean in JSON: the kinds that this server keeps and that have such a form, and all they hold.

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::apiserver {

enum class ProtobufType : uint8_t {
  kString,
  kInt,
  kBool,
  kBytes,        // base64 in JSON
  kQuantity,     // a message of its text
  kTime,         // a message of seconds and nanoseconds
  kMicroTime,    // the same, with microseconds in JSON
  kDuration,     // a message of nanoseconds; Go's form in JSON
  kIntOrString,  // a message of which it is, and both
  kJson,         // a message of a text that is JSON
  kMessage,
};

enum class ProtobufShape : uint8_t { kOne, kList, kMap };

struct ProtobufMessage;

struct ProtobufField {
  uint32_t number = 0;
  std::string_view name;  // in JSON
  ProtobufType type = ProtobufType::kString;
  ProtobufShape shape = ProtobufShape::kOne;
  // Clients write most fields always, so that a zero or an empty text means that there is nothing.
  // Of these it means itself.
  bool keeps_zero = false;
  // The fields of the message stand among those of the one that holds it.
  bool is_inline = false;
  const ProtobufMessage* message = nullptr;  // of kMessage
};

struct ProtobufMessage {
  std::vector<ProtobufField> fields;

  const ProtobufField* Find(uint32_t number) const;
};

// The message of a kind, e.g. of "batch/v1" and "Job"; null if it is not known here. DeleteOptions
// are the same in all versions.
const ProtobufMessage* FindProtobufMessage(std::string_view api_version, std::string_view kind);

// --- The tables ---------------------------------------------------------------------------------

// The messages of one version of a group: lines of "Message: name=number name=number:type …", which
// go on in lines that begin with a space. A field without a type is text. Types are int, bool,
// bytes, quantity, time, microtime, duration, int-or-string, json, or another message of this
// section, of "v1" or of "meta"; [] behind it makes it a list, {} a map from texts, and ! says that
// zeros are kept. The name ~ stands for a field that is inline. A version may have several
// sections.
struct ProtobufSection {
  std::string_view api_version;  // "meta" for what belongs to no group
  std::string_view text;
};

std::vector<ProtobufSection> CoreMessages();
std::vector<ProtobufSection> GroupMessages();
std::vector<ProtobufSection> DeviceMessages();

}  // namespace berth::apiserver

#include "apiserver/protobuf/table.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"

namespace berth::apiserver {
namespace {

using MessageKey = std::pair<std::string_view, std::string_view>;  // section and name
using MessageMap = std::map<MessageKey, ProtobufMessage>;

constexpr std::pair<std::string_view, ProtobufType> kTypeNames[] = {
    {"", ProtobufType::kString},           {"string", ProtobufType::kString},
    {"int", ProtobufType::kInt},           {"bool", ProtobufType::kBool},
    {"bytes", ProtobufType::kBytes},       {"quantity", ProtobufType::kQuantity},
    {"time", ProtobufType::kTime},         {"microtime", ProtobufType::kMicroTime},
    {"duration", ProtobufType::kDuration}, {"int-or-string", ProtobufType::kIntOrString},
    {"json", ProtobufType::kJson},
};

constexpr std::string_view kSpaces = " \n";

std::string_view TakeWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
  text.remove_prefix(word.size());
  return word;
}

bool TakeSuffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

uint32_t NumberIn(std::string_view digits) {
  uint32_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  CHECK(number > 0);
  return number;
}

// Parses the tables into linked messages.
class TableReader {
 public:
  static MessageMap Read() {
    TableReader reader;
    for (auto* sections : {&CoreMessages, &GroupMessages, &DeviceMessages}) {
      for (const ProtobufSection& section : sections()) reader.ReadSection(section);
    }
    reader.Connect();
    return std::move(reader.messages_);
  }

 private:
  // A field whose message is resolved after all are parsed.
  struct Reference {
    std::string_view section;
    std::string_view message;
    ProtobufMessage* holder;
    size_t field;
  };

  void ReadSection(const ProtobufSection& section) {
    std::string_view text = section.text;
    ProtobufMessage* message = nullptr;
    for (std::string_view word = TakeWord(text); !word.empty(); word = TakeWord(text)) {
      if (TakeSuffix(word, ":")) {
        message = &messages_[{section.api_version, word}];
      } else {
        ReadField(section.api_version, word, *message);
      }
    }
  }

  // "name=number:type!"
  void ReadField(std::string_view section, std::string_view word, ProtobufMessage& message) {
    const size_t equals = word.find('=');
    CHECK(equals != std::string_view::npos);
    ProtobufField field{.name = word.substr(0, equals)};
    field.is_inline = field.name == "~";
    std::string_view rest = word.substr(equals + 1);
    field.keeps_zero = TakeSuffix(rest, "!");
    if (TakeSuffix(rest, "[]")) field.shape = ProtobufShape::kList;
    if (TakeSuffix(rest, "{}")) field.shape = ProtobufShape::kMap;
    const size_t colon = std::min(rest.find(':'), rest.size());
    field.number = NumberIn(rest.substr(0, colon));
    const std::string_view type = colon == rest.size() ? "" : rest.substr(colon + 1);
    const auto known = std::ranges::find(kTypeNames, type, [](const auto& t) { return t.first; });
    if (known == std::end(kTypeNames)) {
      field.type = ProtobufType::kMessage;
      references_.push_back({section, type, &message, message.fields.size()});
    } else {
      field.type = known->second;
    }
    message.fields.push_back(field);
  }

  void Connect() {
    for (const Reference& reference : references_) {
      for (const std::string_view section : {reference.section, kCoreSection, kMetaSection}) {
        const auto found = messages_.find({section, reference.message});
        if (found == messages_.end()) continue;
        reference.holder->fields[reference.field].message = &found->second;
        break;
      }
      CHECK(reference.holder->fields[reference.field].message != nullptr);
    }
  }

  static constexpr std::string_view kCoreSection = "v1";
  static constexpr std::string_view kMetaSection = "meta";

  MessageMap messages_;
  std::vector<Reference> references_;
};

}  // namespace

const ProtobufField* ProtobufMessage::Find(uint32_t number) const {
  const auto found = std::ranges::find(fields, number, &ProtobufField::number);
  return found == fields.end() ? nullptr : &*found;
}

const ProtobufMessage* FindProtobufMessage(std::string_view api_version, std::string_view kind) {
  static const MessageMap kMessages = TableReader::Read();
  const bool is_of_all_versions = kind == "DeleteOptions";
  const auto found = kMessages.find({is_of_all_versions ? "meta" : api_version, kind});
  return found == kMessages.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver

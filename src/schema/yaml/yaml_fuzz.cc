// Any text: the reader must not crash, its output must be JSON with positions inside the text, and
// the writer's output must parse to the same JSON.

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "schema/json/text.h"
#include "schema/yaml/to_json.h"
#include "schema/yaml/writer.h"

namespace berth::schema {
namespace {

void CheckIsJson(const std::string& json) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  const auto error = parser.parse(json).get(element);
  // Integers beyond 64 bits are valid JSON, but not for this parser.
  CHECK(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR);
}

void CheckPlaces(const YamlDocument& document, std::string_view text) {
  // YAML has more line breaks than
  // , such as a bare \r and characters of three bytes.
  const int lines = static_cast<int>(text.size()) + 2;
  const size_t step = std::max<size_t>(1, document.json.size() / 64);
  for (size_t at = 0; at < document.json.size(); at += step) {
    const TextPosition position = document.map.Find(at);
    CHECK(position.line >= document.line && position.line <= lines && position.column >= 1);
  }
}

void CheckRoundTrip(const std::string& json) {
  const auto yaml = JsonToYaml(json);
  CHECK(yaml.has_value());
  const auto back = YamlToJson(*yaml);
  CHECK(back.has_value() && back->size() == 1);
  CHECK(back->front().json == json);
}

void CheckString(std::string_view text) {
  std::string value;
  AppendJsonString(value, text);
  CheckRoundTrip(value);
  CheckRoundTrip("{" + value + ":[" + value + ",{\"k\":" + value + "}]}");
}

}  // namespace
}  // namespace berth::schema

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::schema;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto documents = YamlToJson(text);
  if (documents) {
    for (const YamlDocument& document : *documents) {
      CheckIsJson(document.json);
      CheckPlaces(document, text);
      CheckRoundTrip(document.json);
    }
  } else {
    CHECK(!documents.error().message.empty());
  }
  if (simdjson::validate_utf8(text.data(), text.size())) CheckString(text);
  return 0;
}

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::apiserver {

// An entry of an Accept header, or a Content-Type: "application/json;as=Table;v=v1".
struct MediaType {
  std::string type;  // "application/json", in lower case
  std::vector<std::pair<std::string, std::string>> parameters;

  std::string_view Parameter(std::string_view name) const;
  // Parses a Content-Type.
  static MediaType Parse(std::string_view text);
};

// The entries of an Accept header by preference: q, then order. An empty header accepts everything.
std::vector<MediaType> ParseAccept(std::string_view header);

enum class Encoding : uint8_t { kJson, kYaml };

// Content negotiation for objects.
struct Presentation {
  enum class Form : uint8_t { kObject, kTable, kMetadata };
  Form form = Form::kObject;
  Encoding encoding = Encoding::kJson;
  std::string table_version = "v1";  // of meta.k8s.io

  friend bool operator==(const Presentation&, const Presentation&) = default;
};

// The most preferred supported presentation; nullopt if none is acceptable.
std::optional<Presentation> ChoosePresentation(std::string_view accept_header);

// The version of aggregated discovery that the client prefers to the legacy form; "" for the legacy
// form. Nullopt if it accepts neither.
std::optional<std::string> ChooseDiscovery(std::string_view accept_header);

}  // namespace berth::apiserver

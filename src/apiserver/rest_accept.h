#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::apiserver {

// One entry of an Accept header, or the value of a Content-Type: "application/json;as=Table;v=v1".
struct MediaType {
  std::string type;  // "application/json", in lower case
  std::vector<std::pair<std::string, std::string>> parameters;

  std::string_view Parameter(std::string_view name) const;
  // The Content-Type of a body: the part before the first semicolon, in lower case.
  static MediaType Parse(std::string_view text);
};

// The entries of an Accept header, best first: by q, then as they stand. An empty header accepts
// everything.
std::vector<MediaType> ParseAccept(std::string_view header);

enum class Encoding : uint8_t { kJson, kYaml };

// How the client wants to see objects.
struct Presentation {
  enum class Form : uint8_t { kObject, kTable, kMetadata };
  Form form = Form::kObject;
  Encoding encoding = Encoding::kJson;
  std::string table_version = "v1";  // of meta.k8s.io

  friend bool operator==(const Presentation&, const Presentation&) = default;
};

// The best one that there is; nullopt if the client accepts nothing that we have.
std::optional<Presentation> ChoosePresentation(std::string_view accept_header);

// Which version of aggregated discovery the client prefers to the legacy form; "" if it does not.
// Nullopt if it accepts neither.
std::optional<std::string> ChooseDiscovery(std::string_view accept_header);

}  // namespace berth::apiserver

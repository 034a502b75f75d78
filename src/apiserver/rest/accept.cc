#include "apiserver/rest/accept.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace berth::apiserver {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

std::string_view TakePart(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = Trim(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

double QualityOf(const MediaType& type) {
  const std::string text(type.Parameter("q"));
  return text.empty() ? 1.0 : std::strtod(text.c_str(), nullptr);
}

bool IsJson(const MediaType& type) {
  return type.type == "application/json" || type.type == "application/*" || type.type == "*/*";
}

// Nullopt if the type is not supported.
std::optional<Presentation> Present(const MediaType& type) {
  Presentation presentation;
  if (type.type == "application/yaml") {
    presentation.encoding = Encoding::kYaml;
  } else if (!IsJson(type)) {
    return std::nullopt;
  }
  const std::string_view as = type.Parameter("as");
  if (as.empty()) return presentation;
  const std::string_view version = type.Parameter("v");
  if (type.Parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1"))
    return std::nullopt;
  if (as == "Table") {
    presentation.form = Presentation::Form::kTable;
  } else if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") {
    presentation.form = Presentation::Form::kMetadata;
  } else {
    return std::nullopt;
  }
  presentation.table_version = version;
  return presentation;
}

}  // namespace

std::string_view MediaType::Parameter(std::string_view name) const {
  const auto at = std::ranges::find(parameters, name, [](const auto& p) { return p.first; });
  return at == parameters.end() ? std::string_view() : std::string_view(at->second);
}

MediaType MediaType::Parse(std::string_view text) {
  MediaType parsed;
  parsed.type = base::LowerCase(TakePart(text, ';'));
  while (!text.empty()) {
    std::string_view parameter = TakePart(text, ';');
    const std::string_view name = TakePart(parameter, '=');
    std::string_view value = Trim(parameter);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    if (!name.empty()) parsed.parameters.emplace_back(base::LowerCase(name), std::string(value));
  }
  return parsed;
}

std::vector<MediaType> ParseAccept(std::string_view header) {
  std::vector<MediaType> types;
  while (!header.empty()) {
    MediaType type = MediaType::Parse(TakePart(header, ','));
    if (!type.type.empty() && QualityOf(type) > 0) types.push_back(std::move(type));
  }
  if (types.empty()) types.push_back({.type = "*/*", .parameters = {}});
  std::ranges::stable_sort(types, std::ranges::greater(), QualityOf);
  return types;
}

std::optional<Presentation> ChoosePresentation(std::string_view accept_header) {
  for (const MediaType& type : ParseAccept(accept_header)) {
    if (auto presentation = Present(type)) return presentation;
  }
  return std::nullopt;
}

std::optional<std::string> ChooseDiscovery(std::string_view accept_header) {
  for (const MediaType& type : ParseAccept(accept_header)) {
    if (!IsJson(type)) continue;
    const std::string_view as = type.Parameter("as");
    if (as.empty()) return "";
    const std::string_view version = type.Parameter("v");
    if (as == "APIGroupDiscoveryList" && type.Parameter("g") == "apidiscovery.k8s.io" &&
        (version == "v2" || version == "v2beta1"))
      return std::string(version);
  }
  return std::nullopt;
}

}  // namespace berth::apiserver

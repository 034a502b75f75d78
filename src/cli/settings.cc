#include "cli/settings.h"

#include <algorithm>
#include <iterator>

#include "cli/input.h"
#include "cli/printable.h"

namespace berth::cli {

std::optional<std::vector<api::Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                                        Output& err) {
  std::vector<api::Manifest> manifests;
  bool is_complete = true;
  const auto fail = [&](const std::string& message) {
    err << "berth: " << Printable(message) << "\n";
    is_complete = false;
  };
  const InputFiles input = FindInputFiles(paths);
  for (const base::Error& error : input.errors) fail(base::ToString(error));
  for (const std::string& file : input.files) {
    const base::Result<std::string> text = ReadInput(file);
    if (!text) {
      fail(base::ToString(text.error()));
      continue;
    }
    std::ranges::move(api::ReadManifests(*text, {.file = DisplayName(file), .is_strict = false}),
                      std::back_inserter(manifests));
  }
  for (const api::Manifest& manifest : manifests) {
    if (manifest.object) continue;  // problems of unknown fields are irrelevant here
    for (const schema::Problem& problem : manifest.problems) fail(schema::ToString(problem));
  }
  if (!is_complete) return std::nullopt;
  return manifests;
}

static const api::Configuration* FindConfiguration(const std::vector<api::Manifest>& manifests) {
  for (const api::Manifest& manifest : manifests) {
    if (!manifest.object) continue;
    if (const auto* found = manifest.object->As<api::Configuration>()) return found;
  }
  return nullptr;
}

std::optional<Settings> ReadSettings(const std::string& file,
                                     const std::vector<api::Manifest>& manifests, Output& err,
                                     const std::string& feature_gates) {
  Settings settings;
  std::optional<std::vector<api::Manifest>> own;
  const api::Configuration* found = FindConfiguration(manifests);
  if (!file.empty()) {
    own = ReadManifests({file}, err);
    if (!own) return std::nullopt;
    found = FindConfiguration(*own);
    if (found == nullptr) {
      err << "berth: no Configuration in " << Printable(file) << "\n";
      return std::nullopt;
    }
  }
  settings.is_given = found != nullptr;
  if (found != nullptr) settings.configuration = *found;
  const api::FeatureGatesResult gates =
      api::ChooseFeatureGates(feature_gates, settings.configuration.feature_gates);
  if (!gates) {
    for (const schema::Problem& problem : gates.error())
      err << "berth: " << Printable(schema::ToString(problem)) << "\n";
    return std::nullopt;
  }
  settings.gates = *gates;
  api::ApplyConfigurationDefaults(settings.configuration);
  return settings;
}

}  // namespace berth::cli

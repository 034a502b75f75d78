#include "cli/settings.h"

#include <algorithm>
#include <iterator>

#include "api/config/configuration_rules.h"
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
    std::ranges::move(api::ReadManifests(*text, {.file = DisplayName(file),
                                                 .is_strict = false,
                                                 .strict_kind = &api::Configuration::KindInfo()}),
                      std::back_inserter(manifests));
  }
  for (const api::Manifest& manifest : manifests) {
    // A misspelled setting must not start a controller with its default.
    const bool is_configuration = manifest.known == &api::Configuration::KindInfo();
    if (manifest.object && !is_configuration) continue;
    for (const schema::Problem& problem : manifest.problems) fail(schema::ToString(problem));
  }
  if (!is_complete) return std::nullopt;
  return manifests;
}

namespace {

// Null if there is none.
const api::Manifest* FindConfiguration(const std::vector<api::Manifest>& manifests) {
  const auto found = std::ranges::find_if(manifests, [](const api::Manifest& manifest) {
    return manifest.object && manifest.object->As<api::Configuration>() != nullptr;
  });
  return found == manifests.end() ? nullptr : &*found;
}

// Prints the problems of a Configuration, each at its place in the file.
void PrintProblems(schema::Problems problems, const api::Manifest* configuration, Output& err) {
  for (schema::Problem& problem : problems) {
    const bool is_placed = !problem.place.file.empty() || configuration == nullptr;
    if (!is_placed) problem.place = api::Locate(configuration->source, problem.field);
    err << "berth: " << Printable(schema::ToString(problem)) << "\n";
  }
}

}  // namespace

std::optional<Settings> ReadSettings(const std::string& file,
                                     const std::vector<api::Manifest>& manifests, Output& err,
                                     const std::string& feature_gates) {
  Settings settings;
  std::optional<std::vector<api::Manifest>> own;
  const api::Manifest* found = FindConfiguration(manifests);
  if (!file.empty()) {
    own = ReadManifests({file}, err);
    if (!own) return std::nullopt;
    found = FindConfiguration(*own);
    if (found == nullptr) {
      err << "berth: no Configuration in " << Printable(file)
          << "\n  write one with apiVersion: config.kueue.x-k8s.io/v1beta2 and kind: "
             "Configuration\n";
      return std::nullopt;
    }
  }
  settings.is_given = found != nullptr;
  if (found != nullptr) settings.configuration = *found->object->As<api::Configuration>();
  const api::FeatureGatesResult gates =
      api::ChooseFeatureGates(feature_gates, settings.configuration.feature_gates);
  if (!gates) {
    PrintProblems(gates.error(), found, err);
    return std::nullopt;
  }
  settings.gates = *gates;
  api::ApplyConfigurationDefaults(settings.configuration);
  const schema::Problems problems =
      api::ValidateConfiguration(settings.configuration, settings.gates);
  PrintProblems(problems, found, err);
  if (!problems.empty()) return std::nullopt;
  return settings;
}

}  // namespace berth::cli

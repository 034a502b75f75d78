#include "cli/settings.h"

#include <algorithm>
#include <iterator>

#include "api/config/configuration_rules.h"
#include "api/meta/problem_report.h"
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

// Whether the object was meant to be a Configuration: its kind or its group is right.
bool IsMisnamed(const api::Manifest& manifest) {
  const schema::Kind& wanted = api::Configuration::KindInfo();
  return manifest.known == nullptr &&
         (manifest.kind == wanted.kind ||
          manifest.api_version.starts_with(std::string(wanted.group) + "/"));
}

schema::Problem NoConfiguration(const api::Manifest& manifest) {
  const schema::Kind& wanted = api::Configuration::KindInfo();
  const bool is_other_kind = manifest.kind != wanted.kind;
  schema::Problem problem{.field = is_other_kind ? "kind" : "apiVersion"};
  problem.message = is_other_kind
                        ? api::Quoted(manifest.kind) + " is not a Configuration"
                        : api::Quoted(manifest.api_version) + " is no version of Configuration";
  problem.hint = is_other_kind ? "write kind: " + std::string(wanted.kind)
                               : "write apiVersion: " + wanted.ApiVersion();
  problem.place = api::Locate(manifest.source, problem.field);
  return problem;
}

// The file has exactly one Configuration, and may have other objects.
bool HasOneConfiguration(const std::string& file, const std::vector<api::Manifest>& manifests,
                         Output& err) {
  const api::Manifest* found = FindConfiguration(manifests);
  schema::Problems problems;
  for (const api::Manifest& manifest : manifests) {
    const bool is_one = manifest.object && manifest.object->As<api::Configuration>() != nullptr;
    if (IsMisnamed(manifest))
      problems.push_back(NoConfiguration(manifest));
    else if (is_one && &manifest != found)
      problems.push_back({.field = "kind",
                          .message = "a second Configuration",
                          .hint = "keep one of them",
                          .place = api::Locate(manifest.source, "kind")});
  }
  PrintProblems(problems, found, err);
  if (found == nullptr && problems.empty())
    err << "berth: no Configuration in " << Printable(file)
        << "\n  write one with apiVersion: " << api::Configuration::KindInfo().ApiVersion()
        << " and kind: Configuration\n";
  return found != nullptr && problems.empty();
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
    if (!own || !HasOneConfiguration(file, *own, err)) return std::nullopt;
    found = FindConfiguration(*own);
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

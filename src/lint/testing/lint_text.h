#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/manifest.h"
#include "lint/lint.h"

namespace berth::lint::testing {

// The findings of a YAML text: "line severity rule field" each.
inline std::vector<std::string> LintText(std::string_view yaml, const LintOptions& options = {}) {
  std::vector<std::string> texts;
  const std::vector<api::Manifest> manifests = api::ReadManifests(yaml, {.file = "a.yaml"});
  for (const Finding& f : Lint(manifests, options).findings) {
    texts.push_back(std::to_string(f.place.line) + " " + std::string(ToString(f.severity)) + " " +
                    f.rule + " " + f.field);
  }
  return texts;
}

// Message and hint of the only finding.
inline std::string OnlyMessage(std::string_view yaml, const LintOptions& options = {}) {
  const std::vector<api::Manifest> manifests = api::ReadManifests(yaml, {.file = "a.yaml"});
  const Findings findings = Lint(manifests, options).findings;
  if (findings.size() != 1) return std::to_string(findings.size()) + " findings";
  return findings[0].message + (findings[0].hint.empty() ? "" : " (" + findings[0].hint + ")");
}

// Several documents as one stream.
template <class... Text>
std::string Documents(const Text&... texts) {
  std::string stream;
  ((stream += "---\n" + std::string(texts) + "\n"), ...);
  return stream;
}

}  // namespace berth::lint::testing

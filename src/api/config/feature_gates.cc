#include "api/config/feature_gates.h"

#include <algorithm>
#include <array>
#include <string>

#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "base/text.h"

namespace berth::api {
namespace {

// Settings for all gates of a stage.
constexpr std::string_view kAllAlpha = "AllAlpha";
constexpr std::string_view kAllBeta = "AllBeta";
constexpr std::string_view kField = "featureGates";

schema::Problem Wrong(std::string_view gate, std::string message, std::string hint) {
  return {.type = schema::ProblemType::kInvalid,
          .field = std::string(kField) + '[' + std::string(gate) + ']',
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {}};
}

schema::Problem Unknown(std::string_view name) {
  std::array<std::string_view, kGateCount> names;
  std::ranges::transform(AllGates(), names.begin(), &GateInfo::name);
  std::string hint = base::DidYouMean(name, names);
  if (hint.empty()) hint = "remove it; docs/reference/feature-gates.md lists all gates";
  return Wrong(name, "no feature gate is called " + Quoted(name), std::move(hint));
}

void SetStage(FeatureGates& gates, GateStage stage, const bool* on) {
  if (on == nullptr) return;
  for (const GateInfo& info : AllGates()) {
    if (info.stage == stage) gates.Set(info.gate, *on);
  }
}

void SetOne(FeatureGates& gates, std::string_view name, bool on, schema::Problems& problems) {
  if (name == kAllAlpha || name == kAllBeta) return;
  const GateInfo* info = FindGate(name);
  if (info == nullptr) {
    problems.push_back(Unknown(name));
  } else if (info->is_locked && on != info->is_on) {
    problems.push_back(Wrong(name, std::string(name) + " is always " + (info->is_on ? "on" : "off"),
                             "remove the setting"));
  } else {
    gates.Set(info->gate, on);
  }
}

FeatureGates SetAll(const base::FlatMap<bool>& settings, schema::Problems& problems) {
  FeatureGates gates;
  SetStage(gates, GateStage::kAlpha, settings.Find(kAllAlpha));
  SetStage(gates, GateStage::kBeta, settings.Find(kAllBeta));
  for (const auto& [name, on] : settings) SetOne(gates, name, on, problems);
  return gates;
}

void CheckNeeds(const FeatureGates& gates, schema::Problems& problems) {
  for (const GateInfo& info : AllGates()) {
    if (!gates.IsOn(info.gate)) continue;
    for (Gate needed : info.needs) {
      if (gates.IsOn(needed)) continue;
      const std::string other(InfoOf(needed).name);
      problems.push_back(Wrong(info.name,
                               std::string(info.name) + " needs " + other + ", which is off",
                               "set " + other + "=true or " + std::string(info.name) + "=false"));
    }
  }
}

void ReadSetting(std::string_view item, base::FlatMap<bool>& settings, schema::Problems& problems) {
  const size_t equals = item.find('=');
  const std::string_view name = base::Trimmed(item.substr(0, equals));
  const std::string_view value =
      equals == item.npos ? std::string_view() : base::Trimmed(item.substr(equals + 1));
  if (const auto on = base::ParseBool(value)) {
    settings.Set(name, *on);
  } else {
    problems.push_back(
        Wrong(name, Quoted(item) + " sets no gate",
              "write " + std::string(name) + "=true or " + std::string(name) + "=false"));
  }
}

}  // namespace

std::string_view ToString(GateStage stage) {
  switch (stage) {
    case GateStage::kAlpha:
      return "Alpha";
    case GateStage::kBeta:
      return "Beta";
    case GateStage::kGa:
      return "GA";
    case GateStage::kDeprecated:
      return "Deprecated";
  }
  return "";
}

FeatureGates::FeatureGates() {
  for (const GateInfo& info : AllGates()) Set(info.gate, info.is_on);
}

FeatureGates KnownFeatureGates(const base::FlatMap<bool>& settings) {
  schema::Problems ignored;
  return SetAll(settings, ignored);
}

FeatureGatesResult ReadFeatureGates(const base::FlatMap<bool>& settings) {
  schema::Problems problems;
  const FeatureGates gates = SetAll(settings, problems);
  CheckNeeds(gates, problems);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return gates;
}

FeatureGatesResult ParseFeatureGates(std::string_view text) {
  base::FlatMap<bool> settings;
  schema::Problems problems;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = base::Trimmed(text.substr(0, comma));
    if (!item.empty()) ReadSetting(item, settings, problems);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return ReadFeatureGates(settings);
}

FeatureGatesResult ChooseFeatureGates(std::string_view text, const base::FlatMap<bool>& settings) {
  if (text.empty()) return ReadFeatureGates(settings);
  if (settings.empty()) {
    FeatureGatesResult gates = ParseFeatureGates(text);
    if (!gates)
      for (schema::Problem& problem : gates.error()) problem.place.file = "--feature-gates";
    return gates;
  }
  return std::unexpected(
      schema::Problems{{.type = schema::ProblemType::kInvalid,
                        .field = std::string(kField),
                        .message = "gates are set both here and by --feature-gates",
                        .hint = "keep one of the two",
                        .place = {}}});
}

}  // namespace berth::api

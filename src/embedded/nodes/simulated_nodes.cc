#include "embedded/nodes/simulated_nodes.h"

#include <string>

#include "base/fnv.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

// A deterministic value in [0, 1).
double Chance(std::string_view text) {
  uint64_t hash = base::Fnv1a(text);
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9u;
  return static_cast<double>((hash ^ (hash >> 32)) >> 11) / 9007199254740992.0;
}

std::string AnnotationAt(const json::value& object, std::string_view name) {
  return json::TextAt(object, "metadata.annotations[" + std::string(name) + "]");
}

std::optional<base::Duration> RunTimeAnnotation(const json::value& object) {
  const auto given = base::ParseDuration(AnnotationAt(object, kRunTimeAnnotation));
  if (!given || given->nanos < 0) return std::nullopt;
  return given;
}

}  // namespace

bool HasRunTimeAnnotation(const json::value& object) {
  return RunTimeAnnotation(object).has_value();
}

base::Duration SimulatedRunTime(const json::value& object, const SimulationSettings& settings) {
  return RunTimeAnnotation(object).value_or(settings.run_time);
}

bool SimulatedRunFails(const json::value& object, const SimulationSettings& settings) {
  const std::string given = AnnotationAt(object, kFailsAnnotation);
  return given.empty() ? Chance(json::TextAt(object, "metadata.uid")) < settings.failure_rate
                       : given == "true";
}

}  // namespace berth::embedded

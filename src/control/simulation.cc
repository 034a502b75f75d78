#include "control/simulation.h"

#include <string>

#include "jobs/path.h"

namespace berth::control {
namespace {

// In [0, 1), the same for the same text.
double Chance(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9u;
  return static_cast<double>((hash ^ (hash >> 32)) >> 11) / 9007199254740992.0;
}

std::string AnnotationAt(const store::json::value& object, std::string_view name) {
  return jobs::TextAt(object, "metadata.annotations[" + std::string(name) + "]");
}

std::optional<base::Duration> OwnRunTime(const store::json::value& object) {
  const auto given = base::ParseDuration(AnnotationAt(object, kRunTimeAnnotation));
  if (!given || given->nanos < 0) return std::nullopt;
  return given;
}

}  // namespace

bool HasOwnRunTime(const store::json::value& object) { return OwnRunTime(object).has_value(); }

base::Duration SimulatedRunTime(const store::json::value& object,
                                const SimulationSettings& settings) {
  return OwnRunTime(object).value_or(settings.run_time);
}

bool FailsInTheEnd(const store::json::value& object, const SimulationSettings& settings) {
  const std::string given = AnnotationAt(object, kFailsAnnotation);
  return given.empty() ? Chance(jobs::TextAt(object, "metadata.uid")) < settings.failure_rate
                       : given == "true";
}

}  // namespace berth::control

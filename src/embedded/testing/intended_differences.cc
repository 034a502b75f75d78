#include "embedded/testing/intended_differences.h"

#include <algorithm>
#include <functional>
#include <regex>

#include "json/path.h"

namespace berth::embedded::testing {
namespace {

using Applies = bool (*)(const json::value& object);

// A rule applies to a step with an object for which `applies` holds. It explains the differences of
// objects whose "ID: difference" matches the pattern.
struct Rule {
  std::string_view number;  // in the README of the recordings
  std::string_view what_berth_does;
  Applies applies;
  std::string_view pattern;
};

bool HasCondition(const json::value& object, std::string_view type, std::string_view status) {
  const json::value* conditions = json::FindAt(object, "status.conditions");
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->get_array(), [&](const json::value& condition) {
    return json::TextAt(condition, "type") == type && json::TextAt(condition, "status") == status;
  });
}

bool IsKind(const json::value& object, std::string_view kind) {
  return json::TextAt(object, "kind") == kind;
}

bool IsEndingPod(const json::value& object) {
  return IsKind(object, "Pod") && json::TextAt(object, "status.phase") == "Running" &&
         json::IsSetAt(object, "metadata.deletionTimestamp");
}

bool AwaitsReplacement(const json::value& object) {
  return IsKind(object, "Workload") && HasCondition(object, "WaitingForReplacementPods", "True") &&
         HasCondition(object, "QuotaReserved", "False");
}

// The pods of a set that was scaled to zero and up again have another number than its Workload.
bool IsStatefulSet(const json::value& object) { return IsKind(object, "StatefulSet"); }

bool IsFinished(const json::value& object) {
  return IsKind(object, "Workload") && HasCondition(object, "Finished", "True");
}

constexpr Rule kRules[] = {
    {"58", "a deleted pod has its quota until it has ended", IsEndingPod,
     R"((Pod|Workload) .*: (\.metadata\.finalizers|\.status\.conditions\.Finished): .*)"},
    {"58", "so the queue counts it", IsEndingPod,
     R"((ClusterQueue|LocalQueue) .*: \.status\.(admitted|reserving|flavors).*)"},
    {"62", "a group is not pending while pods are missing", AwaitsReplacement,
     R"((ClusterQueue|LocalQueue) .*: \.status\.pendingWorkloads: .*)"},
    {"69", "a set that comes back has quota for its new number of pods", IsStatefulSet,
     R"(Workload \S*/statefulset-.*(\.count|\.resourceUsage\.cpu|eneration): .*)"},
    {"69", "so the queue counts them", IsStatefulSet,
     R"((ClusterQueue|LocalQueue) .*: \.status\.flavors.*)"},
    {"57", "pods that start and end at once may have been ready or not", IsFinished,
     R"(Workload .*: \.status\.conditions\.PodsReady\.(status|reason): .*)"},
};

bool Holds(const Rule& rule, const json::value& step) {
  const json::value* objects = json::Find(step, {"objects"});
  return objects != nullptr && objects->is_array() &&
         std::ranges::any_of(objects->get_array(), rule.applies);
}

}  // namespace

bool IsIntended(const json::value& step, const std::string& id, const std::string& difference) {
  const std::string text = id + ": " + difference;
  return std::ranges::any_of(kRules, [&](const Rule& rule) {
    return std::regex_match(text, std::regex(std::string(rule.pattern))) && Holds(rule, step);
  });
}

}  // namespace berth::embedded::testing

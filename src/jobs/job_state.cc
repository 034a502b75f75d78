#include "jobs/job_state.h"

#include <algorithm>
#include <limits>

#include "api/kueue/well_known.h"
#include "jobs/completions.h"
#include "jobs/derive/derive.h"

namespace berth::jobs {
namespace {

// The elements of a list or the values of a map.
std::vector<const json::value*> ElementsAt(const json::value& object, std::string_view path) {
  std::vector<const json::value*> elements;
  const json::value* at = json::FindAt(object, path);
  if (at == nullptr) return elements;
  if (const json::array* list = at->if_array()) {
    for (const json::value& element : *list) elements.push_back(&element);
  } else if (const json::object* map = at->if_object()) {
    for (const auto& member : *map) elements.push_back(&member.value());
  }
  return elements;
}

const json::value* TrueCondition(const json::value& object, std::string_view type) {
  for (const json::value* condition : ElementsAt(object, "status.conditions")) {
    if (json::TextAt(*condition, "type") == type &&
        json::TextAt(*condition, "status") == api::kConditionTrue)
      return condition;
  }
  return nullptr;
}

bool HoldsAt(const Test& test, const json::value& at) {
  if (test.in.empty()) return json::IsSetAt(at, test.path);
  return std::ranges::find(test.in, json::TextAt(at, test.path)) != test.in.end();
}

bool HoldsForEach(const Test& test, const json::value& object) {
  return std::ranges::any_of(ElementsAt(object, test.each),
                             [&](const json::value* at) { return HoldsAt(test, *at); });
}

bool AllHold(const std::vector<Test>& tests, const json::value& object) {
  return std::ranges::all_of(tests, [&](const Test& test) { return Holds(test, object); });
}

bool OneHolds(const std::vector<Test>& tests, const json::value& object) {
  return std::ranges::any_of(tests, [&](const Test& test) { return Holds(test, object); });
}

bool HasGate(const json::value& pod, std::string_view name) {
  return std::ranges::any_of(ElementsAt(pod, "spec.schedulingGates"), [&](const json::value* gate) {
    return json::TextAt(*gate, "name") == name;
  });
}

bool IsStopping(const json::value& job) {
  return json::TextAt(job, "metadata.annotations[" + std::string(api::kStoppingAnnotation) + "]") ==
         "true";
}

std::string MessageOf(const EndRule& rule, const json::value& job) {
  if (!rule.message_path.empty()) return json::TextAt(job, rule.message_path);
  if (!rule.message.empty()) return rule.message;
  for (const Test& test : rule.when) {
    if (test.condition.empty() || test.is_not) continue;
    if (const json::value* condition = TrueCondition(job, test.condition))
      return json::TextAt(*condition, "message");
  }
  return {};
}

// --- Sums --------------------------------------------------------------------------------------

int64_t NumberAt(const SumRule& rule, const json::value& at, std::string_view path) {
  const json::value* value = json::FindAt(at, path);
  if (value == nullptr) return 0;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (const int64_t* number = value->if_int64()) return std::clamp<int64_t>(*number, 0, kMost);
  const auto elements = ElementsAt(at, path);
  if (rule.in.empty()) return static_cast<int64_t>(elements.size());
  return std::ranges::count_if(elements, [&](const json::value* element) {
    return std::ranges::find(rule.in, json::TextAt(*element, "")) != rule.in.end();
  });
}

int64_t SumAt(const SumRule& rule, const json::value& at) {
  int64_t sum = 0;
  for (const std::string& path : rule.add) sum += NumberAt(rule, at, path);
  return sum;
}

int64_t Sum(const SumRule& rule, const json::value& job) {
  if (rule.each.empty()) return SumAt(rule, job);
  int64_t sum = 0;
  for (const json::value* element : ElementsAt(job, rule.each)) sum += SumAt(rule, *element);
  return sum;
}

// --- Reclaimable pods --------------------------------------------------------------------------

std::vector<api::ReclaimablePod> ByStatuses(const ReclaimRule& rule, const json::value& job,
                                            const std::vector<JobPodSet>& pod_sets) {
  std::vector<api::ReclaimablePod> reclaimable;
  const auto statuses = ElementsAt(job, rule.statuses);
  for (const JobPodSet& set : pod_sets) {
    const auto found = std::ranges::find_if(statuses, [&](const json::value* status) {
      return PodSetName(json::TextAt(*status, rule.name)) == set.pod_set.name;
    });
    if (found == statuses.end()) continue;
    const int64_t done = json::IntAt(**found, rule.succeeded).value_or(0);
    if (done <= 0 || done > set.replicas) continue;
    const int64_t count =
        std::min<int64_t>(done * set.pods_per_replica, set.pod_set.count.value_or(1));
    reclaimable.push_back({.name = set.pod_set.name, .count = static_cast<int32_t>(count)});
  }
  return reclaimable;
}

}  // namespace

bool Holds(const Test& test, const json::value& object) {
  const bool holds = !test.condition.empty() ? TrueCondition(object, test.condition) != nullptr
                     : test.each.empty()     ? HoldsAt(test, object)
                                             : HoldsForEach(test, object);
  return holds != test.is_not;
}

bool IsSuspended(const Integration& integration, const json::value& job) {
  if (integration.suspension == kSuspendedByGate)
    return HasGate(job, api::kAdmissionSchedulingGate) || Finished(integration, job).has_value();
  if (integration.suspend.empty()) return !IsActive(integration, job);
  return json::IsSetAt(job, integration.suspend) && !IsStopping(job);
}

bool IsActive(const Integration& integration, const json::value& job) {
  return OneHolds(integration.active, job);
}

bool IsSkipped(const Integration& integration, const json::value& job) {
  return OneHolds(integration.skip, job);
}

bool CleansUp(const Integration& integration, const json::value& job) {
  return integration.cleans_up_redis && IsFaultTolerantRay(integration, job);
}

std::string HoldReason(const Integration& integration, const json::value& job) {
  for (const Test& test : integration.on_hold) {
    if (!Holds(test, job)) continue;
    if (!test.condition.empty()) return "condition " + test.condition;
    return test.path + " is " + json::TextAt(job, test.path);
  }
  return "";
}

std::optional<JobEnd> Finished(const Integration& integration, const json::value& job) {
  for (const EndRule& rule : integration.finished) {
    if (!AllHold(rule.when, job)) continue;
    return JobEnd{.message = MessageOf(rule, job), .is_success = rule.is_success};
  }
  return std::nullopt;
}

bool PodsReady(const Integration& integration, const json::value& job,
               const std::vector<JobPodSet>& pod_sets) {
  const ReadyRule& rule = integration.ready;
  if (!AllHold(rule.when, job)) return false;
  if (!rule.counted) return !rule.when.empty();
  int64_t wanted = 0;
  if (rule.wanted) {
    wanted = Sum(*rule.wanted, job);
  } else {
    for (const JobPodSet& set : pod_sets) wanted += set.replicas;
  }
  return Sum(*rule.counted, job) >= wanted;
}

std::vector<api::ReclaimablePod> ReclaimablePods(const Integration& integration,
                                                 const json::value& job,
                                                 const std::vector<JobPodSet>& pod_sets) {
  if (!integration.reclaimable) return {};
  if (!integration.reclaimable->by_completions)
    return ByStatuses(*integration.reclaimable, job, pod_sets);
  const int32_t count = ReclaimableOfJob(job);
  if (count == 0 || pod_sets.empty()) return {};
  return {{.name = pod_sets.front().pod_set.name, .count = count}};
}

}  // namespace berth::jobs

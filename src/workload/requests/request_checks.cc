#include "workload/requests/request_checks.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta/problem_report.h"
#include "quantity/resource_amount.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/resource_list.h"

namespace berth::workload {
namespace {

using api::ProblemReport;
using api::ResourceList;

constexpr std::string_view kInitContainers = "initContainers";
constexpr std::string_view kContainers = "containers";

// The resources whose amount in `larger` exceeds that in `smaller`, formatted by `describe`.
template <class Describe>
std::string Exceeding(const ResourceList& larger, const ResourceList& smaller, Describe describe) {
  std::string text;
  for (const auto& [name, more] : larger) {
    const quantity::Quantity* less = smaller.Find(name);
    if (less == nullptr) continue;
    if (quantity::RequestAmount(name, more) <= quantity::RequestAmount(name, *less)) continue;
    text += (text.empty() ? "" : ", ") + name + " " + describe(more.ToString(), less->ToString());
  }
  return text;
}

void ReportAbove(const ResourceList& amounts, const ResourceList& max, std::string_view what,
                 std::string_view field, ProblemReport& report) {
  const std::string resources =
      Exceeding(amounts, max, [](const std::string& amount, const std::string& bound) {
        return "is " + amount + ", may be " + bound;
      });
  if (!resources.empty()) report.Invalid(field, std::string(what) + ": " + resources);
}

void ReportBelow(const ResourceList& amounts, const ResourceList& min, std::string_view what,
                 ProblemReport& report) {
  const std::string resources =
      Exceeding(min, amounts, [](const std::string& bound, const std::string& amount) {
        return "is " + amount + ", must be " + bound;
      });
  if (!resources.empty()) report.Invalid("", std::string(what) + ": " + resources);
}

void CheckOwnLimits(const api::ResourceRequirements& resources, std::string_view field,
                    ProblemReport& report) {
  ReportAbove(resources.requests, resources.limits,
              "requests must not be above the limits beside them", field, report);
}

void CheckBounds(const ResourceList& lowest, const ResourceList& highest, const LimitBounds& bounds,
                 ProblemReport& report) {
  ReportAbove(highest, bounds.max, "above the max of a LimitRange in this namespace", "", report);
  ReportBelow(lowest, bounds.min, "below the min of a LimitRange in this namespace", report);
}

void CheckContainerBounds(const api::ResourceRequirements& resources, const LimitBounds& bounds,
                          ProblemReport& report) {
  ResourceList lowest = resources.requests;
  ResourceList highest = resources.requests;
  KeepLower(lowest, resources.limits);
  KeepHigher(highest, resources.limits);
  CheckBounds(lowest, highest, bounds, report);
}

template <class Check>
void ForEachContainer(const api::PodSpec& pod, ProblemReport& report, Check check) {
  for (const auto& [field, list] : {std::pair(kInitContainers, &pod.init_containers),
                                    std::pair(kContainers, &pod.containers)}) {
    for (size_t i = 0; i < list->size(); ++i) {
      auto at = report.In(field, i);
      check((*list)[i].resources);
    }
  }
}

template <class Check>
schema::Problems CheckPods(std::span<const api::PodSet> pod_sets, Check check) {
  ProblemReport report;
  auto in_spec = report.In("spec");
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    auto at = report.In("podSets", i);
    auto in_template = report.In("template");
    auto in_pod = report.In("spec");
    check(pod_sets[i].template_.spec, report);
  }
  return std::move(report).Take();
}

}  // namespace

schema::Problems RequestsAboveLimits(std::span<const api::PodSet> pod_sets) {
  return CheckPods(pod_sets, [](const api::PodSpec& pod, ProblemReport& report) {
    ForEachContainer(pod, report, [&](const api::ResourceRequirements& resources) {
      CheckOwnLimits(resources, "", report);
    });
    if (pod.resources) CheckOwnLimits(*pod.resources, "resources", report);
  });
}

schema::Problems LimitRangeViolations(std::span<const api::PodSet> pod_sets,
                                      const LimitSummary& limits) {
  return CheckPods(pod_sets, [&](const api::PodSpec& pod, ProblemReport& report) {
    if (limits.container) {
      ForEachContainer(pod, report, [&](const api::ResourceRequirements& resources) {
        CheckContainerBounds(resources, *limits.container, report);
      });
    }
    if (limits.pod) {
      const ResourceList total = PodRequests(pod);
      CheckBounds(total, total, *limits.pod, report);
    }
  });
}

}  // namespace berth::workload

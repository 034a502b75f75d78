#include "workload/requests/request_checks.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta/problem_report.h"
#include "quantity/resource_amount.h"
#include "workload/requests/pod_requests.h"

namespace berth::workload {
namespace {

using api::ProblemReport;
using api::ResourceList;

constexpr std::string_view kInitContainers = "initContainers";
constexpr std::string_view kContainers = "containers";

// One text for each resource whose amount in `larger` exceeds that in `smaller`, made by `describe`
// from the name, both quantities and their difference.
template <class Describe>
std::string Exceeding(const ResourceList& larger, const ResourceList& smaller, Describe describe) {
  const quantity::AmountFormatter formatter;
  std::string text;
  for (const auto& [name, more] : larger) {
    const quantity::Quantity* less = smaller.Find(name);
    if (less == nullptr) continue;
    const int64_t high = quantity::RequestAmount(name, more);
    const int64_t low = quantity::RequestAmount(name, *less);
    if (high <= low) continue;
    text += (text.empty() ? "" : ", ") + describe(name, more.ToString(), less->ToString(),
                                                  formatter.RequestText(name, high - low));
  }
  return text;
}

// "cpu limit 3 exceeds the LimitRange max of 2 by 1". `what` is "request" or "limit".
std::string Above(const ResourceList& amounts, std::string_view what, const ResourceList& bounds,
                  std::string_view bound) {
  return Exceeding(amounts, bounds,
                   [&](const std::string& name, const std::string& amount, const std::string& most,
                       const std::string& excess) {
                     return name + " " + std::string(what) + " " + amount + " exceeds the " +
                            std::string(bound) + " of " + most + " by " + excess;
                   });
}

// "cpu request 500m is below the LimitRange min of 1 by 500m".
std::string Below(const ResourceList& amounts, std::string_view what, const ResourceList& min) {
  return Exceeding(min, amounts,
                   [&](const std::string& name, const std::string& least, const std::string& amount,
                       const std::string& gap) {
                     return name + " " + std::string(what) + " " + amount +
                            " is below the LimitRange min of " + least + " by " + gap;
                   });
}

std::string WithMore(std::string text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += ", ";
  return text + more;
}

void ReportIfAny(std::string text, std::string_view field, ProblemReport& report) {
  if (!text.empty()) report.Invalid(field, std::move(text));
}

void CheckOwnLimits(const api::ResourceRequirements& resources, std::string_view field,
                    ProblemReport& report) {
  ReportIfAny(Above(resources.requests, "request", resources.limits, "limit"), field, report);
}

// A pod has no limits of its own here: its total requests count.
void CheckBounds(const api::ResourceRequirements& resources, std::string_view request,
                 const LimitBounds& bounds, ProblemReport& report) {
  constexpr std::string_view kMax = "LimitRange max";
  ReportIfAny(WithMore(Above(resources.requests, request, bounds.max, kMax),
                       Above(resources.limits, "limit", bounds.max, kMax)),
              "", report);
  ReportIfAny(WithMore(Below(resources.requests, request, bounds.min),
                       Below(resources.limits, "limit", bounds.min)),
              "", report);
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
        CheckBounds(resources, "request", *limits.container, report);
      });
    }
    if (limits.pod) {
      api::ResourceRequirements total;
      total.requests = PodRequests(pod);
      CheckBounds(total, "request of the pod", *limits.pod, report);
    }
  });
}

schema::Problems InvalidRequests::All() const {
  schema::Problems all = above_limits;
  all.insert(all.end(), outside_limit_ranges.begin(), outside_limit_ranges.end());
  return all;
}

}  // namespace berth::workload

#pragma once

// Sentences of an explanation, for the owner of the job and the admin of the queues.

#include <string>
#include <string_view>
#include <vector>

#include "explain/report.h"

namespace berth::explain {

// The status of the workload: `HoldsQuota`, `Evicted`, `Ready`, `Preempts`, `Waits` or `NotQueued`.
std::string_view StatusOf(const Report& report);

// The first line: the workload and its status.
std::string Headline(const Report& report);

// The reasons, a sentence each.
std::vector<std::string> PendingReasons(const Report& report);

// "cannot-preempt and cannot-borrow", with a remark if they have no effect; "" if there are none.
std::string ConstraintsText(const Report& report);

// The claimed devices of its pods: resource, count and class.
std::vector<std::string> DeviceLines(const Report& report);
// Requests that do not count, and why. Of a workload with quota, those it is not charged for.
std::vector<workload::SkippedResource> NotCounted(const Report& report);

// The fit of one resource in a flavor; the mismatch of a whole flavor.
std::string FitText(const engine::ResourceFigures& figures);
std::string MismatchText(const Report& report, const engine::FlavorStep& step);
// Why the search continued or stopped at this flavor; "" if that is obvious.
std::string NextStepText(const Report& report, const engine::FlavorStep& step);

// Why workloads of a group are (not) candidates: "withinClusterQueue of team-a is Never".
std::string CandidateStatusText(const Report& report, const engine::CandidateGroup& group);

// The remedy for an obstacle before scheduling.
std::string ObstacleRemedyText(const Report& report, engine::Obstacle obstacle);
std::string RemedyText(const Report& report, const engine::Remedy& remedy);

// "a, b and c"; "a, b and 3 more" if `count` is larger.
std::string Listed(const std::vector<std::string>& names, size_t count,
                   std::string_view word = "and");

}  // namespace berth::explain

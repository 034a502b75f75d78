#pragma once

// The words for what an explanation says. Plain sentences, written for whoever submitted the job
// and for whoever runs the queues.

#include <string>
#include <string_view>
#include <vector>

#include "explain/account.h"

namespace berth::explain {

// What becomes of the workload, in one word: `HoldsQuota`, `Evicted`, `Ready`, `Preempts`, `Waits`,
// `NotQueued`.
std::string_view StatusOf(const Account& account);

// The first line: who, and what becomes of it.
std::string Headline(const Account& account);

// Why, in a few sentences.
std::vector<std::string> WhyItWaits(const Account& account);

// "cannot-preempt and cannot-borrow", with a remark where they have no effect; "" if it has none.
std::string ConstraintsText(const Account& account);

// Devices that its pods claim: what they count as, how many, and of which class.
std::vector<std::string> DeviceLines(const Account& account);
// Of what it asks for, what does not count, and why. Of one that holds quota, what it was not
// charged.
std::vector<workload::SkippedResource> NotCounted(const Account& account);

// How one resource fares in a flavor; what is wrong with a flavor as a whole.
std::string FitText(const engine::ResourceFigures& figures);
std::string MismatchText(const Account& account, const engine::FlavorStep& step);
// Why the search did not end, or did end, at this flavor; "" where that goes without saying.
std::string NextStepText(const Account& account, const engine::FlavorStep& step);

// What workloads of a group are to the one that waits: "withinClusterQueue of team-a is Never".
std::string StandingText(const Account& account, const engine::CandidateGroup& group);

// What is to be done about what keeps it from being looked at.
std::string ObstacleRemedyText(const Account& account, engine::Obstacle obstacle);
std::string RemedyText(const Account& account, const engine::Remedy& remedy);

// "a, b and c"; "a, b and 3 more" where there are more than are named.
std::string Listed(const std::vector<std::string>& names, size_t count,
                   std::string_view word = "and");
// "1 pod", "2 pods".
std::string Counted(size_t count, std::string_view noun);

}  // namespace berth::explain

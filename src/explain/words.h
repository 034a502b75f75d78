#pragma once

// One word for every value of an explanation's enumerations, as they stand in JSON.

#include <string_view>

#include "engine/explanation.h"
#include "explain/account.h"

namespace berth::explain {

std::string_view WordFor(Absence absence);
std::string_view WordFor(engine::FlavorMode mode);
std::string_view WordFor(engine::Mismatch mismatch);
std::string_view WordFor(engine::NextStep next);
std::string_view WordFor(engine::PreemptionAttempt attempt);
std::string_view WordFor(engine::CandidateStanding standing);
std::string_view WordFor(engine::Turn turn);
std::string_view WordFor(engine::Obstacle obstacle);
std::string_view WordFor(engine::RemedyKind kind);
std::string_view WordFor(workload::NotCounted why);

}  // namespace berth::explain

#pragma once

// Names of the enumerators of an explanation, as in JSON.

#include <string_view>

#include "engine/explain/explanation.h"
#include "explain/report.h"

namespace berth::explain {

std::string_view WordFor(Absence absence);
std::string_view WordFor(engine::FlavorMode mode);
std::string_view WordFor(engine::Mismatch mismatch);
std::string_view WordFor(engine::NextStep next);
std::string_view WordFor(engine::PreemptionAttempt attempt);
std::string_view WordFor(engine::CandidateStatus standing);
std::string_view WordFor(engine::Turn turn);
std::string_view WordFor(engine::Obstacle obstacle);
std::string_view WordFor(engine::RemedyKind kind);
std::string_view WordFor(engine::TopologyKind kind);
std::string_view WordFor(workload::NotCounted why);

}  // namespace berth::explain

#pragma once

// Names of the enumerators of an explanation, as in JSON.

#include <string_view>

#include "engine/explain/explanation.h"
#include "explain/report.h"

namespace berth::explain {

std::string_view EnumName(Absence absence);
std::string_view EnumName(engine::FlavorMode mode);
std::string_view EnumName(engine::Mismatch mismatch);
std::string_view EnumName(engine::NextStep next);
std::string_view EnumName(engine::PreemptionAttempt attempt);
std::string_view EnumName(engine::CandidateStatus status);
std::string_view EnumName(engine::PositionStatus status);
std::string_view EnumName(engine::Obstacle obstacle);
std::string_view EnumName(engine::RemedyKind kind);
std::string_view EnumName(engine::TopologyKind kind);
std::string_view EnumName(workload::NotCounted why);

}  // namespace berth::explain

#pragma once

// What is said of workloads that wait because of their own constraints.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/forbidden_way.h"

namespace berth::workload {

// "cannot-preempt", "cannot-borrow": the names of constraints, as in annotations and metrics.
std::vector<std::string_view> ConstraintNames(engine::AdmissionConstraints constraints);

// The constraints that stand in the way, of all ways together.
engine::AdmissionConstraints ConstraintsInTheWay(std::span<const engine::ForbiddenWay> ways);

// Why it waits: which constraint, what it would have needed, and that it blocks its queue where the
// queue is StrictFIFO. The message of its QuotaReserved condition and of the Event. Other workloads
// are counted and not named: whoever reads it may not be allowed to know them.
std::string ConstraintMessage(const engine::Engine& engine, engine::NodeId queue,
                              std::span<const engine::ForbiddenWay> ways);

}  // namespace berth::workload

#pragma once

// Messages about workloads that are pending because of their own admission constraints.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/explain/blocked_option.h"

namespace berth::workload {

// "cannot-preempt", "cannot-borrow": the names of constraints, as in annotations and metrics.
std::vector<std::string_view> ConstraintNames(engine::AdmissionConstraints constraints);

// Those that a text by ConstraintMessage names as blocking; none for any other text.
std::vector<std::string_view> ConstraintsIn(std::string_view message);

// The constraints that block any of the options.
engine::AdmissionConstraints BlockingConstraints(std::span<const engine::BlockedOption> options);

// The message of the QuotaReserved condition and the Event: the constraint, the blocked option, and
// whether the workload blocks its StrictFIFO queue. Other workloads are counted but not named: the
// reader may not be permitted to see them.
std::string ConstraintMessage(const engine::Engine& engine, engine::NodeId queue,
                              std::span<const engine::BlockedOption> options);

}  // namespace berth::workload

#pragma once

#include <string>

#include "explain/report.h"

namespace berth::explain {

// A report as text: the headline, the pending reasons, a table of flavors for each podset,
// preemption, the workloads ahead, and remedies. Empty parts are omitted. Names are not sanitized
// for terminals.
std::string ToText(const Report& report);

}  // namespace berth::explain

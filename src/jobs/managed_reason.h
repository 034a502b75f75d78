#pragma once

#include <span>
#include <string_view>

#include "jobs/managed.h"

namespace berth::jobs {

// The machine-readable reason: "QueueName", "NamespaceNotSelected".
std::string_view ReasonName(ManagedReason reason);
// All reasons.
std::span<const std::string_view> AllReasonNames();

// Whether a managed job is released to run without quota when this becomes the reason: its
// namespace is no longer selected. A job that only lost its queue name stays suspended or running,
// so that removing the name does not bypass quota.
bool IsReleasedBy(ManagedReason reason);

}  // namespace berth::jobs

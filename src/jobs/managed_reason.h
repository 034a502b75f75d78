#pragma once

#include <span>
#include <string_view>

#include "jobs/managed.h"

namespace berth::jobs {

// The reason as one word, for files and machines: "QueueName", "NamespaceNotSelected".
std::string_view ReasonName(ManagedReason reason);
// Every word there is.
std::span<const std::string_view> AllReasonNames();

// Whether a job that was managed is let run without quota when this becomes the answer: its
// namespace is not selected any more. A job that only lost its queue name stays as it is, held back
// or running, so that nobody gets around quota by taking the name away.
bool IsReleasedBy(ManagedReason reason);

}  // namespace berth::jobs

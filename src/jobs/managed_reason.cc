#include "jobs/managed_reason.h"

#include <cstddef>
#include <iterator>

namespace berth::jobs {
namespace {

// In the order of the enumeration.
constexpr std::string_view kReasonNames[] = {
    "QueueName",    "Namespace",   "PodOfManaged",         "KindNotListed",   "ExternalKind",
    "ManagedOwner", "NoQueueName", "NamespaceNotSelected", "NotInPodOptions",
};
static_assert(std::size(kReasonNames) == static_cast<size_t>(ManagedReason::kNotInPodOptions) + 1);

}  // namespace

std::string_view ReasonName(ManagedReason reason) {
  return kReasonNames[static_cast<size_t>(reason)];
}

std::span<const std::string_view> AllReasonNames() { return kReasonNames; }

bool IsReleasedBy(ManagedReason reason) {
  return reason == ManagedReason::kNamespaceNotSelected ||
         reason == ManagedReason::kNotInPodOptions;
}

}  // namespace berth::jobs

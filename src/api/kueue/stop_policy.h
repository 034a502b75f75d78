#pragma once

#include <string_view>

namespace berth::api {

// A stopped queue admits nothing (Hold) and may evict admitted workloads too (HoldAndDrain).
inline constexpr std::string_view kStopPolicyNone = "None";
inline constexpr std::string_view kStopPolicyHold = "Hold";
inline constexpr std::string_view kStopPolicyHoldAndDrain = "HoldAndDrain";
inline constexpr std::string_view kStopPolicies[] = {kStopPolicyNone, kStopPolicyHold,
                                                     kStopPolicyHoldAndDrain};

}  // namespace berth::api

#pragma once

#include <string_view>

namespace berth::api {

// What a stopped queue does: nothing (it is not stopped), admit no more, or also evict what runs.
inline constexpr std::string_view kStopPolicyNone = "None";
inline constexpr std::string_view kStopPolicyHold = "Hold";
inline constexpr std::string_view kStopPolicyHoldAndDrain = "HoldAndDrain";
inline constexpr std::string_view kStopPolicies[] = {kStopPolicyNone, kStopPolicyHold,
                                                     kStopPolicyHoldAndDrain};

}  // namespace berth::api

#pragma once

#include <string_view>
#include <vector>

#include "api/meta.h"

namespace berth::api {

// The condition of this type, or null.
const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type);

// Whether there is a condition of this type and it is True.
bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type);

}  // namespace berth::api

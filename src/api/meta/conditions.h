#pragma once

#include <string_view>
#include <vector>

#include "api/meta/meta.h"

namespace berth::api {

// Returns the condition of this type, or null.
const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type);

// Returns whether the condition of this type exists and is True.
bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type);

}  // namespace berth::api

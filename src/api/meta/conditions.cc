#include "api/meta/conditions.h"

#include <algorithm>

namespace berth::api {

const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type) {
  auto it = std::ranges::find(conditions, type, &Condition::type);
  return it == conditions.end() ? nullptr : &*it;
}

bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* condition = FindCondition(conditions, type);
  return condition != nullptr && condition->status == kConditionTrue;
}

}  // namespace berth::api

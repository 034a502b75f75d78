#pragma once

#include <span>

namespace berth::lifecycle {

// A planner's rule. Applies its part to the plan and returns whether planning ends with it.
template <class Planner>
using Rule = bool (Planner::*)();

// Runs the rules in order until one of them ends the planning. The order of the table is the order
// of precedence.
template <class Planner>
void RunRules(Planner& planner, std::span<const Rule<Planner>> rules) {
  for (const Rule<Planner> rule : rules)
    if ((planner.*rule)()) return;
}

}  // namespace berth::lifecycle

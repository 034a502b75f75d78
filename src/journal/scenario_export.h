#pragma once

#include <string>

#include "journal/known_objects.h"
#include "journal/player.h"
#include "journal/record.h"

namespace berth::journal {

// A scenario file (docs/reference/scenarios.md) of the objects right before a recorded cycle, with
// the decisions of that cycle as its expected outcome. `objects` and `player` are as of the record
// before it. What the engine knows and the objects do not show yet is written into them: quota
// that is reserved, and preemptions. Inadmissible and finished workloads are left out, since a
// cycle does not look at them.
std::string ScenarioText(const KnownObjects& objects, const Player& player, const Cycle& cycle);

}  // namespace berth::journal

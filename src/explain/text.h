#pragma once

#include <string>

#include "explain/account.h"

namespace berth::explain {

// An account for people, in plain lines: the headline, why it waits, a table of flavors for each
// podset, preemption, who is ahead, and what would admit it. Parts that say nothing are left out.
// Names come from files as they are: whoever prints them to a terminal must make them printable.
std::string ToText(const Account& account);

}  // namespace berth::explain

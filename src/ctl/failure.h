#pragma once

#include "base/error.h"
#include "store/failure.h"

namespace berth::ctl {

// A failed request in kubectl's words, "Error from server (NotFound): …", with a hint that says
// what to do.
base::Error ErrorOf(const store::Failure& failure);

// The whole text for the user, with "error: " in front of what no server said.
std::string ToText(const base::Error& error);

}  // namespace berth::ctl

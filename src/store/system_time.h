#pragma once

#include "base/time.h"

namespace berth::store {

// The wall clock. For shells only: decisions take the time as an argument.
base::Time SystemTime();

}  // namespace berth::store

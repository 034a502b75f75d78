#pragma once

#include "base/time.h"

namespace berth::store {

// What the machine's clock says. For shells: decisions get the time as an argument.
base::Time SystemTime();

}  // namespace berth::store

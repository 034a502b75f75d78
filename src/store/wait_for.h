#pragma once

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// Makes a call and waits for its answer, so long at most. Not on the thread that answers it.
Outcome<Reply> WaitFor(Store& store, Call call, base::Duration limit);

}  // namespace berth::store

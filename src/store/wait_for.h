#pragma once

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// Makes a call and blocks until its answer or the limit. Must not run on the answering thread.
Outcome<Reply> WaitFor(Store& store, Call call, base::Duration limit);

}  // namespace berth::store

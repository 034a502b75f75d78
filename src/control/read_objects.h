#pragma once

#include <vector>

#include "api/meta/manifest.h"
#include "base/error.h"
#include "store/store.h"

namespace berth::control {

// Everything that decisions depend on: queues, flavors, workloads, supported job kinds, namespaces,
// limits and priorities; nodes and the pods on them if a flavor has a topology. Kinds that the
// server does not have are skipped. Blocks; must not run on the answering thread of the store.
base::Result<std::vector<api::Manifest>> ReadObjects(store::Store& store);

}  // namespace berth::control

#pragma once

// Objects of a running cluster, for commands that otherwise read files.

#include <string>
#include <vector>

#include "api/meta/manifest.h"
#include "base/error.h"
#include "store/store.h"

namespace berth::cli {

// Selects the cluster; kubectl's current context by default.
struct LiveCluster {
  bool is_requested = false;
  std::string kubeconfig;
  std::string context;

  bool IsRequested() const { return is_requested || !kubeconfig.empty() || !context.empty(); }
};

// Everything that decisions depend on (control::ReadObjects), and the manager's Configuration if
// readable. Read-only.
base::Result<std::vector<api::Manifest>> ReadCluster(const LiveCluster& cluster);
base::Result<std::vector<api::Manifest>> ReadCluster(store::Store& store);

}  // namespace berth::cli

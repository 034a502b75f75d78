#pragma once

// Objects of a running cluster, for commands that otherwise read files.

#include <optional>
#include <string>
#include <vector>

#include "api/meta/manifest.h"
#include "base/error.h"
#include "cli/output.h"
#include "store/store.h"

namespace CLI {
class App;
}

namespace berth::cli {

// Selects the cluster; kubectl's current context by default.
struct LiveCluster {
  bool is_requested = false;
  std::string kubeconfig;
  std::string context;
  store::Store* store = nullptr;  // of a cluster that is connected already

  bool IsRequested() const {
    return is_requested || !kubeconfig.empty() || !context.empty() || store != nullptr;
  }
};

// Everything that decisions depend on (control::ReadObjects), and the manager's Configuration if
// readable. Read-only.
base::Result<std::vector<api::Manifest>> ReadCluster(const LiveCluster& cluster);
base::Result<std::vector<api::Manifest>> ReadCluster(store::Store& store);

// The objects of the cluster, if requested, and after them, so that they override it, those of the
// files. Nullopt, with messages on `err`, if something could not be read.
std::optional<std::vector<api::Manifest>> ReadObjects(const std::vector<std::string>& paths,
                                                      const LiveCluster& cluster, Output& err);

// --live, --kubeconfig and --context.
void AddLiveOptions(CLI::App& command, LiveCluster& cluster);

}  // namespace berth::cli

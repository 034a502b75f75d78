#pragma once

// The objects of a cluster that runs, for commands that otherwise read them from files.

#include <string>
#include <vector>

#include "api/manifest.h"
#include "base/error.h"
#include "store/store.h"

namespace berth::cli {

// Which; that of kubectl if nothing more is said.
struct LiveCluster {
  bool is_asked_for = false;
  std::string kubeconfig;
  std::string context;

  bool IsWanted() const { return is_asked_for || !kubeconfig.empty() || !context.empty(); }
};

// Everything that decisions depend on: queues, flavors, workloads and their like, the kinds of
// jobs that Berth knows, namespaces, limits and priorities, and the Configuration of the manager if
// it can be read. Kinds that the cluster does not have are left out. Nothing is written.
base::Result<std::vector<api::Manifest>> ReadCluster(const LiveCluster& cluster);
base::Result<std::vector<api::Manifest>> ReadCluster(store::Store& store);

}  // namespace berth::cli

#pragma once

#include <string>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

// Finds the cluster to talk to, in this order: the given file, the files of the variable
// KUBECONFIG, the service account of this pod, ~/.kube/config.
base::Result<Access> FindAccess(const std::string& kubeconfig, const std::string& context = {});

// In-cluster configuration: the service account of this pod. `directory` holds the files of the
// account.
base::Result<Access> InClusterAccess(const std::string& host, const std::string& port,
                                     const std::string& directory);

}  // namespace berth::kube

#pragma once

#include <string>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

// Where to find out which cluster is meant, in this order: the file that is named, the files of the
// variable KUBECONFIG, the service account of the pod that we run in, ~/.kube/config.
base::Result<Access> FindAccess(const std::string& kubeconfig, const std::string& context = {});

// That of the pod that we run in, as files and environment tell it. `directory` is where the
// account's files are.
base::Result<Access> InClusterAccess(const std::string& host, const std::string& port,
                                     const std::string& directory);

}  // namespace berth::kube

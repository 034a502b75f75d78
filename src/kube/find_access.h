#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

// Finds the cluster to talk to, in this order: the given file, the files of the variable
// KUBECONFIG, the service account of this pod, ~/.kube/config.
base::Result<Access> FindAccess(const std::string& kubeconfig, const std::string& context = {});

// What the command line says about the cluster, in the flags of kubectl with these names. They
// override what FindAccess finds; "" does not.
struct AccessFlags {
  std::string kubeconfig;
  std::string context;
  std::string cluster;
  std::string user;
  std::string server;
  std::string tls_server_name;
  std::string certificate_authority;  // files
  std::string client_certificate;
  std::string client_key;
  std::string token;
  std::string as;
  std::vector<std::string> as_groups;
  bool skips_verification = false;  // --insecure-skip-tls-verify
};
// With a server, no kubeconfig is needed.
base::Result<Access> FindAccess(const AccessFlags& flags);

// The names in the kubeconfigs of "contexts", "clusters" or "users".
std::vector<std::string> FindKubeconfigNames(const std::string& kubeconfig, std::string_view list);

// In-cluster configuration: the service account of this pod. `directory` holds the files of the
// account.
base::Result<Access> InClusterAccess(const std::string& host, const std::string& port,
                                     const std::string& directory);

}  // namespace berth::kube

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::kube {

// A client-go credential plugin: a program that prints an ExecCredential.
struct ExecPlugin {
  std::string api_version;  // of the ExecCredential
  std::string command;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::string install_hint;                                      // shown if the command is missing
  bool wants_cluster = false;                                    // provideClusterInfo

  friend bool operator==(const ExecPlugin&, const ExecPlugin&) = default;
};

// The address of an API server and the credentials for it, from a kubeconfig or a service account.
// Files that never change are already read.
struct Access {
  std::string server;               // "https://host:port/prefix"
  std::string proxy;                // "http://host:port"; "" is none
  std::string authority;            // PEM of the CA; "" is the system trust store
  std::string tls_server_name;      // expected in the certificate; "" is the host of `server`
  bool skips_verification = false;  // insecure-skip-tls-verify
  std::string namespace_;           // default of namespaced requests

  // Any combination.
  std::string certificate;  // PEM, with its key
  std::string key;
  std::string token;
  std::string token_file;  // reread periodically, because tokens rotate
  std::string user;        // with its password
  std::string password;
  std::optional<ExecPlugin> exec;
  std::string impersonated_user;
  std::vector<std::string> impersonated_groups;

  friend bool operator==(const Access&, const Access&) = default;
};

}  // namespace berth::kube

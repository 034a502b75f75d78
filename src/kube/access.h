#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::kube {

// A program that is asked for credentials, as kubectl does: it prints an ExecCredential.
struct ExecPlugin {
  std::string api_version;  // of the ExecCredential
  std::string command;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // added to our own
  std::string install_hint;                                      // for when it is not there
  bool wants_cluster = false;                                    // to be told where it is for

  friend bool operator==(const ExecPlugin&, const ExecPlugin&) = default;
};

// Where an API server is and as whom to speak to it: all that a kubeconfig or a service account
// says, with files that never change read already.
struct Access {
  std::string server;           // "https://host:port/prefix"
  std::string proxy;            // "http://host:port"; "" is none
  std::string authority;        // PEM of whom to trust; "" is whom the system trusts
  std::string tls_server_name;  // the name in its certificate; "" is the host of `server`
  bool trusts_anyone = false;   // insecure-skip-tls-verify
  std::string namespace_;       // where requests go that do not say

  // Whichever are given.
  std::string certificate;  // PEM, with its key
  std::string key;
  std::string token;
  std::string token_file;  // read again now and then, since tokens are replaced there
  std::string user;        // with its password
  std::string password;
  std::optional<ExecPlugin> exec;
  std::string impersonated_user;
  std::vector<std::string> impersonated_groups;

  friend bool operator==(const Access&, const Access&) = default;
};

}  // namespace berth::kube

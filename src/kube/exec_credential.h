#pragma once

// The protocol of credential plugins (client.authentication.k8s.io).

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "kube/access.h"

namespace berth::kube {

// The credential that a plugin returns.
struct Credential {
  std::string token;
  std::string certificate;  // PEM, with its key
  std::string key;
  std::optional<base::Time> expires;  // absent: valid until the server responds 401

  friend bool operator==(const Credential&, const Credential&) = default;
};

// The ExecCredential passed to the plugin in KUBERNETES_EXEC_INFO.
std::string ExecInfo(const Access& access);

// Parses the output of the plugin.
base::Result<Credential> ReadExecCredential(std::string_view text, const ExecPlugin& plugin);

// Whether the credential expires within 30 seconds.
bool IsStale(const Credential& credential, base::Time now);

}  // namespace berth::kube

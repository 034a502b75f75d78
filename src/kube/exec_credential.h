#pragma once

// What is said to a credential plugin, and what it answers (client.authentication.k8s.io).

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "kube/access.h"

namespace berth::kube {

// What proves who we are.
struct Credential {
  std::string token;
  std::string certificate;  // PEM, with its key
  std::string key;
  std::optional<base::Time> expires;  // absent: good until it is refused

  friend bool operator==(const Credential&, const Credential&) = default;
};

// The ExecCredential that the plugin finds in KUBERNETES_EXEC_INFO.
std::string ExecInfo(const Access& access);

// Reads what it printed.
base::Result<Credential> ReadExecCredential(std::string_view text, const ExecPlugin& plugin);

// Whether it is to be got anew: it expires within half a minute.
bool IsStale(const Credential& credential, base::Time now);

}  // namespace berth::kube

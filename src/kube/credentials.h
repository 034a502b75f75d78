#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "kube/access.h"
#include "kube/exec_credential.h"
#include "kube/tls_context.h"

namespace berth::kube {

// The credentials of a client, refreshed: a token file is reread every minute, a plugin runs again
// when its credential expires, and both when the server responds 401. Not thread-safe. A call may
// block on a plugin, for a minute at most.
class Credentials {
 public:
  explicit Credentials(Access access) : access_(std::move(access)) {}

  // The header lines of a request. `now` is wall-clock time.
  base::Result<std::string> Headers(base::Time now);
  // The TLS identity of connections; Headers may change it.
  TlsIdentity Identity() const;
  // The server responded 401. True if the next Headers may get new credentials.
  bool OnUnauthorized();

 private:
  base::Result<std::string> Token(base::Time now);
  base::Result<void> ReadTokenFile(base::Time now);
  base::Result<void> RunPlugin(base::Time now);

  Access access_;
  std::string file_token_;
  std::optional<base::Time> file_read_;
  std::optional<Credential> plugin_credential_;
};

}  // namespace berth::kube

#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "kube/access.h"
#include "kube/exec_credential.h"
#include "kube/tls_context.h"

namespace berth::kube {

// What a client proves itself with, kept fresh: a token file is read again every minute, a plugin
// is asked again when what it gave expires, and both when the server refuses what they gave. Not
// for several threads at once; a call may wait for a plugin, a minute at most.
class Credentials {
 public:
  explicit Credentials(Access access) : access_(std::move(access)) {}

  // The lines that a request's header needs. `now` is the time of day.
  base::Result<std::string> Headers(base::Time now);
  // What connections show; may be another one after Headers.
  TlsIdentity Identity() const;
  // The server does not take them. True if new ones can be got, by the next Headers.
  bool OnRefused();

 private:
  base::Result<std::string> Token(base::Time now);
  base::Result<void> ReadTokenFile(base::Time now);
  base::Result<void> AskPlugin(base::Time now);

  Access access_;
  std::string file_token_;
  std::optional<base::Time> file_read_;
  std::optional<Credential> plugin_credential_;
};

}  // namespace berth::kube

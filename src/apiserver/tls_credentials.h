#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "apiserver/certificates.h"
#include "base/error.h"
#include "base/time.h"

namespace berth::apiserver {

// All that the server needs to prove who it is, and its administrator to prove who they are.
struct TlsCredentials {
  // Certificate of the authority that signs those of clients; its own, or several.
  std::string authority;
  KeyPair server;
  KeyPair admin;
};

// What a server agrees to. The names are those of Go and IANA, as configurations for Kueue have
// them.
struct TlsLimits {
  bool needs_tls13 = false;                // otherwise TLS 1.2 will do
  std::vector<std::string> cipher_suites;  // of TLS 1.2; none: all that are sound
  std::vector<int32_t> curves;  // by IANA's numbers, the best first; none: the usual ones
};

// The names that a certificate always covers: localhost, 127.0.0.1 and ::1.
std::span<const std::string> LoopbackNames();

// New ones that exist in memory only. `names` come in addition to the loopback names.
base::Result<TlsCredentials> MakeTlsCredentials(std::span<const std::string> names, base::Time now);

// Those of a directory, which is made where it is missing, for its owner only. What is missing,
// damaged, near its end or, of the server's certificate, without one of the names is made anew; a
// new authority means new certificates all round, so that clients need a new kubeconfig.
base::Result<TlsCredentials> LoadTlsCredentials(const std::filesystem::path& directory,
                                                std::span<const std::string> names, base::Time now);

}  // namespace berth::apiserver

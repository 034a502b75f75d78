#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/certificates.h"

namespace berth::http {

// The credentials of the server and of its administrator.
struct TlsCredentials {
  // Certificates of the authorities that sign client certificates; one or several.
  std::string authority;
  KeyPair server;
  KeyPair admin;
};

// TLS settings of a server. Names are those of Go and IANA, as Kueue configurations use them.
struct TlsLimits {
  bool needs_tls13 = false;                // otherwise TLS 1.2 is the minimum
  std::vector<std::string> cipher_suites;  // for TLS 1.2; empty: all secure ones
  std::vector<int32_t> curves;             // IANA numbers, most preferred first; empty: defaults
};

// The names every server certificate covers: localhost, 127.0.0.1 and ::1.
std::span<const std::string> LoopbackNames();

// New credentials in memory. `names` are in addition to the loopback names.
base::Result<TlsCredentials> MakeTlsCredentials(std::span<const std::string> names, base::Time now);

// Credentials from a directory, created for its owner only if missing. Files that are missing,
// damaged or about to expire are regenerated, as is a server certificate that lacks one of the
// names. A new authority invalidates all certificates, so clients need a new kubeconfig.
base::Result<TlsCredentials> LoadTlsCredentials(const std::filesystem::path& directory,
                                                std::span<const std::string> names, base::Time now);

}  // namespace berth::http

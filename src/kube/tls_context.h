#pragma once

#include <string>

#include "base/error.h"

struct ssl_ctx_st;

namespace berth::kube {

// The trust anchors and the client certificate of a connection.
struct TlsIdentity {
  std::string authority;            // PEM bundle of CAs; "" is the system trust store
  bool skips_verification = false;  // of the server certificate
  std::string certificate;          // PEM with intermediates; "" for none
  std::string key;

  friend bool operator==(const TlsIdentity&, const TlsIdentity&) = default;
};

// Configures a client TLS context: TLS 1.2 or later, HTTP/1.1.
base::Result<void> SetUpClientTls(ssl_ctx_st& context, const TlsIdentity& identity);

}  // namespace berth::kube

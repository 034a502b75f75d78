#pragma once

#include <string>

#include "base/error.h"

struct ssl_ctx_st;

namespace berth::kube {

// Whom a client trusts and what it shows of itself.
struct TlsIdentity {
  std::string authority;       // PEM, any number of certificates; "" is whom the system trusts
  bool trusts_anyone = false;  // the server need not prove who it is
  std::string certificate;     // PEM, with those between it and its authority; "" shows none
  std::string key;

  friend bool operator==(const TlsIdentity&, const TlsIdentity&) = default;
};

// Makes a client's TLS context ready: TLS 1.2 or later, HTTP/1.1.
base::Result<void> SetUpClientTls(ssl_ctx_st& context, const TlsIdentity& identity);

}  // namespace berth::kube

#pragma once

#include "apiserver/tls_credentials.h"
#include "base/error.h"

struct ssl_ctx_st;

namespace berth::apiserver {

// Makes a server's TLS context ready: its certificate, TLS 1.2 or later, HTTP/1.1, no sessions that
// outlive a connection, and clients that may, but need not, show a certificate of our authority.
base::Result<void> SetUpTls(ssl_ctx_st& context, const TlsCredentials& credentials);

}  // namespace berth::apiserver

#pragma once

#include "base/error.h"
#include "http/tls_credentials.h"

struct ssl_ctx_st;

namespace berth::http {

// Configures a server's TLS context: certificate chain, ALPN for HTTP/1.1, no session resumption,
// and optional client certificates signed by the authority.
base::Result<void> SetUpTls(ssl_ctx_st& context, const TlsCredentials& credentials,
                            const TlsLimits& limits = {});

}  // namespace berth::http

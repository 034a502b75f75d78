#pragma once

#include "apiserver/tls_credentials.h"
#include "base/error.h"

struct ssl_ctx_st;

namespace berth::apiserver {

// Makes a server's TLS context ready: its certificate with those that lead from it to the
// authority, HTTP/1.1, no sessions that outlive a connection, and clients that may, but need not,
// show a certificate of our authority.
base::Result<void> SetUpTls(ssl_ctx_st& context, const TlsCredentials& credentials,
                            const TlsLimits& limits = {});

}  // namespace berth::apiserver

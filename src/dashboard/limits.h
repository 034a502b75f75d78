#pragma once

#include "http/server.h"

namespace berth::dashboard {

// Of requests and connections: bodies are manifests that a person changes, and what a slow client
// does not read must not pile up.
inline http::Limits DashboardLimits() {
  return {.body_bytes = 1 << 20,
          .header_bytes = 16 << 10,
          .connections = 512,
          .streams = 256,
          .stream_backlog_bytes = 64 << 10};
}

}  // namespace berth::dashboard

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "dashboard/dashboard.h"
#include "http/server.h"
#include "http/tokens.h"

namespace berth::dashboard {

// The dashboard of a local cluster: HTTP on the loopback interface, so that a browser shows no
// warning of a certificate, authenticated by tokens.
class LocalServer {
 public:
  struct Options {
    uint16_t port = 0;  // 0 picks a free port
    // The next free port is taken if `port` is in use.
    bool may_use_other_port = false;
    http::TokenTable tokens;  // accepted besides the token of the url
    std::string version;
    WhatIf::Options what_if;
    std::filesystem::path journal = {};  // as in Dashboard::Options
  };

  static constexpr const char* kAddress = "127.0.0.1";

  // Listens when this returns. The controllers of the source must run until this is destroyed.
  static base::Result<std::unique_ptr<LocalServer>> Start(StateSource source, Options options);
  ~LocalServer();  // finishes requests in progress

  // With a token that is valid as long as the server runs:
  // "http://127.0.0.1:8090/#token=0123…". Secret.
  std::string url() const;
  uint16_t port() const { return server_->port(); }
  const std::string& token() const { return token_; }

 private:
  LocalServer() = default;

  std::string token_;
  LocalGate gate_;
  std::unique_ptr<Dashboard> dashboard_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace berth::dashboard

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "apiserver/gc/collector.h"
#include "apiserver/handler/api_handler.h"
#include "apiserver/rest/router.h"
#include "http/server.h"
#include "http/testing/directory.h"
#include "http/tls_credentials.h"

namespace berth::apiserver::testing {

// An API server in this process, on a free port, with new certificates, in memory unless a data
// directory is given. Check `error` first.
class ApiServer {
 public:
  struct Options {
    std::string data_dir;
    http::Limits limits;
    size_t threads = 2;
    std::string tokens;  // as in a token file
  };
  explicit ApiServer(const Options& options);
  ApiServer() : ApiServer(Options{}) {}
  ~ApiServer();

  const std::string& error() const { return error_; }  // "" if running
  uint16_t port() const { return server_->port(); }
  std::string url() const { return "https://127.0.0.1:" + std::to_string(port()); }
  const http::TlsCredentials& credentials() const { return credentials_; }
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  ApiHandler& handler() { return *handler_; }

 private:
  base::Result<void> Start(const Options& options);

  http::testing::Directory directory_;
  std::string error_;
  http::TlsCredentials credentials_;
  std::filesystem::path kubeconfig_;
  std::unique_ptr<ApiHandler> handler_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<RestRouter> router_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace berth::apiserver::testing

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "apiserver/collector.h"
#include "apiserver/http_server.h"
#include "apiserver/rest_front.h"
#include "apiserver/service.h"
#include "apiserver/testing/directory.h"
#include "apiserver/tls_credentials.h"

namespace berth::apiserver::testing {

// A whole API server in this process: on a free port, with fresh certificates, and with objects in
// memory unless a data directory is given. Check `error` before anything else.
class ApiServer {
 public:
  struct Options {
    std::string data_dir;
    HttpLimits limits;
    size_t threads = 2;
    std::string tokens;  // as in a token file
  };
  explicit ApiServer(const Options& options);
  ApiServer() : ApiServer(Options{}) {}
  ~ApiServer();

  const std::string& error() const { return error_; }  // "" if it runs
  uint16_t port() const { return server_->port(); }
  std::string url() const { return "https://127.0.0.1:" + std::to_string(port()); }
  const TlsCredentials& credentials() const { return credentials_; }
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  Service& service() { return *service_; }

 private:
  base::Result<void> Start(const Options& options);

  Directory directory_;
  std::string error_;
  TlsCredentials credentials_;
  std::filesystem::path kubeconfig_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<RestFront> front_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace berth::apiserver::testing

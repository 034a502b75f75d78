#include "apiserver/renewable_server.h"

#include <utility>

namespace berth::apiserver {
namespace {

constexpr base::Duration kRenewalGrace = base::Duration::Seconds(5);

}  // namespace

RenewableServer::RenewableServer(HttpServerOptions options, HttpHandler& handler)
    : options_(std::move(options)), handler_(handler) {}

RenewableServer::~RenewableServer() { Stop(); }

base::Result<void> RenewableServer::Serve(const TlsCredentials& credentials) {
  Stop();
  options_.credentials = credentials;
  auto started = HttpServer::Start(options_, handler_);
  if (!started) return std::unexpected(started.error());
  const std::lock_guard lock(mutex_);
  server_ = std::move(*started);
  options_.port = server_->port();
  return {};
}

uint16_t RenewableServer::port() const {
  const std::lock_guard lock(mutex_);
  return server_ ? server_->port() : 0;
}

void RenewableServer::Stop() {
  std::unique_ptr<HttpServer> former;
  {
    const std::lock_guard lock(mutex_);
    former = std::move(server_);
  }
  if (former) former->Stop(kRenewalGrace);
}

}  // namespace berth::apiserver

#include "http/renewable_server.h"

#include <utility>

namespace berth::http {
namespace {

constexpr base::Duration kRenewalGrace = base::Duration::Seconds(5);

}  // namespace

RenewableServer::RenewableServer(ServerOptions options, Handler& handler)
    : options_(std::move(options)), handler_(handler) {}

RenewableServer::~RenewableServer() { Stop(); }

base::Result<void> RenewableServer::Serve(const TlsCredentials& credentials) {
  Stop();
  options_.credentials = credentials;
  auto started = Server::Start(options_, handler_);
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
  std::unique_ptr<Server> previous;
  {
    const std::lock_guard lock(mutex_);
    previous = std::move(server_);
  }
  if (previous) previous->Stop(kRenewalGrace);
}

}  // namespace berth::http

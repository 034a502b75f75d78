#include "kube/channel.h"

#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <chrono>

#include "base/base64.h"

#if defined(__GNUC__) && !defined(__clang__)
// False positive of GCC 12 for the allocation of coroutine frames in Asio.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace berth::kube {
namespace {

constexpr auto kChannelAwait = asio::as_tuple(asio::use_awaitable);
constexpr size_t kMostProxyAnswer = 8 << 10;

bool IsIpAddress(const std::string& host) {
  boost::system::error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

// The macro SSL_set_tlsext_host_name without its casts.
void NameServer(SSL& tls, const std::string& name) {
  SSL_ctrl(&tls, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
           const_cast<char*>(name.c_str()));
}

std::string ProxyRequest(const Endpoint& server, const Endpoint& proxy) {
  const std::string authority = server.Authority();
  std::string text = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!proxy.user.empty())
    text += "Proxy-Authorization: Basic " + base::EncodeBase64(proxy.user) + "\r\n";
  return text + "\r\n";
}

}  // namespace

Channel::Channel(asio::io_context& context, std::shared_ptr<asio::ssl::context> tls,
                 const WireOptions& options)
    : resolver_(context),
      socket_(context),
      tls_context_(std::move(tls)),
      options_(options),
      deadline_(context) {}

std::string Channel::Explained(const std::string& what, const Error& error) const {
  return what + ": " + (has_timed_out_ ? "it took too long" : error.message());
}

asio::awaitable<std::string> Channel::Open() {
  SetDeadline(options_.connect);
  std::string trouble = co_await Connect(options_.proxy ? *options_.proxy : options_.server);
  if (trouble.empty() && options_.proxy) trouble = co_await ConnectThroughProxy();
  if (trouble.empty() && tls_context_) trouble = co_await Handshake();
  ClearDeadline();
  co_return trouble;
}

asio::awaitable<std::string> Channel::Connect(const Endpoint& to) {
  const auto [no_address, addresses] =
      co_await resolver_.async_resolve(to.host, std::to_string(to.port), kChannelAwait);
  if (no_address) co_return Explained("cannot find " + to.host, no_address);
  const auto [error, endpoint] = co_await asio::async_connect(socket_, addresses, kChannelAwait);
  if (error) co_return Explained("cannot connect to " + to.Authority(), error);
  SetSocketOptions();
  co_return std::string();
}

// TCP keepalive detects a dead peer within half a minute, also on an idle watch.
void Channel::SetSocketOptions() {
  Error ignored;
  (void)socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  (void)socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  const int file = socket_.native_handle();
  const auto set = [file](int name, int value) {
    setsockopt(file, IPPROTO_TCP, name, &value, sizeof(value));
  };
  set(TCP_KEEPIDLE, 15);
  set(TCP_KEEPINTVL, 5);
  set(TCP_KEEPCNT, 3);
  set(TCP_USER_TIMEOUT, 30'000);
}

asio::awaitable<std::string> Channel::ConnectThroughProxy() {
  const std::string request = ProxyRequest(options_.server, *options_.proxy);
  const std::string name = "the proxy " + options_.proxy->Authority();
  const Error failed = co_await Write(request);
  if (failed) co_return Explained(name, failed);
  std::string answer;
  while (answer.find("\r\n\r\n") == std::string::npos) {
    std::array<char, 1024> room;
    const auto [error, size] = co_await Read(asio::buffer(room));
    if (error) co_return Explained(name, error);
    answer.append(room.data(), size);
    if (answer.size() > kMostProxyAnswer) co_return name + " does not come to an end";
  }
  const std::string line = answer.substr(0, answer.find("\r\n"));
  if (line.size() < 12 || line.substr(8, 4) != " 200") co_return name + " answered: " + line;
  co_return std::string();
}

asio::awaitable<std::string> Channel::Handshake() {
  const std::string name =
      options_.server_name.empty() ? options_.server.host : options_.server_name;
  tls_.emplace(socket_, *tls_context_);
  if (!IsIpAddress(name)) NameServer(*tls_->native_handle(), name);
  if (!options_.identity.skips_verification) {
    // Without the name check any certificate of the CA would be accepted.
    Error failed;
    (void)tls_->set_verify_callback(asio::ssl::host_name_verification(name), failed);
    if (failed) co_return Explained("cannot verify the name of " + name, failed);
  }
  const auto [error] =
      co_await tls_->async_handshake(asio::ssl::stream_base::client, kChannelAwait);
  if (!error) co_return std::string();
  std::string trouble = Explained("cannot speak TLS with " + options_.server.Authority(), error);
  const long verified = SSL_get_verify_result(tls_->native_handle());
  if (verified != X509_V_OK)
    trouble += std::string(" (") + X509_verify_cert_error_string(verified) + ")";
  co_return trouble;
}

asio::awaitable<Channel::Error> Channel::Write(std::string_view text) {
  const auto buffer = asio::buffer(text.data(), text.size());
  if (tls_) {
    const auto [error, size] = co_await asio::async_write(*tls_, buffer, kChannelAwait);
    co_return error;
  }
  const auto [error, size] = co_await asio::async_write(socket_, buffer, kChannelAwait);
  co_return error;
}

asio::awaitable<std::pair<Channel::Error, size_t>> Channel::Read(asio::mutable_buffer room) {
  if (tls_) {
    const auto [error, size] = co_await tls_->async_read_some(room, kChannelAwait);
    co_return std::pair(error, size);
  }
  const auto [error, size] = co_await socket_.async_read_some(room, kChannelAwait);
  co_return std::pair(error, size);
}

void Channel::SetDeadline(base::Duration from_now) {
  deadline_.expires_after(std::chrono::nanoseconds(from_now.nanos));
  deadline_.async_wait([weak = weak_from_this()](const Error& cancelled) {
    const auto self = weak.lock();
    if (cancelled || !self) return;
    self->has_timed_out_ = true;
    self->Close();
  });
}

void Channel::ClearDeadline() { deadline_.cancel(); }

void Channel::Close() {
  Error ignored;
  resolver_.cancel();
  (void)socket_.close(ignored);
  deadline_.cancel();
}

bool Channel::IsStillOpen() {
  char byte;
  const ssize_t size = recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace berth::kube

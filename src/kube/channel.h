#pragma once

// A connection to a server: TCP, optionally through a proxy, with TLS for https. Included only by
// wire.cc, because this header pulls in Asio.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "kube/wire.h"

namespace berth::kube {

namespace asio = boost::asio;

// GCC 12 miscompiles co_await in loop conditions and behind && and ||, so results go to variables
// first.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  using Error = boost::system::error_code;

  // `tls` is null for plain HTTP. The context and the options must outlive the channel.
  Channel(asio::io_context& context, std::shared_ptr<asio::ssl::context> tls,
          const WireOptions& options);

  // "" on success, otherwise the reason for the failure.
  asio::awaitable<std::string> Open();
  asio::awaitable<Error> Write(std::string_view text);
  asio::awaitable<std::pair<Error, size_t>> Read(asio::mutable_buffer buffer);

  // Closes the channel at the deadline unless it is cleared before.
  void SetDeadline(base::Duration from_now);
  void ClearDeadline();
  bool has_timed_out() const { return has_timed_out_; }

  void Close();
  // Whether an idle connection is usable: not closed by the server, and no unsolicited bytes.
  bool IsStillOpen();

 private:
  asio::awaitable<std::string> Connect(const Endpoint& to);
  asio::awaitable<std::string> ConnectThroughProxy();
  asio::awaitable<std::string> Handshake();
  void SetSocketOptions();
  std::string Explained(const std::string& what, const Error& error) const;

  asio::ip::tcp::resolver resolver_;
  asio::ip::tcp::socket socket_;
  std::shared_ptr<asio::ssl::context> tls_context_;
  const WireOptions& options_;
  std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
  asio::steady_timer deadline_;
  bool has_timed_out_ = false;
};

}  // namespace berth::kube

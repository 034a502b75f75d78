#pragma once

// A connection to a server: TCP, through a proxy where there is one, with TLS where the address
// says so. Only for wire.cc: this header brings Asio's.

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

// GCC 12 makes wrong code of co_await in the conditions of loops and behind && and ||, so all
// answers are kept in variables first.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  using Error = boost::system::error_code;

  // The context is null where there is no TLS. It must outlive the channel, as must the options.
  Channel(asio::io_context& context, std::shared_ptr<asio::ssl::context> tls,
          const WireOptions& options);

  // "" if it is open now, otherwise why not.
  asio::awaitable<std::string> Open();
  asio::awaitable<Error> Write(std::string_view text);
  asio::awaitable<std::pair<Error, size_t>> Read(asio::mutable_buffer room);

  // Closes the channel unless told otherwise before.
  void SetDeadline(base::Duration from_now);
  void ClearDeadline();
  bool was_too_slow() const { return was_too_slow_; }

  void Close();
  // Whether the server has neither closed an idle connection nor said anything unasked.
  bool IsStillOpen();

 private:
  asio::awaitable<std::string> Connect(const Endpoint& to);
  asio::awaitable<std::string> AskProxy();
  asio::awaitable<std::string> Handshake();
  void SetSocketOptions();
  std::string Explained(const std::string& what, const Error& error) const;

  asio::ip::tcp::resolver resolver_;
  asio::ip::tcp::socket socket_;
  std::shared_ptr<asio::ssl::context> tls_context_;
  const WireOptions& options_;
  std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
  asio::steady_timer deadline_;
  bool was_too_slow_ = false;
};

}  // namespace berth::kube

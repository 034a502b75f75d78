#include "replica/probe_server.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>
#include <string_view>
#include <thread>

namespace berth::replica {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using AsioError = boost::system::error_code;

constexpr size_t kMostRequestBytes = 8 << 10;
constexpr auto kConnectionLimit = std::chrono::seconds(5);
constexpr size_t kMostConnections = 64;

std::string AnswerTo(std::string_view request, const std::vector<Probe>& probes) {
  // "GET /readyz?verbose HTTP/1.1"
  const size_t begin = std::min(request.find(' '), request.size() - 1) + 1;
  const std::string_view path = request.substr(begin, request.find_first_of(" ?", begin) - begin);
  std::string status = "404 Not Found", text = "probe not found\n";
  for (const Probe& probe : probes) {
    if (path != probe.path) continue;
    const bool is_healthy = probe.is_healthy();
    status = is_healthy ? "200 OK" : "500 Internal Server Error";
    text = is_healthy ? "ok" : "not ready\n";
  }
  return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
         std::to_string(text.size()) + "\r\nConnection: close\r\n\r\n" + text;
}

// Serves one request. Pending operations keep the connection alive.
class ProbeConnection : public std::enable_shared_from_this<ProbeConnection> {
 public:
  ProbeConnection(Tcp::socket socket, const std::vector<Probe>& probes)
      : socket_(std::move(socket)), limit_(socket_.get_executor()), probes_(probes) {}

  void Serve() {
    limit_.expires_after(kConnectionLimit);
    limit_.async_wait([self = shared_from_this()](const AsioError& cancelled) {
      AsioError ignored;
      if (!cancelled) (void)self->socket_.close(ignored);
    });
    Read();
  }

  void Close() {
    AsioError ignored;
    (void)socket_.shutdown(Tcp::socket::shutdown_both, ignored);
    (void)socket_.close(ignored);
    limit_.cancel();
  }

 private:
  void Read() {
    socket_.async_read_some(
        asio::buffer(buffer_), [self = shared_from_this()](const AsioError& error, size_t size) {
          self->request_.append(self->buffer_.data(), size);
          const bool is_whole = self->request_.find("\r\n\r\n") != std::string::npos;
          if (is_whole) return self->Write();
          if (error || self->request_.size() > kMostRequestBytes) return self->Close();
          self->Read();
        });
  }

  void Write() {
    answer_ = AnswerTo(request_, probes_);
    asio::async_write(socket_, asio::buffer(answer_),
                      [self = shared_from_this()](const AsioError&, size_t) { self->Close(); });
  }

  Tcp::socket socket_;
  asio::steady_timer limit_;
  const std::vector<Probe>& probes_;
  std::array<char, 1024> buffer_;
  std::string request_;
  std::string answer_;
};

}  // namespace

class ProbeServer::Listener {
 public:
  explicit Listener(std::vector<Probe> probes) : probes_(std::move(probes)) {}
  ~Listener() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  base::Result<void> Open(const BindAddress& bind) {
    AsioError error;
    const auto address = asio::ip::make_address(bind.ip, error);
    const Tcp::endpoint endpoint(address, bind.port);
    if (!error) (void)acceptor_.open(endpoint.protocol(), error);
    if (!error) (void)acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) (void)acceptor_.bind(endpoint, error);
    if (!error) (void)acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      return base::Fail("cannot answer probes on " + bind.ip + " port " +
                            std::to_string(bind.port) + ": " + error.message(),
                        "change health.healthProbeBindAddress, or stop the process that uses it");
    Accept();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  uint16_t port() const {
    AsioError ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

 private:
  void Accept() {
    acceptor_.async_accept([this](const AsioError& error, Tcp::socket socket) {
      if (!error) Serve(std::move(socket));
      if (!error) return Accept();
      // Most likely out of file descriptors. Back off until some are closed.
      retry_.expires_after(std::chrono::milliseconds(100));
      retry_.async_wait([this](const AsioError& cancelled) {
        if (!cancelled) Accept();
      });
    });
  }

  // The oldest connection makes room: a probe sends its request at once, others may never.
  void Serve(Tcp::socket socket) {
    std::erase_if(connections_, [](const auto& connection) { return connection.expired(); });
    if (connections_.size() == kMostConnections) {
      if (const auto oldest = connections_.front().lock()) oldest->Close();
      connections_.pop_front();
    }
    auto connection = std::make_shared<ProbeConnection>(std::move(socket), probes_);
    connections_.push_back(connection);
    connection->Serve();
  }

  std::vector<Probe> probes_;
  std::deque<std::weak_ptr<ProbeConnection>> connections_;  // oldest first
  asio::io_context context_{1};
  Tcp::acceptor acceptor_{context_};
  asio::steady_timer retry_{context_};
  std::thread thread_;
};

ProbeServer::ProbeServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
ProbeServer::~ProbeServer() = default;

base::Result<std::unique_ptr<ProbeServer>> ProbeServer::Start(const BindAddress& address,
                                                              std::vector<Probe> probes) {
  auto listener = std::make_unique<Listener>(std::move(probes));
  if (auto opened = listener->Open(address); !opened) return std::unexpected(opened.error());
  return std::unique_ptr<ProbeServer>(new ProbeServer(std::move(listener)));
}

uint16_t ProbeServer::port() const { return listener_->port(); }

}  // namespace berth::replica

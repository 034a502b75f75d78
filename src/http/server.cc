#include "http/server.h"

// The only file of the server that includes the heavy headers of Asio.

#include <algorithm>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <thread>

#include "base/check.h"
#include "http/request_reader.h"
#include "http/tls.h"
#include "store/system_time.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Reading = RequestReader::State;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr size_t kReadBytes = 16 << 10;
constexpr size_t kPieceBytes = 64 << 10;
constexpr base::Duration kLingerTimeout = base::Duration::Seconds(2);

Clock::duration Span(base::Duration duration) { return std::chrono::nanoseconds(duration.nanos); }

// State shared by all connections.
struct Shared {
  ServerOptions options;
  Handler& handler;
  std::atomic<size_t> connections = 0;
  std::atomic<size_t> streams = 0;
};

class Connection;

// A thread and its connections. Everything but Post and PostAfter runs on that thread.
class Worker final : public store::Executor {
 public:
  explicit Worker(Shared& shared) : shared_(shared), sweep_timer_(context_) {}

  void Start() {
    Sweep();
    thread_ = std::thread([this] { context_.run(); });
  }

  asio::io_context& context() { return context_; }
  Shared& shared() { return shared_; }
  bool is_draining() const { return is_draining_; }

  base::Time Now() const override { return store::SystemTime(); }
  void Post(store::Task task) override { asio::post(context_, std::move(task)); }
  void PostAfter(base::Duration delay, store::Task task) override {
    asio::post(context_, [this, delay, task = std::move(task)]() mutable {
      auto timer = std::make_shared<asio::steady_timer>(context_, Span(delay));
      timer->async_wait(
          [timer, task = std::move(task)](const boost::system::error_code& error) mutable {
            if (!error) task();
          });
    });
  }

  // `tls`: null on a plain server.
  void Accept(asio::ssl::context* tls, Tcp::socket socket);
  void Add(Connection& connection) { connections_.insert(&connection); }
  // Clients that have not authenticated, oldest first.
  void AddStranger(Connection& connection) { strangers_.push_back(&connection); }
  void RemoveStranger(Connection& connection) { std::erase(strangers_, &connection); }
  // Closes the oldest stranger that waits for nothing; false if there is none.
  bool MakeRoom();
  void Remove(Connection& connection) {
    connections_.erase(&connection);
    RemoveStranger(connection);
    --shared_.connections;
    if (is_draining_ && connections_.empty()) sweep_timer_.cancel();
  }

  // Called from another thread. Join returns when the last connection is closed.
  void Drain(base::Duration grace) {
    asio::post(context_, [this, grace] { BeginDraining(Clock::now() + Span(grace)); });
  }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  void BeginDraining(Clock::time_point until);
  // Closes connections past their deadline, once a second.
  void Sweep();

  Shared& shared_;
  asio::io_context context_{1};
  asio::steady_timer sweep_timer_;
  std::set<Connection*> connections_;
  std::deque<Connection*> strangers_;
  bool is_draining_ = false;
  std::optional<Clock::time_point> drain_deadline_;
  std::thread thread_;
};

// A queued part of a stream.
struct Piece {
  std::string_view prefix;
  SharedText text;
  std::string_view suffix;

  size_t size() const { return prefix.size() + text->size() + suffix.size(); }
};

// One client connection, kept alive by the coroutine that serves it.
class Connection final : public Exchange,
                         public Stream,
                         public std::enable_shared_from_this<Connection> {
 public:
  Connection(Worker& worker, asio::ssl::context* tls, Tcp::socket socket)
      : worker_(worker),
        limits_(worker.shared().options.limits),
        socket_(std::move(socket)),
        wake_(worker.context()) {
    if (tls != nullptr) tls_.emplace(socket_, *tls);
    worker_.Add(*this);
    worker_.AddStranger(*this);
  }
  ~Connection() override { worker_.Remove(*this); }

  void Serve() {
    asio::co_spawn(
        worker_.context(), [self = shared_from_this()] { return self->Run(); }, asio::detached);
  }

  bool IsPastDeadline(Clock::time_point now) const { return deadline_ && *deadline_ < now; }
  bool IsBusy() const { return is_busy_; }
  void Abort() {
    boost::system::error_code ignored;
    (void)socket_.close(ignored);
    AbortStream();
  }
  void BeginDraining() {
    if (is_streaming_) {
      AbortStream();
    } else if (!is_busy_) {
      Abort();
    }
  }

  // Exchange.
  store::Executor& executor() override { return worker_; }
  void Respond(Response response) override;
  std::shared_ptr<Stream> BeginStream(Response head, StreamCallbacks callbacks) override;

  // Stream.
  void Write(std::string_view prefix, SharedText text, std::string_view suffix) override;
  void ScheduleWrite() override;
  void Close() override;

 private:
  enum class Read { kRequest, kNothing, kRefused };

  asio::awaitable<void> Run();
  asio::awaitable<bool> ShakeHands();
  // The number of bytes read; 0 after an error.
  asio::awaitable<size_t> ReadSome(asio::mutable_buffer room);
  // False after an error.
  asio::awaitable<bool> WriteAll(asio::const_buffer bytes);
  asio::awaitable<bool> ServeRequest();
  asio::awaitable<void> Linger();
  asio::awaitable<Read> ReadRequest(RequestReader& reader);
  asio::awaitable<bool> ReadMore();
  asio::awaitable<bool> Send(Response response);
  asio::awaitable<void> SendStream(Response head);
  asio::awaitable<void> DetectDisconnect();
  asio::awaitable<bool> WriteText(std::string text);
  asio::awaitable<bool> SendInParts(std::string_view text);

  std::optional<Subject> Authenticate(const RequestReader& reader) const;
  // The client has shown who it is.
  void Recognize();
  bool CheckHeader(const RequestReader& reader);
  Request TakeRequest(RequestReader& reader);
  std::string Head(const Response& response, std::string_view length_line) const;
  std::string TakeChunk();
  // Ends the stream for a reason outside of the handler.
  void AbortStream();
  void ReleaseCallbacks(bool notifies);

  void SetDeadline(base::Duration from_now) { deadline_ = Clock::now() + Span(from_now); }
  void Wake() { wake_.cancel(); }
  asio::awaitable<void> Sleep() {
    wake_.expires_at(Clock::time_point::max());
    co_await wake_.async_wait(kAwait);
  }

  Worker& worker_;
  const Limits& limits_;
  Tcp::socket socket_;
  std::optional<asio::ssl::stream<Tcp::socket&>> tls_;  // nullopt on a plain server
  boost::beast::flat_buffer input_;
  asio::steady_timer wake_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Subject> certified_;  // subject of the client certificate
  bool is_recognized_ = false;
  bool has_served_ = false;

  // The request in progress.
  Subject subject_;
  bool is_busy_ = false;
  bool keeps_alive_ = false;
  bool is_head_request_ = false;
  std::optional<Response> response_;

  // The stream in progress.
  bool is_streaming_ = false;
  bool is_closed_ = false;
  std::deque<Piece> pieces_;
  size_t backlog_bytes_ = 0;
  bool is_write_scheduled_ = false;
  StreamCallbacks callbacks_;
};

// GCC 12 miscompiles co_await in loop conditions and operands of && and ||, so results are stored
// in variables first.

// --- Connection lifetime -------------------------------------------------------------------------

asio::awaitable<void> Connection::Run() {
  if (tls_) {
    const bool is_secure = co_await ShakeHands();
    if (!is_secure) co_return;
  }
  for (bool is_open = true; is_open;) is_open = co_await ServeRequest();
  SetDeadline(kLingerTimeout);
  if (tls_) co_await tls_->async_shutdown(kAwait);
  Abort();
}

asio::awaitable<bool> Connection::ShakeHands() {
  SetDeadline(limits_.handshake);
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, kAwait);
  if (error) co_return false;
  if (X509* certificate = SSL_get0_peer_certificate(tls_->native_handle()); certificate != nullptr)
    certified_ = SubjectOf(*certificate);
  if (certified_) Recognize();
  co_return true;
}

asio::awaitable<size_t> Connection::ReadSome(asio::mutable_buffer room) {
  if (tls_) {
    const auto [error, size] = co_await tls_->async_read_some(room, kAwait);
    co_return error ? 0 : size;
  }
  const auto [error, size] = co_await socket_.async_read_some(room, kAwait);
  co_return error ? 0 : size;
}

asio::awaitable<bool> Connection::WriteAll(asio::const_buffer bytes) {
  if (tls_) {
    const auto [error, size] = co_await asio::async_write(*tls_, bytes, kAwait);
    co_return !error;
  }
  const auto [error, size] = co_await asio::async_write(socket_, bytes, kAwait);
  co_return !error;
}

// Drains input after a rejection: closing at once would reset the connection before the client
// reads the response.
asio::awaitable<void> Connection::Linger() {
  SetDeadline(kLingerTimeout);
  for (bool is_more = true; is_more;) {
    is_more = co_await ReadMore();
    input_.consume(input_.size());
  }
}

// False if the connection must be closed.
asio::awaitable<bool> Connection::ServeRequest() {
  // Frees the buffer of a large request.
  if (input_.size() == 0 && input_.capacity() > kPieceBytes) input_ = {};
  RequestReader reader({.header_bytes = limits_.header_bytes, .body_bytes = limits_.body_bytes});
  const Read read = co_await ReadRequest(reader);
  is_busy_ = read != Read::kNothing;
  if (read == Read::kNothing) co_return false;
  keeps_alive_ = read == Read::kRequest && reader.keeps_alive() && !worker_.is_draining();

  deadline_.reset();
  if (read == Read::kRequest) {
    worker_.shared().handler.Handle(TakeRequest(reader), shared_from_this());
    while (!response_) co_await Sleep();
  }
  Response response = *std::exchange(response_, std::nullopt);
  const bool was_stream = is_streaming_;
  if (was_stream) {
    co_await SendStream(std::move(response));
  } else {
    keeps_alive_ = keeps_alive_ && !worker_.is_draining();
    const bool is_sent = co_await Send(std::move(response));
    keeps_alive_ = keeps_alive_ && is_sent;
    if (read == Read::kRefused) co_await Linger();
  }
  is_busy_ = false;
  has_served_ = true;
  co_return keeps_alive_ && !was_stream;
}

// --- Requests -----------------------------------------------------------------------------------

asio::awaitable<bool> Connection::ReadMore() {
  const size_t size = co_await ReadSome(input_.prepare(kReadBytes));
  input_.commit(size);
  co_return size > 0;
}

// A rejected request already has its response.
asio::awaitable<Connection::Read> Connection::ReadRequest(RequestReader& reader) {
  const bool may_idle = input_.size() == 0 && has_served_;
  SetDeadline(may_idle ? limits_.idle : limits_.header);
  bool has_begun = input_.size() > 0;
  bool is_header_seen = false;
  while (true) {
    input_.consume(reader.Put({static_cast<const char*>(input_.data().data()), input_.size()}));
    if (reader.state() == Reading::kRefused) {
      Respond(reader.Refusal());
      co_return Read::kRefused;
    }
    if (reader.state() != Reading::kHeader && !std::exchange(is_header_seen, true)) {
      if (!CheckHeader(reader)) co_return Read::kRefused;
      if (reader.awaits_continue()) co_await WriteText("HTTP/1.1 100 Continue\r\n\r\n");
      SetDeadline(limits_.body);
    }
    if (reader.state() == Reading::kDone) co_return Read::kRequest;
    const bool is_more = co_await ReadMore();
    if (!is_more) co_return Read::kNothing;
    if (!std::exchange(has_begun, true)) SetDeadline(limits_.header);
  }
}

// False if the request was rejected.
bool Connection::CheckHeader(const RequestReader& reader) {
  is_head_request_ = reader.is_head();
  std::optional<Subject> subject = Authenticate(reader);
  if (!subject) {
    Respond(StatusResponse(401, "Unauthorized", "Unauthorized"));
    return false;
  }
  subject_ = *std::move(subject);
  if (!subject_.user.empty()) Recognize();
  return true;
}

void Connection::Recognize() {
  if (!std::exchange(is_recognized_, true)) worker_.RemoveStranger(*this);
}

// Nullopt if unauthenticated; a subject without a user on paths open to all.
std::optional<Subject> Connection::Authenticate(const RequestReader& reader) const {
  if (certified_) return certified_;
  const std::string_view token = BearerToken(reader.authorization());
  if (!token.empty()) {
    if (auto subject = worker_.shared().options.tokens.Find(token)) return subject;
  }
  if (worker_.shared().handler.IsOpenToAll(reader.target())) return Subject{};
  return std::nullopt;
}

Request Connection::TakeRequest(RequestReader& reader) {
  Request request = reader.Take();
  request.subject = std::move(subject_);
  boost::system::error_code ignored;
  request.client = socket_.remote_endpoint(ignored).address().to_string();
  return request;
}

// --- Responses ----------------------------------------------------------------------------------

void Connection::Respond(Response response) {
  CHECK(!response_ && !is_streaming_);
  response_ = std::move(response);
  Wake();
}

std::string Connection::Head(const Response& response, std::string_view length_line) const {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head += ReasonPhrase(response.status);
  head += "\r\nContent-Type: " + response.content_type + "\r\n";
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  head += "Cache-Control: no-cache, private\r\n";
  if (!keeps_alive_) head += "Connection: close\r\n";
  head += length_line;
  head += "\r\n";
  return head;
}

asio::awaitable<bool> Connection::Send(Response response) {
  const std::string_view body = response.body ? std::string_view(*response.body) : "";
  const bool has_body = response.status != 304 && response.status != 204;
  std::string text =
      Head(response,
           has_body ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : std::string());
  const bool is_bare = is_head_request_ || !has_body;
  const bool is_large = body.size() > kPieceBytes;
  if (!is_bare && !is_large) text += body;
  bool is_sent = co_await WriteText(std::move(text));
  if (is_sent && !is_bare && is_large) is_sent = co_await SendInParts(body);
  co_return is_sent;
}

// Large bodies are sent in pieces with a deadline each: slow clients are fine, stalled ones are cut
// off.
asio::awaitable<bool> Connection::SendInParts(std::string_view text) {
  while (!text.empty()) {
    SetDeadline(limits_.write);
    const std::string_view part = text.substr(0, kPieceBytes);
    const bool is_sent = co_await WriteAll(asio::buffer(part.data(), part.size()));
    if (!is_sent) co_return false;
    text.remove_prefix(part.size());
  }
  co_return true;
}

asio::awaitable<bool> Connection::WriteText(std::string text) {
  SetDeadline(limits_.write);
  const bool is_sent = co_await WriteAll(asio::buffer(text));
  co_return is_sent;
}

// --- Streams ------------------------------------------------------------------------------------

std::shared_ptr<Stream> Connection::BeginStream(Response head, StreamCallbacks callbacks) {
  if (worker_.shared().streams.fetch_add(1) >= limits_.streams) {
    --worker_.shared().streams;
    Response refusal =
        StatusResponse(429, "TooManyRequests",
                       "too many watches; the limit is " + std::to_string(limits_.streams));
    refusal.headers.emplace_back("Retry-After", "1");
    Respond(std::move(refusal));
    return nullptr;
  }
  Respond(std::move(head));
  is_streaming_ = true;
  is_write_scheduled_ = true;
  callbacks_ = std::move(callbacks);
  return std::shared_ptr<Stream>(shared_from_this(), this);
}

void Connection::Write(std::string_view prefix, SharedText text, std::string_view suffix) {
  if (is_closed_ || !is_streaming_) return;
  Piece piece{prefix, std::move(text), suffix};
  backlog_bytes_ += piece.size();
  if (backlog_bytes_ > limits_.stream_backlog_bytes) {
    pieces_.clear();
    AbortStream();
    return;
  }
  pieces_.push_back(std::move(piece));
  if (pieces_.size() == 1) Wake();
}

void Connection::ScheduleWrite() {
  is_write_scheduled_ = true;
  Wake();
}

void Connection::Close() {
  is_closed_ = true;
  ReleaseCallbacks(false);
  Wake();
}

void Connection::AbortStream() {
  if (!is_streaming_ || is_closed_) return;
  is_closed_ = true;
  Wake();
  ReleaseCallbacks(true);
}

// As a separate task: the caller may be owned by the callbacks.
void Connection::ReleaseCallbacks(bool notifies) {
  worker_.Post([self = shared_from_this(), notifies] {
    StreamCallbacks callbacks = std::exchange(self->callbacks_, {});
    if (notifies && callbacks.on_closed) callbacks.on_closed();
  });
}

// Joins queued pieces into one chunk of a reasonable write size.
std::string Connection::TakeChunk() {
  constexpr size_t kHead = 10;  // eight digits and CRLF, filled in last
  std::string chunk(kHead, '\0');
  while (!pieces_.empty() &&
         (chunk.size() == kHead || chunk.size() + pieces_.front().size() <= kPieceBytes)) {
    const Piece& piece = pieces_.front();
    backlog_bytes_ -= piece.size();
    chunk.append(piece.prefix).append(*piece.text).append(piece.suffix);
    pieces_.pop_front();
  }
  char head[kHead + 1];
  std::snprintf(head, sizeof(head), "%08zx\r\n", chunk.size() - kHead);
  chunk.replace(0, kHead, head, kHead);
  return chunk += "\r\n";
}

// Only a read detects that an idle client has disconnected.
asio::awaitable<void> Connection::DetectDisconnect() {
  char byte;
  co_await ReadSome(asio::buffer(&byte, 1));
  AbortStream();
}

asio::awaitable<void> Connection::SendStream(Response head) {
  keeps_alive_ = false;
  if (worker_.is_draining()) AbortStream();
  bool is_sent = co_await WriteText(Head(head, "Transfer-Encoding: chunked\r\n"));
  asio::co_spawn(
      worker_.context(), [self = shared_from_this()] { return self->DetectDisconnect(); },
      asio::detached);
  while (is_sent) {
    if (!pieces_.empty()) {
      is_sent = co_await WriteText(TakeChunk());
      is_write_scheduled_ = is_write_scheduled_ || pieces_.empty();
    } else if (is_closed_) {
      break;
    } else if (std::exchange(is_write_scheduled_, false)) {
      if (callbacks_.on_writable) callbacks_.on_writable();
    } else {
      deadline_.reset();
      co_await Sleep();
    }
  }
  AbortStream();
  if (is_sent) co_await WriteText("0\r\n\r\n");
  is_streaming_ = false;
  --worker_.shared().streams;
}

// --- Workers ------------------------------------------------------------------------------------

void Worker::Accept(asio::ssl::context* tls, Tcp::socket socket) {
  const bool is_full = shared_.connections > shared_.options.limits.connections;
  if (is_draining_ || (is_full && !MakeRoom())) {
    --shared_.connections;
    return;
  }
  std::make_shared<Connection>(*this, tls, std::move(socket))->Serve();
}

bool Worker::MakeRoom() {
  const auto oldest =
      std::ranges::find_if(strangers_, [](const Connection* client) { return !client->IsBusy(); });
  if (oldest == strangers_.end()) return false;
  Connection& closed = **oldest;
  strangers_.erase(oldest);
  closed.Abort();
  return true;
}

void Worker::BeginDraining(Clock::time_point until) {
  is_draining_ = true;
  drain_deadline_ = until;
  for (Connection* connection : std::set(connections_)) connection->BeginDraining();
  if (connections_.empty()) sweep_timer_.cancel();
}

void Worker::Sweep() {
  const auto now = Clock::now();
  const bool is_over = drain_deadline_ && *drain_deadline_ <= now;
  for (Connection* connection : std::set(connections_)) {
    if (is_over || connection->IsPastDeadline(now)) connection->Abort();
  }
  // All connections are closed; remaining timers are irrelevant.
  if (is_draining_ && connections_.empty()) return context_.stop();
  sweep_timer_.expires_after(is_draining_ ? std::chrono::milliseconds(50)
                                          : std::chrono::seconds(1));
  sweep_timer_.async_wait([this](const boost::system::error_code&) { Sweep(); });
}

}  // namespace

// --- The server ---------------------------------------------------------------------------------

class Server::Listener {
 public:
  Listener(ServerOptions options, Handler& handler)
      : shared_{.options = std::move(options), .handler = handler} {
    const size_t threads = std::max<size_t>(shared_.options.threads, 1);
    for (size_t i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(shared_));
    acceptor_.emplace(workers_.front()->context());
    retry_.emplace(workers_.front()->context());
  }

  base::Result<void> Open();
  void Start() {
    Accept();
    for (auto& worker : workers_) worker->Start();
  }
  void Stop(base::Duration grace);
  uint16_t port() const { return port_; }

 private:
  base::Result<void> OpenSocket();
  void Accept();
  void Take(Tcp::socket socket);

  Shared shared_;
  asio::ssl::context tls_{asio::ssl::context::tls_server};
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<Tcp::acceptor> acceptor_;
  std::optional<asio::steady_timer> retry_;
  size_t next_ = 0;
  uint16_t port_ = 0;
  bool is_stopped_ = false;
};

base::Result<void> Server::Listener::OpenSocket() {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(shared_.options.address, error);
  if (error)
    return base::Fail("cannot listen on \"" + shared_.options.address + "\"",
                      "give an IP address such as 127.0.0.1");
  const Tcp::endpoint endpoint(address, shared_.options.port);
  (void)acceptor_->open(endpoint.protocol(), error);
  if (!error) (void)acceptor_->set_option(asio::socket_base::reuse_address(true), error);
  if (!error) (void)acceptor_->bind(endpoint, error);
  if (!error) (void)acceptor_->listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return base::Fail("cannot listen on " + shared_.options.address + " port " +
                          std::to_string(shared_.options.port) + ": " + error.message(),
                      "choose another port with --port, or stop the process that uses it");
  port_ = acceptor_->local_endpoint(error).port();
  return {};
}

base::Result<void> Server::Listener::Open() {
  if (shared_.options.is_plain) return OpenSocket();
  if (auto ready =
          SetUpTls(*tls_.native_handle(), shared_.options.credentials, shared_.options.tls);
      !ready)
    return ready;
  return OpenSocket();
}

void Server::Listener::Accept() {
  Worker& worker = *workers_[next_];
  acceptor_->async_accept(worker.context(),
                          [this](const boost::system::error_code& error, Tcp::socket socket) {
                            if (!acceptor_->is_open()) return;
                            if (!error) {
                              Take(std::move(socket));
                              Accept();
                              return;
                            }
                            // Most likely out of file descriptors: retry later.
                            for (auto& each : workers_)
                              each->Post([&each] { (void)each->MakeRoom(); });
                            retry_->expires_after(std::chrono::milliseconds(100));
                            retry_->async_wait([this](const boost::system::error_code& cancelled) {
                              if (!cancelled && acceptor_->is_open()) Accept();
                            });
                          });
}

void Server::Listener::Take(Tcp::socket socket) {
  Worker& worker = *workers_[next_];
  next_ = (next_ + 1) % workers_.size();
  ++shared_.connections;
  boost::system::error_code ignored;
  (void)socket.set_option(Tcp::no_delay(true), ignored);
  asio::post(worker.context(), [this, &worker, socket = std::move(socket)]() mutable {
    worker.Accept(shared_.options.is_plain ? nullptr : &tls_, std::move(socket));
  });
}

void Server::Listener::Stop(base::Duration grace) {
  if (std::exchange(is_stopped_, true)) return;
  asio::post(workers_.front()->context(), [this] {
    boost::system::error_code ignored;
    (void)acceptor_->close(ignored);
    retry_->cancel();
  });
  for (auto& worker : workers_) worker->Drain(grace);
  for (auto& worker : workers_) worker->Join();
}

base::Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler& handler) {
  auto listener = std::make_unique<Listener>(std::move(options), handler);
  if (auto opened = listener->Open(); !opened) return std::unexpected(opened.error());
  listener->Start();
  return std::unique_ptr<Server>(new Server(std::move(listener)));
}

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Server::~Server() { Stop({}); }

uint16_t Server::port() const { return listener_->port(); }
void Server::Stop(base::Duration grace) { listener_->Stop(grace); }

}  // namespace berth::http

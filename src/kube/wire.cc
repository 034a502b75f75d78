#include "kube/wire.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <deque>
#include <limits>
#include <thread>
#include <vector>

#include "kube/channel.h"

#if defined(__GNUC__) && !defined(__clang__)
// False positive of GCC 12 for the allocation of coroutine frames in Asio.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace berth::kube {
namespace {

namespace http = boost::beast::http;
using ResponseParser = http::response_parser<http::string_body>;
using ChannelPtr = std::shared_ptr<Channel>;

constexpr size_t kReadAtOnce = 16 << 10;

std::string_view FieldView(boost::beast::string_view text) { return {text.data(), text.size()}; }

struct Exchange {
  Request request;
  std::string headers;
  Wire::Done done;
};

// The result of reading a response.
struct Received {
  std::string trouble;  // "" if the response is complete
  bool has_bytes = false;
  bool keeps_alive = false;
  Response response;
};

Response TakeHead(ResponseParser& parser) {
  auto& message = parser.get();
  Response response;
  response.status = static_cast<int>(message.result_int());
  response.retry_after = FieldView(message[http::field::retry_after]);
  const auto [begin, end] = message.equal_range("Warning");
  for (auto field = begin; field != end; ++field)
    response.warnings.emplace_back(FieldView(field->value()));
  return response;
}

std::string ReadTrouble(const Channel& channel, const Channel::Error& error) {
  if (channel.has_timed_out()) return "the API server took too long to answer";
  return "the connection to the API server broke: " + error.message();
}

// Reads until the predicate holds for the parser. "" or the error.
template <class Predicate>
asio::awaitable<std::string> ReadUntil(Channel& channel, boost::beast::flat_buffer& input,
                                       ResponseParser& parser, bool& has_bytes, Predicate holds) {
  while (true) {
    boost::system::error_code error;
    if (input.size() > 0) input.consume(parser.put(input.data(), error));
    if (error && error != http::error::need_more)
      co_return "the API server's answer is no HTTP: " + error.message();
    if (holds(parser)) co_return std::string();
    const auto [failed, size] = co_await channel.Read(input.prepare(kReadAtOnce));
    input.commit(size);
    has_bytes = has_bytes || size > 0;
    if (!failed) continue;
    // A response without a length ends with the connection. Otherwise the rest, such as the end of
    // a chunk, may already be in the input; no more bytes follow.
    if (parser.is_header_done() && parser.need_eof()) {
      parser.put_eof(error);
      if (!error && holds(parser)) co_return std::string();
    }
    co_return ReadTrouble(channel, failed);
  }
}

}  // namespace

// The context is declared first and destroyed last: pending handlers are dropped then, and none of
// them accesses other members.
class Wire::Core {
 public:
  explicit Core(WireOptions options) : options_(std::move(options)) {}

  base::Result<void> Use(TlsIdentity identity);
  void Start() {
    thread_ = std::thread([this] { context_.run(); });
  }
  void Stop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  asio::io_context& context() { return context_; }
  void Send(Exchange exchange);
  std::shared_ptr<Stream> Begin(const Request& request, const std::string& headers,
                                StreamHandlers handlers);

 private:
  class StreamRun;
  struct Idle {
    ChannelPtr channel;
    std::chrono::steady_clock::time_point since;
  };

  ChannelPtr NewChannel() { return std::make_shared<Channel>(context_, tls_, options_); }
  ChannelPtr TakeIdle();
  void Perform(Exchange exchange);
  asio::awaitable<void> Run(Exchange exchange);
  // False if the connection was stale: repeat the request on another one.
  asio::awaitable<bool> TryOn(ChannelPtr channel, bool is_fresh, Exchange& exchange);
  asio::awaitable<Received> Converse(Channel& channel, const Exchange& exchange);
  void Release(ChannelPtr channel, bool keeps_alive);
  std::string HeadOf(const Request& request, const std::string& headers) const;

  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  WireOptions options_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::deque<Idle> idle_;  // most recently used last
  size_t busy_ = 0;
  std::deque<Exchange> waiting_;
  std::thread thread_;
};

base::Result<void> Wire::Core::Use(TlsIdentity identity) {
  options_.identity = std::move(identity);
  idle_.clear();
  if (!options_.server.is_tls) return {};
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  if (auto ready = SetUpClientTls(*context->native_handle(), options_.identity); !ready)
    return ready;
  tls_ = std::move(context);
  return {};
}

// --- Requests -----------------------------------------------------------------------------------

std::string Wire::Core::HeadOf(const Request& request, const std::string& headers) const {
  std::string text =
      request.method + " " + request.target + " HTTP/1.1\r\nHost: " + options_.server.Authority() +
      "\r\nAccept: application/json\r\nUser-Agent: " + options_.user_agent + "\r\n" + headers;
  if (!request.content_type.empty()) text += "Content-Type: " + request.content_type + "\r\n";
  if (!request.is_read()) text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  return text + "\r\n";
}

void Wire::Core::Send(Exchange exchange) {
  if (busy_ >= options_.connections) {
    waiting_.push_back(std::move(exchange));
  } else {
    Perform(std::move(exchange));
  }
}

void Wire::Core::Perform(Exchange exchange) {
  ++busy_;
  asio::co_spawn(context_, Run(std::move(exchange)), asio::detached);
}

ChannelPtr Wire::Core::TakeIdle() {
  while (!idle_.empty()) {
    ChannelPtr channel = std::move(idle_.back().channel);
    idle_.pop_back();
    if (channel->IsStillOpen()) return channel;
  }
  return nullptr;
}

asio::awaitable<void> Wire::Core::Run(Exchange exchange) {
  bool is_over = false;
  if (ChannelPtr channel = TakeIdle()) is_over = co_await TryOn(channel, false, exchange);
  if (is_over) co_return;
  ChannelPtr channel = NewChannel();
  const std::string trouble = co_await channel->Open();
  if (trouble.empty()) {
    co_await TryOn(channel, true, exchange);
    co_return;
  }
  Release(nullptr, false);
  exchange.done(std::unexpected(store::Unreachable(trouble)), false);
}

asio::awaitable<bool> Wire::Core::TryOn(ChannelPtr channel, bool is_fresh, Exchange& exchange) {
  channel->SetDeadline(options_.answer);
  Received received = co_await Converse(*channel, exchange);
  channel->ClearDeadline();
  const bool is_stale = !received.trouble.empty() && !received.has_bytes && !is_fresh;
  if (is_stale && exchange.request.is_read() && !channel->has_timed_out()) co_return false;
  Release(std::move(channel), received.keeps_alive);
  if (received.trouble.empty()) {
    exchange.done(std::move(received.response), true);
  } else {
    exchange.done(std::unexpected(store::Unreachable(received.trouble)), true);
  }
  co_return true;
}

asio::awaitable<Received> Wire::Core::Converse(Channel& channel, const Exchange& exchange) {
  Received received;
  const std::string text = HeadOf(exchange.request, exchange.headers) + exchange.request.body;
  const Channel::Error failed = co_await channel.Write(text);
  if (failed) {
    received.trouble = ReadTrouble(channel, failed);
    co_return received;
  }
  boost::beast::flat_buffer input;
  ResponseParser parser;
  parser.eager(true);
  parser.body_limit(options_.body_bytes);
  received.trouble = co_await ReadUntil(channel, input, parser, received.has_bytes,
                                        [](const ResponseParser& p) { return p.is_done(); });
  if (!received.trouble.empty()) co_return received;
  received.keeps_alive = parser.get().keep_alive() && input.size() == 0;
  received.response = TakeHead(parser);
  received.response.body = std::move(parser.get().body());
  co_return received;
}

void Wire::Core::Release(ChannelPtr channel, bool keeps_alive) {
  --busy_;
  const auto now = std::chrono::steady_clock::now();
  if (channel && keeps_alive) {
    idle_.push_back({.channel = std::move(channel), .since = now});
  } else if (channel) {
    channel->Close();
  }
  while (!idle_.empty() &&
         now - idle_.front().since > std::chrono::nanoseconds(options_.idle.nanos))
    idle_.pop_front();
  if (waiting_.empty()) return;
  Exchange next = std::move(waiting_.front());
  waiting_.pop_front();
  Perform(std::move(next));
}

// --- Streams ------------------------------------------------------------------------------------

class Wire::Core::StreamRun final : public Stream, public std::enable_shared_from_this<StreamRun> {
 public:
  StreamRun(Core& core, StreamHandlers handlers)
      : core_(core),
        handlers_(std::move(handlers)),
        channel_(core.NewChannel()),
        wake_(core.context_) {}

  void Start(std::string text) {
    asio::co_spawn(core_.context_, Run(shared_from_this(), std::move(text)), asio::detached);
  }

  void Cancel() override {
    is_over_ = true;
    channel_->Close();
    wake_.cancel();
  }
  void Pause() override { is_paused_ = true; }
  void Resume() override {
    is_paused_ = false;
    wake_.cancel();
  }

 private:
  // `self` keeps the stream alive while the coroutine runs.
  static asio::awaitable<void> Run(std::shared_ptr<StreamRun> self, std::string text) {
    std::optional<store::Failure> failure = co_await self->Converse(text);
    self->channel_->Close();
    if (!std::exchange(self->is_over_, true)) self->handlers_.on_end(std::move(failure));
  }

  asio::awaitable<std::optional<store::Failure>> Converse(const std::string& text) {
    std::string trouble = co_await channel_->Open();
    if (!trouble.empty()) co_return store::Unreachable(trouble);
    channel_->SetDeadline(core_.options_.answer);
    const Channel::Error failed = co_await channel_->Write(text);
    if (failed) co_return store::Unreachable(ReadTrouble(*channel_, failed));
    parser_.eager(true);
    parser_.body_limit(std::numeric_limits<uint64_t>::max());
    trouble = co_await ReadUntil(*channel_, input_, parser_, has_bytes_,
                                 [](const ResponseParser& p) { return p.is_header_done(); });
    if (!trouble.empty()) co_return store::Unreachable(trouble);
    if (parser_.get().result() != http::status::ok) {
      std::optional<store::Failure> refusal = co_await ReadRefusal();
      co_return refusal;
    }
    channel_->ClearDeadline();
    trouble = co_await ReadOn();
    if (!trouble.empty()) co_return store::Unreachable(trouble);
    co_return std::nullopt;
  }

  asio::awaitable<std::optional<store::Failure>> ReadRefusal() {
    const std::string trouble =
        co_await ReadUntil(*channel_, input_, parser_, has_bytes_,
                           [](const ResponseParser& p) { return p.is_done(); });
    if (!trouble.empty()) co_return store::Unreachable(trouble);
    Response response = TakeHead(parser_);
    response.body = std::move(parser_.get().body());
    co_return FailureFrom(response);
  }

  asio::awaitable<std::string> ReadOn() {
    while (!is_over_) {
      std::string bytes = std::exchange(parser_.get().body(), {});
      if (!bytes.empty()) handlers_.on_bytes(std::move(bytes));
      if (is_over_ || parser_.is_done()) break;
      while (is_paused_ && !is_over_) {
        wake_.expires_at(std::chrono::steady_clock::time_point::max());
        co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
      }
      std::string trouble = co_await ReadUntil(
          *channel_, input_, parser_, has_bytes_,
          [](ResponseParser& p) { return p.is_done() || !p.get().body().empty(); });
      if (!trouble.empty()) co_return trouble;
    }
    co_return std::string();
  }

  Core& core_;
  StreamHandlers handlers_;
  ChannelPtr channel_;
  asio::steady_timer wake_;
  boost::beast::flat_buffer input_;
  ResponseParser parser_;
  bool has_bytes_ = false;
  bool is_paused_ = false;
  bool is_over_ = false;
};

std::shared_ptr<Wire::Stream> Wire::Core::Begin(const Request& request, const std::string& headers,
                                                StreamHandlers handlers) {
  auto run = std::make_shared<StreamRun>(*this, std::move(handlers));
  run->Start(HeadOf(request, headers));
  return run;
}

// --- The wire -----------------------------------------------------------------------------------

Wire::Wire(std::unique_ptr<Core> core) : core_(std::move(core)) {}

base::Result<std::unique_ptr<Wire>> Wire::Open(WireOptions options) {
  TlsIdentity identity = options.identity;
  auto core = std::make_unique<Core>(std::move(options));
  if (auto ready = core->Use(std::move(identity)); !ready) return std::unexpected(ready.error());
  core->Start();
  return std::unique_ptr<Wire>(new Wire(std::move(core)));
}

Wire::~Wire() { core_->Stop(); }

void Wire::Post(store::Task task) { asio::post(core_->context(), std::move(task)); }

void Wire::PostAfter(base::Duration delay, store::Task task) {
  Post([this, delay, task = std::move(task)]() mutable {
    auto timer = std::make_shared<asio::steady_timer>(core_->context(),
                                                      std::chrono::nanoseconds(delay.nanos));
    timer->async_wait(
        [timer, task = std::move(task)](const boost::system::error_code& error) mutable {
          if (!error) task();
        });
  });
}

base::Time Wire::Now() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
}

void Wire::Send(Request request, std::string headers, Done done) {
  core_->Send(
      {.request = std::move(request), .headers = std::move(headers), .done = std::move(done)});
}

std::shared_ptr<Wire::Stream> Wire::Begin(const Request& request, const std::string& headers,
                                          StreamHandlers handlers) {
  return core_->Begin(request, headers, std::move(handlers));
}

base::Result<void> Wire::Use(TlsIdentity identity) { return core_->Use(std::move(identity)); }

}  // namespace berth::kube

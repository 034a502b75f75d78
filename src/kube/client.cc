#include "kube/client.h"

#include <atomic>
#include <utility>

#include "kube/credentials.h"
#include "kube/endpoint.h"
#include "kube/token_bucket.h"
#include "kube/watch_decoder.h"
#include "kube/wire.h"
#include "store/system_time.h"

namespace berth::kube {
namespace {

constexpr int kUnauthorized = 401;
// Back-pressure: reading stops at this many undelivered events, until half of them are delivered.
constexpr size_t kMostUndelivered = 4096;

// A call in flight.
struct ClientJob {
  store::Call call;
  Request request;
  store::Executor& executor;
  store::Answer answer;
  int attempt = 1;
  bool was_unauthorized = false;  // 401, once

  void Finish(store::Outcome<store::Reply> outcome) {
    executor.Post([answer = std::move(answer), outcome = std::move(outcome)]() mutable {
      answer(std::move(outcome));
    });
  }
};
using ClientJobPtr = std::shared_ptr<ClientJob>;

// The shared state of a watch: events come from the wire thread and go to the executor of the sink.
class Delivery : public std::enable_shared_from_this<Delivery> {
 public:
  Delivery(Wire& wire, store::Executor& executor, store::EventSink sink)
      : wire_(wire), executor_(executor), sink_(std::move(sink)) {}

  // On the wire thread.
  void Begin(const Request& request, const std::string& headers) {
    if (is_over_) return;
    auto self = shared_from_this();
    stream_ = wire_.Begin(
        request, headers,
        {.on_bytes = [self](const std::string& bytes) { self->Decode(bytes); },
         .on_end =
             [self](std::optional<store::Failure> failure) { self->End(std::move(failure)); }});
  }
  void Fail(store::Failure failure) {
    std::vector<store::Outcome<store::Event>> events;
    events.push_back(std::unexpected(std::move(failure)));
    Deliver(std::move(events));
  }

  // Thread-safe while the wire exists.
  void Cancel() {
    is_over_ = true;
    wire_.Post([self = shared_from_this()] { self->CancelStream(); });
  }

 private:
  void Decode(std::string_view bytes) {
    auto events = decoder_.Decode(bytes);
    if (events.empty()) return;
    const bool is_failed = !events.back();
    undelivered_ += events.size();
    Deliver(std::move(events));
    if (is_failed) return CancelStream();
    if (undelivered_ > kMostUndelivered)
      if (const auto stream = stream_.lock()) stream->Pause();
  }

  void End(std::optional<store::Failure> failure) {
    if (failure) return Fail(std::move(*failure));
    std::vector<store::Outcome<store::Event>> events;
    events.emplace_back(store::Event{.kind = store::Event::Kind::kEnd});
    Deliver(std::move(events));
  }

  void CancelStream() {
    if (const auto stream = stream_.lock()) stream->Cancel();
  }

  void Deliver(std::vector<store::Outcome<store::Event>> events) {
    executor_.Post([self = shared_from_this(), events = std::move(events)]() mutable {
      self->PassToSink(std::move(events));
    });
  }

  // On the executor.
  void PassToSink(std::vector<store::Outcome<store::Event>> events) {
    for (auto& event : events) {
      if (is_over_) return;
      if (!event || event->kind == store::Event::Kind::kEnd) is_over_ = true;
      sink_(std::move(event));
    }
    if (is_over_) return;
    const size_t before = undelivered_.fetch_sub(events.size());
    if (before <= kMostUndelivered / 2 || before - events.size() > kMostUndelivered / 2) return;
    wire_.Post([self = shared_from_this()] {
      if (const auto stream = self->stream_.lock()) stream->Resume();
    });
  }

  Wire& wire_;
  store::Executor& executor_;
  store::EventSink sink_;
  WatchDecoder decoder_;
  // Owned by the wire while active; never outlives it.
  std::weak_ptr<Wire::Stream> stream_;
  std::atomic<bool> is_over_ = false;
  std::atomic<size_t> undelivered_ = 0;
};

class DeliverySource final : public store::Subscription::Source {
 public:
  explicit DeliverySource(std::shared_ptr<Delivery> delivery) : delivery_(std::move(delivery)) {}
  ~DeliverySource() override { delivery_->Cancel(); }

 private:
  std::shared_ptr<Delivery> delivery_;
};

}  // namespace

// All but Do and Subscribe run on the wire thread.
class Client::Core {
 public:
  Core(Access access, ClientOptions options, Endpoint server)
      : options_(std::move(options)),
        server_(std::move(server)),
        credentials_(std::move(access)),
        bucket_(options_.requests_per_second, options_.burst) {}

  base::Result<void> Open(std::optional<Endpoint> proxy, std::string server_name) {
    identity_ = credentials_.Identity();
    auto wire = Wire::Open({.server = server_,
                            .proxy = std::move(proxy),
                            .server_name = std::move(server_name),
                            .identity = identity_,
                            .user_agent = options_.user_agent,
                            .connections = options_.connections,
                            .answer = options_.answer_limit});
    if (!wire) return std::unexpected(wire.error());
    wire_ = std::move(*wire);
    return {};
  }

  void Do(store::Call call, store::Executor& executor, store::Answer answer) {
    Request request = RequestFor(call, server_.prefix);
    auto job = std::make_shared<ClientJob>(std::move(call), std::move(request), executor,
                                           std::move(answer));
    wire_->Post([this, job] { WaitForTurn(job); });
  }

  store::Subscription Subscribe(const store::Watch& watch, store::Executor& executor,
                                store::EventSink sink) {
    auto delivery = std::make_shared<Delivery>(*wire_, executor, std::move(sink));
    wire_->Post([this, delivery, request = RequestFor(watch, server_.prefix)] {
      const auto headers = Headers();
      if (headers) {
        delivery->Begin(request, *headers);
      } else {
        delivery->Fail(headers.error());
      }
    });
    return store::Subscription(std::make_unique<DeliverySource>(std::move(delivery)));
  }

 private:
  void WaitForTurn(const ClientJobPtr& job) {
    const base::Duration wait = bucket_.Take(wire_->Now());
    if (wait == base::Duration()) return Send(job);
    wire_->PostAfter(wait, [this, job] { Send(job); });
  }

  void Send(const ClientJobPtr& job) {
    if (!job->request.is_read() && !options_.may_write())
      return job->Finish(std::unexpected(store::Unavailable("this replica does not lead")));
    const auto headers = Headers();
    if (!headers) return job->Finish(std::unexpected(headers.error()));
    wire_->Send(job->request, *headers,
                [this, job](store::Outcome<Response> response, bool was_sent) {
                  OnResponse(job, std::move(response), was_sent);
                });
  }

  void OnResponse(const ClientJobPtr& job, store::Outcome<Response> response, bool was_sent) {
    const bool is_refused = response && response->status == kUnauthorized;
    if (is_refused && !std::exchange(job->was_unauthorized, true) && credentials_.OnUnauthorized())
      return Send(job);
    store::Outcome<store::Reply> outcome =
        response ? ReplyFrom(job->call, std::move(*response))
                 : store::Outcome<store::Reply>(std::unexpected(response.error()));
    if (outcome) return job->Finish(std::move(outcome));
    const auto pause = PauseBeforeRetry(
        outcome.error(),
        {.is_read = job->request.is_read(), .was_sent = was_sent, .number = job->attempt},
        options_.retry);
    if (!pause) return job->Finish(std::move(outcome));
    ++job->attempt;
    wire_->PostAfter(*pause, [this, job] { WaitForTurn(job); });
  }

  // Refreshes the credentials and applies them to new connections.
  store::Outcome<std::string> Headers() {
    auto headers = credentials_.Headers(store::SystemTime());
    if (!headers) return std::unexpected(store::Unreachable(base::ToString(headers.error())));
    if (TlsIdentity identity = credentials_.Identity(); identity != identity_) {
      identity_ = std::move(identity);
      if (auto used = wire_->Use(identity_); !used)
        return std::unexpected(store::Unreachable(base::ToString(used.error())));
    }
    return std::move(*headers);
  }

  ClientOptions options_;
  Endpoint server_;
  Credentials credentials_;
  TokenBucket bucket_;
  TlsIdentity identity_;
  std::unique_ptr<Wire> wire_;  // its thread ends before other members are destroyed
};

Client::Client(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Client::~Client() = default;

base::Result<std::unique_ptr<Client>> Client::Make(Access access, ClientOptions options) {
  auto server = ParseEndpoint(access.server);
  if (!server) return std::unexpected(server.error());
  std::optional<Endpoint> proxy;
  if (!access.proxy.empty()) {
    auto parsed = ParseEndpoint(access.proxy);
    if (!parsed) return std::unexpected(parsed.error());
    if (parsed->is_tls)
      return base::Fail("the proxy " + access.proxy + " cannot be used",
                        "give one that is spoken to in the clear: http://host:port");
    proxy = std::move(*parsed);
  }
  const std::string server_name = access.tls_server_name;
  auto core = std::make_unique<Core>(std::move(access), std::move(options), std::move(*server));
  if (auto opened = core->Open(std::move(proxy), server_name); !opened)
    return std::unexpected(opened.error());
  return std::unique_ptr<Client>(new Client(std::move(core)));
}

void Client::Do(store::Call call, store::Executor& executor, store::Answer answer) {
  core_->Do(std::move(call), executor, std::move(answer));
}

store::Subscription Client::Subscribe(store::Watch watch, store::Executor& executor,
                                      store::EventSink sink) {
  return core_->Subscribe(watch, executor, std::move(sink));
}

}  // namespace berth::kube
